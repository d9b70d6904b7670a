import fc from "fast-check";
import type { NodeRecord, PodRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { aContainer, aNode, aPod, aReservation, aSnapshot, NOW } from "./builders.ts";

const RESOURCES = [
  "nvidia.com/gpu",
  "nvidia.com/mig-1g.10gb",
  "nvidia.com/gpu.shared",
  "amd.com/gpu",
] as const;
const TYPES = ["p5.48xlarge", "g6f.large", "g2-standard-8", "no-such-type"] as const;

function nodeShape() {
  return fc.record({
    index: fc.nat(14),
    resource: fc.constantFrom(...RESOURCES),
    capacity: fc.nat(20),
    lost: fc.nat(20),
    type: fc.option(fc.constantFrom(...TYPES)),
    gfdCount: fc.option(fc.nat(8)),
    replicas: fc.constantFrom("1", "4", "zero"),
    ready: fc.constantFrom("True", "False", "Unknown", "none"),
    cordoned: fc.boolean(),
    taint: fc.option(fc.constantFrom("karpenter.sh/disrupted", "dedicated")),
    pool: fc.option(fc.nat(3)),
    age: fc.nat(1000),
    named: fc.option(fc.nat(3)),
    cpu: fc.nat(64_000),
    bare: fc.boolean(),
  });
}

function toNode(shape: FcValue<ReturnType<typeof nodeShape>>): NodeRecord {
  const capacity = { cpu: shape.cpu, memory: 2 ** 38, pods: 20, [shape.resource]: shape.capacity };
  const healthy = Math.max(0, shape.capacity - shape.lost);
  return aNode({
    name: `node-${shape.index}`,
    createdAt: NOW - shape.age,
    providerId: `aws:///us-east-1a/i-${shape.index}`,
    unschedulable: shape.cordoned,
    labels: {
      ...(shape.type === null ? {} : { "node.kubernetes.io/instance-type": shape.type }),
      ...(shape.gfdCount === null ? {} : { "nvidia.com/gpu.count": String(shape.gfdCount) }),
      ...(shape.replicas === "1"
        ? {}
        : { "nvidia.com/gpu.replicas": shape.replicas, "nvidia.com/gpu.sharing-strategy": "time-slicing" }),
      ...(shape.pool === null ? {} : { pool: `res-${shape.pool}` }),
      ...(shape.named === null ? {} : { "karpenter.k8s.aws/capacity-reservation-id": `res-${shape.named}` }),
      "topology.kubernetes.io/region": "us-east-1",
    },
    taints:
      shape.taint === null
        ? []
        : [{ key: shape.taint, value: "", effect: "NoSchedule", timeAdded: undefined }],
    capacity: shape.bare ? undefined : capacity,
    allocatable: shape.bare ? undefined : { ...capacity, [shape.resource]: healthy },
    conditions:
      shape.ready === "none"
        ? []
        : [
            {
              type: "Ready",
              status: shape.ready,
              reason: "",
              message: "",
              lastTransitionTime: NOW,
            },
          ],
  });
}

function podShape() {
  return fc.record({
    index: fc.nat(40),
    node: fc.option(fc.nat(16)),
    nominated: fc.option(fc.nat(14)),
    resource: fc.constantFrom(...RESOURCES, "cpu"),
    units: fc.nat(10),
    cpu: fc.nat(32_000),
    phase: fc.constantFrom("Pending", "Running", "Succeeded", "Failed", "Unknown"),
    waiting: fc.option(
      fc.constantFrom(
        "CrashLoopBackOff",
        "ImagePullBackOff",
        "ContainerCreating",
        "CreateContainerConfigError",
      ),
    ),
    system: fc.constantFrom(undefined, undefined, undefined, "daemonset", "static"),
    selector: fc.option(fc.nat(3)),
  });
}

function toPod(shape: FcValue<ReturnType<typeof podShape>>): PodRecord {
  return aPod({
    name: `pod-${shape.index}`,
    nodeName: shape.node === null ? undefined : `node-${shape.node}`,
    nominatedNodeName: shape.nominated === null ? undefined : `node-${shape.nominated}`,
    phase: shape.phase,
    system: shape.system,
    requests: { cpu: shape.cpu, memory: 2 ** 30, pods: 1, [shape.resource]: shape.units },
    nodeSelector: shape.selector === null ? {} : { pool: `res-${shape.selector}` },
    containers: [
      aContainer(
        shape.waiting === null
          ? {}
          : { state: { kind: "waiting", reason: shape.waiting, message: "" }, ready: false },
      ),
    ],
  });
}

function reservationShape() {
  return fc.record({
    index: fc.nat(3),
    count: fc.nat(5),
    gpusPerInstance: fc.integer({ min: 1, max: 8 }),
    start: fc.integer({ min: -100, max: 100 }),
    end: fc.option(fc.integer({ min: -100, max: 100 })),
    rawState: fc.constantFrom(undefined, undefined, "active", "expired", "payment-pending", "no-such-word"),
    priced: fc.boolean(),
    open: fc.boolean(),
    broken: fc.nat(3),
    used: fc.option(fc.nat(8)),
    lifecycle: fc.option(
      fc.record({
        state: fc.constantFrom("scheduled", "active", "ended", "failed", "unknown"),
        billed: fc.constantFrom(true, false, undefined),
        launchable: fc.constantFrom(true, false, undefined),
      }),
    ),
    usableUntil: fc.option(fc.integer({ min: -100, max: 100 })),
    machines: fc.uniqueArray(fc.nat(14), { maxLength: 6 }),
    matching: fc.constantFrom("open", "targeted", undefined),
    market: fc.constantFrom("on-demand", "block", "future", "unknown"),
  });
}

function toReservation(shape: FcValue<ReturnType<typeof reservationShape>>): Reservation {
  return aReservation({
    id: `res-${shape.index}`,
    instanceType: "p5.48xlarge",
    count: shape.count,
    gpusPerInstance: shape.gpusPerInstance,
    start: NOW + shape.start,
    end: shape.end === null ? undefined : NOW + shape.end,
    rawState: shape.rawState,
    broken: Math.min(shape.broken, shape.count),
    used: shape.used ?? undefined,
    lifecycle: shape.lifecycle ? { ...shape.lifecycle, doc: "https://provider.example/billing" } : undefined,
    usableUntil: shape.usableUntil === null ? undefined : NOW + shape.usableUntil,
    machines: shape.machines.map((index) => `i-${index}`),
    matching: shape.matching,
    market: shape.market,
    ...(shape.open ? { selector: undefined } : {}),
    ...(shape.priced ? {} : { rate: { perGpuHour: undefined, source: "unknown", bound: "=" } }),
  });
}

type FcValue<T> = T extends fc.Arbitrary<infer V> ? V : never;

/** Snapshots of every sort: odd counts, shared GPUs, dead nodes, ended reservations, sources that were never read. */
export const snapshots: fc.Arbitrary<Snapshot> = fc
  .record({
    nodes: fc.array(nodeShape(), { maxLength: 12 }),
    pods: fc.array(podShape(), { maxLength: 25 }),
    reservations: fc.uniqueArray(reservationShape(), { maxLength: 4, selector: ({ index }) => index }),
    nodesKnown: fc.boolean(),
    podsKnown: fc.boolean(),
    reservationsKnown: fc.boolean(),
  })
  .map(({ nodes, pods, reservations, nodesKnown, podsKnown, reservationsKnown }) => ({
    ...aSnapshot({
      nodes: nodesKnown ? nodes.map(toNode) : [],
      pods: podsKnown ? pods.map(toPod) : [],
      reservations: reservationsKnown ? reservations.map(toReservation) : [],
    }),
    ...(nodesKnown ? {} : { nodes: { known: false, items: [] } }),
    ...(podsKnown ? {} : { pods: { known: false, items: [] } }),
    ...(reservationsKnown ? {} : { reservations: { known: false, items: [] } }),
  }));
