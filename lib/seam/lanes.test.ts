import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildFleet } from "../layers/build-fleet.ts";
import type { Snapshot, SourceState, SourceStatus } from "../model/snapshot.ts";
import { LAYERS } from "../model/stages.ts";
import { aNode, aPod, aReservation, aSnapshot, NOW } from "../testing/builders.ts";
import { snapshots } from "../testing/generated-fleet.ts";
import { classifyPool } from "./classify.ts";
import { buildLanes } from "./lanes.ts";
import { buildLedger } from "./ledger.ts";

function lanesOf(snapshot: Snapshot) {
  const fleet = buildFleet(snapshot, NOW);
  const pools = fleet.pools.map((pool) => ({
    pool: pool.id,
    entries: classifyPool(pool, fleet).flatMap((member) => member.entries),
  }));
  const ledger = buildLedger(
    pools.flatMap((pool) => pool.entries),
    false,
  );
  return { lanes: buildLanes(pools, snapshot.sources, { pods: 0, gpus: 0 }), ledger };
}

const flow = (snapshot: Snapshot) =>
  lanesOf(snapshot).lanes.map(({ through, lost, unknown }) => [through, lost.gpus, unknown]);

describe("lanes", () => {
  it("lose GPUs where they get lost, and pass on the rest", () => {
    const snapshot = aSnapshot({
      nodes: [
        aNode({ name: "a", labels: { pool: "r" } }),
        aNode({ name: "b", labels: { pool: "r" }, conditions: [] }),
      ],
      pods: [aPod({ nodeName: "a", gpus: 5 }), aPod({ nodeName: "a", gpus: 1, phase: "Pending" })],
      reservations: [aReservation({ id: "r", count: 4, broken: 1 })],
    });
    expect(flow(snapshot)).toEqual([
      [24, 8, 0],
      [8, 16, 0],
      [6, 2, 0],
      [5, 1, 0],
    ]);
  });

  it("do not know who holds the GPUs while the pods were never read", () => {
    const snapshot = {
      ...aSnapshot({ nodes: [aNode(), aNode({ unschedulable: true })] }),
      pods: { known: false, items: [] },
    };
    expect(flow(snapshot)).toEqual([
      [16, 0, 0],
      [8, 0, 8],
      [0, 0, 16],
      [0, 0, 16],
    ]);
    const { ledger } = lanesOf(snapshot);
    expect(ledger.schedulable).toMatchObject({ gpus: 8, certainty: "≥" });
    expect(ledger.working).toEqual({ gpus: null, perHour: [], certainty: "?" });
    expect(ledger.stages.find((s) => s.stage === "free")).toMatchObject({ gpus: null, certainty: "?" });
  });

  it("know what is paid but not what became of it while the nodes were never read", () => {
    const snapshot = { ...aSnapshot({ reservations: [aReservation()] }), nodes: { known: false, items: [] } };
    const { ledger } = lanesOf(snapshot);
    expect(ledger.paid).toMatchObject({ gpus: 8, certainty: "=" });
    expect(ledger.unknown).toMatchObject({ gpus: 8 });
    expect(ledger.seam).toEqual({ gpus: null, perHour: [], certainty: "?" });
    expect(ledger.schedulable).toEqual({ gpus: null, perHour: [], certainty: "?" });
  });

  it("hand on what they let through, in any fleet", () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const { lanes, ledger } = lanesOf(snapshot);
        expect(lanes.map((lane) => lane.layer)).toEqual(LAYERS);
        expect(lanes[0]?.reach).toBe(ledger.paid.gpus);
        for (const [index, lane] of lanes.entries()) {
          expect(lane.through + (lane.lost.gpus ?? 0) + lane.unknown).toBe(lane.reach);
          const below = lanes[index - 1];
          if (below) expect(lane.reach).toBe(below.through + below.unknown);
          expect(lane.pools.reduce((sum, pool) => sum + pool.through, 0)).toBe(lane.through);
        }
      }),
    );
  });
});

describe("the state of a lane", () => {
  const source = (id: string, state: SourceState, asOf?: number): SourceStatus => {
    const kind = id.startsWith("reservations") ? "reservations" : "kubernetes";
    return { id, kind, state, asOf, error: undefined };
  };
  it.each<[string, SourceStatus[], SourceState[]]>([
    [
      "all live",
      [
        source("kubernetes/nodes", "live"),
        source("kubernetes/pods", "live"),
        source("reservations/a", "live"),
      ],
      ["live", "live", "live", "live"],
    ],
    [
      "pods forbidden: scheduling and workload cannot be seen",
      [source("kubernetes/nodes", "live"), source("kubernetes/pods", "forbidden")],
      ["live", "live", "forbidden", "forbidden"],
    ],
    [
      "a stale reservation file is L1's alone",
      [
        source("kubernetes/nodes", "live"),
        source("kubernetes/pods", "live"),
        source("reservations/a", "stale"),
      ],
      ["stale", "live", "live", "live"],
    ],
    [
      "none configured: what nodes there are is what is paid for",
      [
        source("kubernetes/nodes", "stale"),
        source("kubernetes/pods", "live"),
        source("reservations", "not-configured"),
      ],
      ["stale", "stale", "stale", "live"],
    ],
  ])("%s", (_, sources, states) => {
    const lanes = buildLanes([], sources, { pods: 0, gpus: 0 });
    expect(lanes.map((lane) => lane.state)).toEqual(states);
  });

  it("is as old as its oldest source", () => {
    const sources = [
      source("kubernetes/nodes", "live", NOW - 5000),
      source("kubernetes/pods", "live", NOW - 1000),
    ];
    expect(buildLanes([], sources, { pods: 0, gpus: 0 }).map((lane) => lane.asOf)).toEqual([
      new Date(NOW - 5000).toISOString(),
      new Date(NOW - 5000).toISOString(),
      new Date(NOW - 5000).toISOString(),
      new Date(NOW - 1000).toISOString(),
    ]);
  });
});
