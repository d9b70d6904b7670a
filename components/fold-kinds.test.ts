import { describe, expect, it } from "vitest";
import type { SourceView } from "@/lib/model/fleet-view.ts";
import { foldKinds } from "./fold-kinds.ts";

const source = (id: string, state: SourceView["state"] = "live", minute = 0): SourceView => ({
  id,
  kind: id.startsWith("kubernetes/") ? "kubernetes" : "reservations",
  state,
  asOf: `2026-12-01T11:5${minute}:00Z`,
  error: state === "live" ? null : { code: "forbidden", message: `No right to ${id}.`, hint: `Give ${id}.` },
});

const NODES = source("kubernetes/nodes", "forbidden");
const PODS = source("kubernetes/pods");
const FILE = source("reservations/a");

describe("foldKinds", () => {
  it("makes one entry of all further kinds in one state, beside the others of the cluster", () => {
    const kinds = [
      source("kubernetes/a.x", "live", 3),
      source("kubernetes/b.x", "forbidden", 4),
      source("kubernetes/c", "live", 2),
      source("kubernetes/d.x", "forbidden", 1),
    ];
    const folded = foldKinds([NODES, PODS, ...kinds, FILE]);
    expect(folded.map(({ id, state }) => [id, state])).toEqual([
      ["kubernetes/nodes", "forbidden"],
      ["kubernetes/pods", "live"],
      ["2 further kinds", "live"],
      ["2 further kinds", "forbidden"],
      ["reservations/a", "live"],
    ]);
    expect(folded[2]).toMatchObject({ asOf: "2026-12-01T11:52:00Z", error: null });
    expect(folded[3]).toMatchObject({
      asOf: "2026-12-01T11:51:00Z",
      error: {
        message: "b.x, d.x: No right to kubernetes/d.x.",
        hint: expect.stringContaining("deploy/cluster-role.yaml"),
      },
    });
  });

  it("names a kind that is alone in its state", () =>
    expect(foldKinds([NODES, source("kubernetes/a.x", "forbidden")])[1]).toMatchObject({
      id: "a.x",
      error: { hint: "Give kubernetes/a.x." },
    }));

  it("leaves all as it is without further kinds", () =>
    expect(foldKinds([NODES, PODS, FILE])).toEqual([NODES, PODS, FILE]));
});
