import { describe, expect, it } from "vitest";
import type { ReservationView, SourceView } from "@/lib/model/fleet-view.ts";
import { aFleetView } from "@/lib/testing/view-fixture.ts";
import { countByState, filterRows, NO_FILTER, providersOf } from "./capacity-filter.ts";
import { capacityRows } from "./capacity-row.ts";
import { emptyCapacity } from "./empty-capacity.ts";
import { nextChanges } from "./next-changes.ts";
import { aRow, inDays, VIEW_NOW } from "./row-fixture.ts";

describe("capacityRows", () => {
  it("has one row a reservation and none for other pools", () =>
    expect(capacityRows(aFleetView().pools).map(({ pool }) => pool.name)).toEqual([
      "cr-0f3a",
      "crg-nd",
      "res-train-a3",
      "cb-91c2",
    ]));

  it.each<[string, Partial<ReservationView>, number | null, number | null]>([
    ["by the provider’s word", { used: 2 }, 2, 1],
    ["a node of ours is a slot in use", { used: 0 }, 1, 0.5],
    ["by our nodes where the provider says nothing", { used: null }, 1, 0.5],
    ["beyond all slots", { used: 3 }, 3, 1.5],
    ["no share of what is not paid", { used: 0, launched: 0, billed: false }, 0, null],
    ["a share where nobody knows whether it is paid", { used: 1, billed: null }, 1, 0.5],
    ["no share of no slots", { slots: 0, launched: 0 }, 0, null],
  ])("counts slots in use: %s", (_, reservation, used, inUse) =>
    expect(aRow("a", reservation)).toMatchObject({ used, inUse }),
  );

  it("does not know what is in use where neither provider nor cluster says", () => {
    const unread = { gpus: 16, perHour: [], certainty: "?" } as const;
    expect(aRow("a", { used: null, launched: 0 }, { unknown: unread }).used).toBeNull();
  });
});

describe("filterRows", () => {
  const rows = [
    aRow("cr-1", { zone: "us-east-1a" }, { provider: "aws", gpuModel: "H100" }),
    aRow("res-2", { state: "ended" }, { provider: "gcp", gpuModel: "H100" }),
    aRow("lab", { state: "scheduled", owner: "lab team" }, { provider: null }),
  ];
  it.each([
    [NO_FILTER, ["cr-1", "res-2", "lab"]],
    [{ ...NO_FILTER, state: "ended" as const }, ["res-2"]],
    [{ ...NO_FILTER, provider: "aws" }, ["cr-1"]],
    [{ ...NO_FILTER, text: "h100 US-EAST" }, ["cr-1"]],
    [{ ...NO_FILTER, text: "lab team" }, ["lab"]],
    [{ ...NO_FILTER, state: "active" as const, text: "lab" }, []],
  ])("%j", (filter, expected) =>
    expect(filterRows(rows, filter).map(({ pool }) => pool.name)).toEqual(expected),
  );

  it("offers what occurs", () => {
    expect(countByState(rows)).toEqual([
      { state: "active", count: 1 },
      { state: "scheduled", count: 1 },
      { state: "ended", count: 1 },
    ]);
    expect(providersOf(rows)).toEqual(["aws", "gcp"]);
  });
});

describe("nextChanges", () => {
  it("names what ends and what starts next, the sooner first", () => {
    const rows = [
      aRow("late", { end: inDays(9) }),
      aRow("soon", { end: inDays(4) }),
      aRow("gone", { end: inDays(-1) }),
      aRow("open", { end: null }),
      aRow("coming", { state: "scheduled", start: inDays(2), end: inDays(3) }),
      aRow("failed", { state: "failed", start: inDays(1) }),
    ];
    expect(nextChanges(rows, VIEW_NOW).map(({ what, row }) => [what, row.pool.name])).toEqual([
      ["starts", "coming"],
      ["ends", "soon"],
    ]);
  });
});

describe("emptyCapacity", () => {
  const source = (state: SourceView["state"], overrides: Partial<SourceView> = {}): SourceView => ({
    id: "reservations/a.json",
    kind: "reservations",
    state,
    asOf: null,
    error: null,
    ...overrides,
  });
  const error = { code: "invalid", message: "a.json: no JSON", hint: "" } as const;
  it.each<[string, SourceView[], string]>([
    ["no source at all", [], "not-configured"],
    ["a source that is not set", [source("not-configured", { id: "reservations" })], "not-configured"],
    ["a cluster alone", [source("forbidden", { kind: "kubernetes" })], "not-configured"],
    ["a file that cannot be read", [source("live"), source("unreachable", { error })], "unread"],
    ["old data with a problem", [source("stale", { error })], "unread"],
    ["the first reading", [source("live"), source("loading")], "loading"],
    ["files without any", [source("live")], "none"],
  ])("%s", (_, sources, kind) => expect(emptyCapacity(sources).kind).toBe(kind));
});
