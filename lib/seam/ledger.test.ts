import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildFleet } from "../layers/build-fleet.ts";
import type { LedgerView } from "../model/fleet-view.ts";
import type { NodeRecord, PodRecord } from "../model/kubernetes.ts";
import { type Money, sumMoney } from "../model/money.ts";
import type { Reservation } from "../model/reservation.ts";
import { STAGES, type Stage } from "../model/stages.ts";
import { aContainer, aNode, aPod, aReservation, aSnapshot, NOW } from "../testing/builders.ts";
import { snapshots } from "../testing/generated-fleet.ts";
import { classifyPool } from "./classify.ts";
import { buildLedger } from "./ledger.ts";

function ledgerOf(parts: {
  nodes?: NodeRecord[];
  pods?: PodRecord[];
  reservations?: Reservation[];
}): LedgerView {
  const fleet = buildFleet(aSnapshot(parts), NOW);
  return buildLedger(
    fleet.pools.flatMap((pool) => classifyPool(pool, fleet).flatMap((member) => member.entries)),
    false,
  );
}

/** Stage -> GPUs, those with none left out. */
function stagesOf(ledger: LedgerView): Partial<Record<Stage, number>> {
  return Object.fromEntries(
    ledger.stages.filter((s) => s.gpus !== 0 && s.gpus !== null).map((s) => [s.stage, s.gpus]),
  );
}

const without = (gpus: number) => ({ cpu: 64_000, memory: 2 ** 39, pods: 110, "nvidia.com/gpu": gpus });
const notReady = [
  { type: "Ready", status: "Unknown", reason: "NodeStatusUnknown", message: "", lastTransitionTime: NOW },
] as const;
const waiting = (reason: string) => [
  aContainer({ ready: false, state: { kind: "waiting", reason, message: "" } }),
];

describe("every paid GPU lies in exactly one stage", () => {
  const cases: [string, Parameters<typeof ledgerOf>[0], Partial<Record<Stage, number>>][] = [
    ["a free node", { nodes: [aNode()] }, { free: 8 }],
    ["an empty slot", { reservations: [aReservation({ count: 2 })] }, { "not-launched": 16 }],
    [
      "slots that the provider reports as broken or used by others",
      { reservations: [aReservation({ count: 4, broken: 1, used: 1 })] },
      { "broken-at-provider": 8, elsewhere: 8, "not-launched": 16 },
    ],
    [
      "slots that are paid for and cannot be launched into; what runs in them elsewhere does",
      {
        reservations: [
          aReservation({
            count: 3,
            used: 1,
            lifecycle: { state: "active", billed: true, launchable: false, doc: "" },
          }),
        ],
      },
      { elsewhere: 8, "broken-at-provider": 16 },
    ],
    [
      "the last minutes of a block: its free slots and the idle GPUs of its machines are lost, the busy ones work on",
      {
        nodes: [aNode({ name: "a", labels: { pool: "r" } })],
        pods: [aPod({ nodeName: "a", gpus: 3 })],
        reservations: [aReservation({ id: "r", count: 2, usableUntil: NOW, end: NOW + 1 })],
      },
      { "not-launched": 8, cordoned: 5, working: 3 },
    ],
    [
      "more in use than there are slots: never more elsewhere than slots",
      { reservations: [aReservation({ count: 2, used: 5 })] },
      { elsewhere: 16 },
    ],
    [
      "a node that is not Ready, whatever runs on it",
      {
        nodes: [aNode({ name: "a", conditions: notReady })],
        pods: [aPod({ nodeName: "a", gpus: 8 })],
      },
      { "not-ready": 8 },
    ],
    ["a node without a Ready condition", { nodes: [aNode({ conditions: [] })] }, { "not-ready": 8 }],
    [
      "a Ready node that advertises nothing of what its type has",
      {
        nodes: [aNode({ gpus: 0, labels: { "node.kubernetes.io/instance-type": "p5.48xlarge" } })],
      },
      { "not-advertised": 8 },
    ],
    [
      "a reserved node that advertises a part",
      {
        nodes: [aNode({ gpus: 6, labels: { pool: "r" } })],
        reservations: [aReservation({ id: "r" })],
      },
      { "not-advertised": 2, free: 6 },
    ],
    [
      "allocatable below capacity",
      { nodes: [aNode({ allocatable: without(7) })] },
      { unhealthy: 1, free: 7 },
    ],
    [
      "capacity that allocatable has not followed yet",
      {
        nodes: [aNode({ gpus: 1, allocatable: { cpu: 4000, pods: 110 } })],
      },
      { unhealthy: 1 },
    ],
    [
      "a cordoned node keeps its busy GPUs",
      {
        nodes: [aNode({ name: "a", unschedulable: true })],
        pods: [aPod({ nodeName: "a", gpus: 3 })],
      },
      { cordoned: 5, working: 3 },
    ],
    [
      "a disrupted node",
      {
        nodes: [
          aNode({
            taints: [{ key: "karpenter.sh/disrupted", value: "", effect: "NoSchedule", timeAdded: NOW }],
          }),
        ],
      },
      { cordoned: 8 },
    ],
    [
      "a dedicated node is not cordoned",
      {
        nodes: [
          aNode({ taints: [{ key: "nvidia.com/gpu", value: "", effect: "NoSchedule", timeAdded: NOW }] }),
        ],
      },
      { free: 8 },
    ],
    [
      "CPU used up beside free GPUs",
      {
        nodes: [aNode({ name: "a" })],
        pods: [
          aPod({ nodeName: "a", gpus: 4, requests: { cpu: 8_000, memory: 1, pods: 1, "nvidia.com/gpu": 4 } }),
          aPod({ nodeName: "a", gpus: 0, requests: { cpu: 55_000, memory: 1, pods: 1 } }),
        ],
      },
      { stranded: 4, working: 4 },
    ],
    [
      "no pod slot left",
      {
        nodes: [aNode({ name: "a", allocatable: { ...without(8), pods: 1 } })],
        pods: [aPod({ nodeName: "a", gpus: 1 })],
      },
      { stranded: 7, working: 1 },
    ],
    [
      "GPUs kept for a nominated pod",
      {
        nodes: [aNode({ name: "a" })],
        pods: [aPod({ gpus: 2, nominatedNodeName: "a" })],
      },
      { held: 2, free: 6 },
    ],
    [
      "a pod that crash-loops, one that pulls, one that starts, one that runs",
      {
        nodes: [aNode({ name: "a" })],
        pods: [
          aPod({ nodeName: "a", gpus: 1, containers: waiting("CrashLoopBackOff") }),
          aPod({ nodeName: "a", gpus: 1, phase: "Pending", containers: waiting("ImagePullBackOff") }),
          aPod({ nodeName: "a", gpus: 1, phase: "Pending", containers: waiting("ContainerCreating") }),
          aPod({ nodeName: "a", gpus: 5 }),
        ],
      },
      { "not-working": 3, working: 5 },
    ],
    [
      "terminal pods hold nothing",
      {
        nodes: [aNode({ name: "a" })],
        pods: [
          aPod({ nodeName: "a", gpus: 8, phase: "Succeeded" }),
          aPod({ nodeName: "a", gpus: 8, phase: "Failed" }),
        ],
      },
      { free: 8 },
    ],
    [
      "pods that hold more than the node offers",
      {
        nodes: [aNode({ name: "a", gpus: 2 })],
        pods: [aPod({ nodeName: "a", gpus: 2 }), aPod({ nodeName: "a", gpus: 2 })],
      },
      { working: 2 },
    ],
    [
      "a shared GPU is held as a whole",
      {
        nodes: [
          aNode({
            name: "a",
            gpus: 16,
            labels: {
              "nvidia.com/gpu.count": "4",
              "nvidia.com/gpu.replicas": "4",
              "nvidia.com/gpu.sharing-strategy": "time-slicing",
            },
          }),
        ],
        pods: [aPod({ nodeName: "a", gpus: 1 }), aPod({ nodeName: "a", gpus: 4 })],
      },
      { working: 2, free: 2 },
    ],
    [
      "MIG devices are parts of a GPU",
      {
        nodes: [
          aNode({
            name: "a",
            gpus: 56,
            gpuResource: "nvidia.com/mig-1g.10gb",
            labels: { "nvidia.com/gpu.count": "8" },
          }),
        ],
        pods: [aPod({ nodeName: "a", gpus: 9, gpuResource: "nvidia.com/mig-1g.10gb" })],
      },
      { working: 2, free: 6 },
    ],
    [
      "cores beside their devices are not counted twice",
      {
        nodes: [
          aNode({
            capacity: { "aws.amazon.com/neuron": 16, "aws.amazon.com/neuroncore": 128 },
            allocatable: { "aws.amazon.com/neuron": 16, "aws.amazon.com/neuroncore": 128 },
          }),
        ],
      },
      { free: 16 },
    ],
    [
      "more nodes than slots: the excess stands outside",
      {
        nodes: [aNode({ labels: { pool: "r" } }), aNode({ labels: { pool: "r" } })],
        reservations: [aReservation({ id: "r", count: 1 })],
      },
      { free: 16 },
    ],
    [
      "an ended, a future and a failed reservation are paid no more, or not yet",
      {
        reservations: [
          aReservation({ end: NOW - 1 }),
          aReservation({ start: NOW + 1 }),
          aReservation({ rawState: "payment-failed" }),
        ],
      },
      {},
    ],
  ];
  it.each(cases)("%s", (_, parts, expected) => {
    const ledger = ledgerOf(parts);
    expect(stagesOf(ledger)).toEqual(expected);
    expect(ledger.stages.map((s) => s.stage)).toEqual(STAGES.map((s) => s.stage));
  });
});

describe("the ledger's invariant holds for any fleet", () => {
  it("paid is the sum of the stages and what cannot be told, in GPUs and in money", () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const fleet = buildFleet(snapshot, NOW);
        for (const pool of fleet.pools) {
          const entries = classifyPool(pool, fleet).flatMap((member) => member.entries);
          const ledger = buildLedger(entries, false);
          const parts = [...ledger.stages, ledger.unknown];
          expect(parts.reduce((sum, part) => sum + (part.gpus ?? 0), 0)).toBe(ledger.paid.gpus);
          expect(sumMoney(parts.flatMap((part): readonly Money[] => part.perHour))).toEqual(
            ledger.paid.perHour,
          );
          for (const { gpus, perHour } of parts) {
            expect(gpus === null || (Number.isSafeInteger(gpus) && gpus >= 0)).toBe(true);
            expect(perHour.every(({ micros }) => Number.isSafeInteger(micros) && micros >= 0)).toBe(true);
          }
          const slots = pool.reservation?.paidSlots;
          if (slots !== undefined)
            expect(ledger.paid.gpus).toBe(slots * (pool.reservation?.record.gpusPerInstance ?? 0));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("every node with accelerators is in exactly one pool, and no reservation has more nodes than slots", () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const fleet = buildFleet(snapshot, NOW);
        const members = fleet.pools.flatMap((pool) =>
          pool.members.flatMap((member) => (member.kind === "node" ? [member.node.record.name] : [])),
        );
        const expected = [...fleet.nodes.values()]
          .filter((node) => node.gpus.physical > 0)
          .map((n) => n.record.name);
        expect([...members].sort()).toEqual(expected.sort());
        for (const { reservation, members: own } of fleet.pools) {
          if (reservation)
            expect(own.filter((m) => m.kind === "node").length).toBeLessThanOrEqual(reservation.record.count);
        }
      }),
    );
  });
});

describe("money and certainty", () => {
  const priced = (id: string, micros: number, currency = "USD") =>
    aReservation({ id, rate: { perGpuHour: { currency, micros }, source: "contract", bound: "=" } });
  const unpriced = (id: string) =>
    aReservation({ id, rate: { perGpuHour: undefined, source: "unknown", bound: "=" } });

  it.each<[string, Reservation[], LedgerView["paid"]]>([
    ["nothing is known to be nothing", [], { gpus: 0, perHour: [], certainty: "=" }],
    [
      "a priced one",
      [priced("a", 1_950_000)],
      { gpus: 8, perHour: [{ currency: "USD", micros: 15_600_000 }], certainty: "=" },
    ],
    ["an unpriced one is unknown, not free", [unpriced("a")], { gpus: 8, perHour: [], certainty: "?" }],
    [
      "a part without a price makes it at least",
      [priced("a", 1_000_000), unpriced("b")],
      {
        gpus: 16,
        perHour: [{ currency: "USD", micros: 8_000_000 }],
        certainty: "≥",
      },
    ],
    [
      "currencies are kept apart",
      [priced("a", 1_000_000), priced("b", 2_000_000, "EUR")],
      {
        gpus: 16,
        perHour: [
          { currency: "EUR", micros: 16_000_000 },
          { currency: "USD", micros: 8_000_000 },
        ],
        certainty: "=",
      },
    ],
  ])("%s", (_, reservations, paid) => {
    expect(ledgerOf({ reservations }).paid).toEqual(paid);
  });

  it("takes a list price for a machine of no reservation, an upper bound where it is spot", () => {
    const labels = {
      "node.kubernetes.io/instance-type": "g6e.12xlarge",
      "topology.kubernetes.io/region": "us-east-1",
    };
    const spot = { ...labels, "karpenter.sh/capacity-type": "spot" };
    const flex = { ...labels, "cloud.google.com/gke-flex-start": "true" };
    const elsewhere = { ...labels, "topology.kubernetes.io/region": "eu-west-1" };
    expect(ledgerOf({ nodes: [aNode({ gpus: 4, labels })] }).paid.certainty).toBe("=");
    expect(ledgerOf({ nodes: [aNode({ gpus: 4, labels: spot })] }).paid.certainty).toBe("≤");
    expect(ledgerOf({ nodes: [aNode({ gpus: 4, labels: flex })] }).paid.certainty).toBe("≤");
    expect(ledgerOf({ nodes: [aNode({ gpus: 4, labels: elsewhere })] }).paid).toEqual({
      gpus: 4,
      perHour: [],
      certainty: "?",
    });
  });
});
