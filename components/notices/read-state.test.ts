import { describe, expect, it } from "vitest";
import type { SourceView } from "@/lib/model/fleet-view.ts";
import { aFleetView } from "@/lib/testing/view-fixture.ts";
import { readState } from "./read-state.ts";

const view = aFleetView();
const unread = { ...view, counts: { ...view.counts, nodes: null } };
const source = (state: SourceView["state"], overrides: Partial<SourceView> = {}): SourceView => ({
  id: "kubernetes/nodes",
  kind: "kubernetes",
  state,
  asOf: null,
  error:
    state === "live" || state === "loading" ? null : { code: "unreachable", message: "no answer", hint: "" },
  ...overrides,
});

describe("readState", () => {
  it("is loading before the first answer", () =>
    expect(readState({ ...unread, sources: [source("loading")] })).toEqual({ kind: "loading" }));

  it("names the source that keeps the cluster from being read", () => {
    const nodes = source("unreachable");
    const pods = source("unreachable", { id: "kubernetes/pods" });
    const file = source("stale", {
      id: "reservations/a.yaml",
      kind: "reservations",
      error: { code: "invalid", message: "a.yaml: no count", hint: "" },
    });
    expect(readState({ ...unread, sources: [nodes, pods, file] })).toEqual({
      kind: "unread",
      source: nodes,
      failing: [file],
    });
  });

  it("does not take a failing reservation file for a failing cluster", () =>
    expect(
      readState({ ...unread, sources: [source("loading"), source("unreachable", { kind: "reservations" })] }),
    ).toEqual({ kind: "loading" }));

  it("does not take a kind that the cluster need not have for the cluster", () => {
    const kind = source("forbidden", { id: "kubernetes/nodepools.karpenter.sh" });
    expect(readState({ ...unread, sources: [source("loading"), kind] })).toEqual({ kind: "loading" });
  });

  it("shows what was read and names what was not", () => {
    const pods = source("forbidden", { id: "kubernetes/pods" });
    expect(readState({ ...view, sources: [source("live"), pods] })).toEqual({
      kind: "read",
      failing: [pods],
      empty: false,
    });
  });

  it("knows an empty cluster from an unread one", () =>
    expect(readState({ ...view, pools: [], sources: [source("live")] })).toEqual({
      kind: "read",
      failing: [],
      empty: true,
    }));
});
