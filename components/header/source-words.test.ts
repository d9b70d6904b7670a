import { describe, expect, it } from "vitest";
import type { SourceView } from "@/lib/model/fleet-view.ts";
import { sourceChip, sumUp } from "./source-words.ts";

const asOf = "2026-12-01T11:54:00Z";
const source = (overrides: Partial<SourceView>): SourceView => ({
  id: "kubernetes/nodes",
  kind: "kubernetes",
  state: "live",
  asOf,
  error: null,
  ...overrides,
});

describe("sourceChip", () => {
  it("needs no age for what is watched live", () =>
    expect(sourceChip(source({}), true)).toEqual({
      id: "kubernetes/nodes",
      state: "live",
      name: "Nodes",
      dot: "live",
      word: "live",
      since: null,
      trouble: false,
      detail: "",
    }));

  it("does not call live what the server no longer tells", () =>
    expect(sourceChip(source({}), false)).toMatchObject({ dot: "old", word: "read", since: asOf }));

  it("says when a file was read", () =>
    expect(sourceChip(source({ id: "reservations/prod.yaml", kind: "reservations" }), true)).toMatchObject({
      name: "Reservations prod.yaml",
      word: "read",
      since: asOf,
      trouble: false,
    }));

  it.each([
    ["stale", "old", "stale", asOf, true],
    ["unreachable", "none", "unreachable", asOf, true],
    ["forbidden", "none", "forbidden", asOf, true],
    ["absent", "none", "absent", asOf, true],
    ["loading", "none", "loading", null, false],
    ["not-configured", "none", "not set", null, false],
  ] as const)("%s has a %s dot", (state, dot, word, since, trouble) =>
    expect(sourceChip(source({ state }), true)).toMatchObject({ dot, word, since, trouble }),
  );

  it("has its problem and the way out in the detail, and is trouble even while its last data is live", () =>
    expect(
      sourceChip(
        source({ error: { code: "invalid", message: "prices.yaml: no count.", hint: "Add it." } }),
        true,
      ),
    ).toMatchObject({ trouble: true, detail: "prices.yaml: no count. Add it." }));
});

describe("sumUp", () => {
  const chips = (...states: readonly SourceView["state"][]) =>
    states.map((state, index) =>
      sourceChip(source({ id: `reservations/${index}`, kind: "reservations", state }), true),
    );
  const LIVE = ["live", "live", "live", "live", "live"] as const;
  const words = (...states: readonly SourceView["state"][]) => {
    const { named, fine, detail } = sumUp(chips(...states));
    return [fine, named.map(({ word }) => word), detail];
  };

  it.each<[string, readonly SourceView["state"][], readonly unknown[]]>([
    [
      "names few, one by one",
      [...LIVE, "not-configured"],
      [0, ["read", "read", "read", "read", "read", "not set"], ""],
    ],
    [
      "counts as fine only what is set up, and tells what is not",
      [...LIVE, "live", "not-configured"],
      [
        6,
        [],
        "Reservations 0, Reservations 1, Reservations 2, Reservations 3, Reservations 4, Reservations 5; not set: Reservations 6",
      ],
    ],
    [
      "names what is in trouble or not read yet",
      ["stale", ...LIVE, "loading"],
      [
        5,
        ["stale", "loading"],
        "Reservations 1, Reservations 2, Reservations 3, Reservations 4, Reservations 5",
      ],
    ],
    [
      "says nothing of fine ones where there are none",
      ["loading", "loading", "loading", "loading", "loading", "loading", "not-configured"],
      [0, ["loading", "loading", "loading", "loading", "loading", "loading", "not set"], ""],
    ],
  ])("%s", (_, states, expected) => expect(words(...states)).toEqual(expected));

  it("does not call fine what has a problem while its last data is live", () => {
    const error = { code: "invalid", message: "prices.yaml: no count.", hint: "" } as const;
    const troubled = sourceChip(source({ error }), true);
    const { fine, named } = sumUp([troubled, ...chips(...LIVE, "live")]);
    expect([fine, named]).toEqual([6, [troubled]]);
  });
});
