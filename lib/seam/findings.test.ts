import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildFleet } from "../layers/build-fleet.ts";
import type { ReservationMemory } from "../layers/past-reservation.ts";
import type { FindingView } from "../model/fleet-view.ts";
import type { NodeRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { aNode, aPod, aReservation, aSnapshot, NOW } from "../testing/builders.ts";
import { snapshots } from "../testing/generated-fleet.ts";
import { classifyPool } from "./classify.ts";
import { buildFindings } from "./findings.ts";

const HOUR = 3_600_000;
const LABEL = "karpenter.k8s.aws/capacity-reservation-id";

/** A p5.48xlarge in us-east-1a: $6.88 a GPU-hour on demand. */
function p5(name: string, labels: Record<string, string> = {}): NodeRecord {
  return aNode({
    name,
    uid: name,
    labels: {
      "node.kubernetes.io/instance-type": "p5.48xlarge",
      "topology.kubernetes.io/region": "us-east-1",
      "topology.kubernetes.io/zone": "us-east-1a",
      "karpenter.sh/nodepool": "gpu",
      ...labels,
    },
  });
}

function reserved(rest: Partial<Reservation> = {}): Reservation {
  return aReservation({
    id: "cr-1",
    name: "train",
    provider: "aws",
    instanceType: "p5.48xlarge",
    region: "us-east-1",
    zone: "us-east-1a",
    matching: "targeted",
    market: "on-demand",
    selector: undefined,
    ...rest,
  });
}

function findingsOf(snapshot: Snapshot, seen?: ReservationMemory) {
  const fleet = buildFleet(snapshot, NOW, seen);
  const pools = fleet.pools.map((pool) => {
    const members = classifyPool(pool, fleet);
    return { pool, members, entries: members.flatMap(({ entries }) => entries) };
  });
  const { owners, noticeHours } = snapshot;
  return { pools, findings: buildFindings(pools, { now: NOW, noticeMs: noticeHours * HOUR, owners }) };
}

const findings = (parts: Parameters<typeof aSnapshot>[0], seen?: ReservationMemory) =>
  findingsOf(aSnapshot(parts), seen).findings;

const short = ({ kind, gpus, perHour, title }: FindingView) =>
  `${kind} ${gpus} $${(perHour[0]?.micros ?? 0) / 1e6} ${title}`;
const says = (state: "active", billed: boolean, launchable: boolean) => {
  return { state, billed, launchable, doc: "https://provider.example" };
};

describe("findings", () => {
  it.each<[string, Parameters<typeof aSnapshot>[0], string[]]>([
    ["nothing where all is used", { nodes: [p5("a", { [LABEL]: "cr-1" })], reservations: [reserved()] }, []],
    [
      "idle slots",
      { nodes: [p5("a", { [LABEL]: "cr-1" })], reservations: [reserved({ count: 3 })] },
      ["idle 16 $32 2 of 3 paid slots idle"],
    ],
    [
      "work on what ends within the notice time",
      {
        nodes: [p5("a", { [LABEL]: "cr-1" })],
        pods: [aPod({ nodeName: "a", gpus: 5 })],
        reservations: [reserved({ end: NOW + 71 * HOUR })],
      },
      ["ending-with-work 5 $10 Ends with 5 GPUs in use"],
    ],
    [
      "no work on it",
      { nodes: [p5("a", { [LABEL]: "cr-1" })], reservations: [reserved({ end: NOW + 72 * HOUR })] },
      ["ending 8 $16 Ends soon, nothing runs on it"],
    ],
    [
      "nothing of what ends later",
      { nodes: [p5("a", { [LABEL]: "cr-1" })], reservations: [reserved({ end: NOW + 73 * HOUR })] },
      [],
    ],
    [
      "machines that are paid for beside free slots, no more than those",
      { nodes: [p5("a"), p5("b")], reservations: [reserved()] },
      ["double-pay 8 $55.04 1 machine paid for beside 1 free slot", "idle 8 $16 1 of 1 paid slot idle"],
    ],
    [
      "nothing twice of machines in another zone",
      { nodes: [p5("a", { "topology.kubernetes.io/zone": "us-east-1b" })], reservations: [reserved()] },
      ["idle 8 $16 1 of 1 paid slot idle"],
    ],
    [
      "spot machines as at most their list price",
      { nodes: [p5("a", { "karpenter.sh/capacity-type": "spot" })], reservations: [reserved()] },
      ["double-pay 8 $55.04 1 machine paid for beside 1 free slot", "idle 8 $16 1 of 1 paid slot idle"],
    ],
    [
      "machines beyond the slots, at the on-demand rate",
      { nodes: [p5("a", { [LABEL]: "cr-1" }), p5("b", { [LABEL]: "cr-1" })], reservations: [reserved()] },
      ["overallocated 8 $55.04 1 machine beyond 1 slot"],
    ],
    [
      "machines beyond the slots that are no nodes of ours",
      { nodes: [p5("a", { [LABEL]: "cr-1" })], reservations: [reserved({ used: 3 })] },
      ["overallocated 16 $110.08 2 machines beyond 1 slot"],
    ],
    [
      "what the provider reports as broken",
      { reservations: [reserved({ count: 2, broken: 1, used: 1 })] },
      ["not-consumable 8 $16 1 paid slot not usable"],
    ],
    [
      "what is paid and cannot be launched",
      {
        reservations: [
          reserved({ count: 2, rawState: "cancelling", lifecycle: says("active", true, false) }),
        ],
      },
      ["not-consumable 16 $32 2 paid slots not usable"],
    ],
    [
      "machines of what has ended",
      { nodes: [p5("a", { [LABEL]: "cr-1" })], reservations: [reserved({ end: NOW - HOUR })] },
      ["ended-still-running 8 $55.04 1 machine outlived train"],
    ],
    ["nothing of what is not billed yet", { reservations: [reserved({ start: NOW + HOUR })] }, []],
  ])("tell %s", (_, parts, expected) => {
    expect(findings(parts).map(short)).toEqual(expected);
  });

  it("say what an unpriced one is: unknown, not free", () => {
    const rate = { perGpuHour: undefined, source: "unknown", bound: "=" } as const;
    const [idle] = findings({ reservations: [reserved({ rate, market: "block" })] });
    expect(idle).toMatchObject({ kind: "idle", gpus: 8, perHour: [], certainty: "?" });
  });

  it("remember machines whose reservation is no longer listed and whose label is gone", () => {
    const seen = new Map([["a", { id: "cr-1", name: "train", until: NOW - HOUR }]]);
    expect(findings({ nodes: [p5("a")] }, seen)).toMatchObject([
      {
        kind: "ended-still-running",
        reservation: "cr-1",
        pool: "node-pool/gpu",
        since: new Date(NOW - HOUR).toISOString(),
        objects: [{ kind: "Node", name: "a" }],
      },
    ]);
  });

  it("name until when, the owner and how to reach them", () => {
    const owners = [
      { layer: "L1", pool: "train", namespace: undefined, team: "crew", contact: "#crew" } as const,
    ];
    const usableUntil = NOW + HOUR;
    const found = findings({
      owners,
      nodes: [p5("a", { [LABEL]: "cr-1" })],
      reservations: [reserved({ end: NOW + 2 * HOUR, usableUntil, owner: "somebody" })],
    });
    expect(found).toMatchObject([
      {
        kind: "ending",
        until: new Date(usableUntil).toISOString(),
        owner: "crew",
        contact: "#crew",
        detail: "Its machines are taken back then.",
      },
    ]);
  });

  it("never tell of a machine twice, nor of more than is paid", () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const { pools, findings: found } = findingsOf(snapshot);
        const twice = found.filter(({ kind }) => kind === "double-pay").flatMap(({ objects }) => objects);
        expect(new Set(twice.map(({ name }) => name)).size).toBe(twice.length);
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
        for (const { kind, gpus, pool } of found) {
          const entries = pools.find((one) => one.pool.id === pool)?.entries ?? [];
          const paid = entries.reduce((sum, entry) => sum + entry.gpus, 0);
          if (kind !== "double-pay" && kind !== "overallocated") expect(gpus).toBeLessThanOrEqual(paid);
        }
      }),
      { numRuns: 200 },
    );
  });
});
