import { describe, expect, it } from "vitest";
import type { NodeRecord, PodRecord } from "../model/kubernetes.ts";
import { layerOf, type Reason } from "../model/reasons.ts";
import { aContainer, aNode, anEvent, aPod, aReservation, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { diagnose } from "./diagnose.ts";
import type { Certainty, Verdict } from "./verdict.ts";

type Cluster = Parameters<typeof aFleet>[0];

const verdictOn = (cluster: Cluster): Verdict | undefined =>
  diagnose(aFleet(cluster), NOW).find((verdict) => verdict.name === "stuck");

const condition = (type: string, status: "True" | "False" | "Unknown", message = "", reason = "") => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: NOW - 1_200_000,
});
const stuck = (overrides: Parameters<typeof aPod>[0] = {}, says?: string): PodRecord =>
  aPod({
    name: "stuck",
    ...(says === undefined
      ? {}
      : { conditions: [condition("PodScheduled", "False", says, "Unschedulable")] }),
    ...overrides,
  });
const holder = (node: string, gpus: number, overrides: Parameters<typeof aPod>[0] = {}) =>
  aPod({ nodeName: node, gpus, ...overrides });
const toleration = (key: string, value: string, effect = "") => ({ key, operator: "Equal", value, effect });
const taint = (key: string, value = "", effect: "NoSchedule" | "NoExecute" = "NoSchedule") => ({
  key,
  value,
  effect,
  timeAdded: NOW - 3_600_000,
});
const notReady = [condition("Ready", "Unknown", "Kubelet stopped posting node status.", "NodeStatusUnknown")];
const INSUFFICIENT = "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.";

const gpuMissing = (name: string, gpus: number, of: number): NodeRecord => {
  const whole = aNode({ gpus: of });
  const resources = { ...whole.capacity, "nvidia.com/gpu": gpus };
  if (gpus === 0) delete (resources as Record<string, number>)["nvidia.com/gpu"];
  return {
    ...whole,
    name,
    labels: { "nvidia.com/gpu.count": `${of}` },
    capacity: resources,
    allocatable: resources,
  };
};
const unhealthy = (name: string, allocatable: number): NodeRecord => {
  const node = aNode({ name });
  return { ...node, allocatable: { ...node.allocatable, "nvidia.com/gpu": allocatable } };
};
const plugin = (node: string, state: Parameters<typeof aContainer>[0]) =>
  aPod({
    namespace: "kube-system",
    name: "nvidia-device-plugin-daemonset-x8z2m",
    gpus: 0,
    nodeName: node,
    system: "daemonset",
    containers: [aContainer(state)],
  });
const crashing = {
  ready: false,
  restarts: 14,
  state: { kind: "waiting", reason: "CrashLoopBackOff", message: "back-off 5m0s" },
  lastTermination: {
    exitCode: 1,
    reason: "Error",
    message: "no driver",
    startedAt: undefined,
    finishedAt: NOW - 120_000,
  },
} as const;

interface Row {
  readonly title: string;
  readonly cluster: Cluster;
  readonly reason: Reason;
  readonly certainty?: Certainty;
  readonly says?: RegExp;
}

const UNPLACED: readonly Row[] = [
  {
    title: "a scheduling gate",
    cluster: { nodes: [aNode()], pods: [stuck({ schedulingGates: ["kueue.x-k8s.io/admission"] })] },
    reason: "SchedulingGated",
    says: /kueue\.x-k8s\.io\/admission of Kueue/,
  },
  {
    title: "no node with accelerators at all",
    cluster: { nodes: [aNode({ gpus: 0 })], pods: [stuck()] },
    reason: "NoCapacitySource",
    says: /nothing offers nvidia\.com\/gpu/,
  },
  {
    title: "only accelerators of another vendor",
    cluster: { nodes: [aNode()], pods: [stuck({ gpuResource: "amd.com/gpu" })] },
    reason: "NoCapacitySource",
  },
  {
    title: "no node, and an autoscaler that makes one",
    cluster: {
      nodes: [aNode({ gpus: 0 })],
      pods: [stuck()],
      events: [
        anEvent({
          about: { kind: "Pod", namespace: "ml", name: "stuck", uid: "" },
          reason: "TriggeredScaleUp",
          component: "cluster-autoscaler",
        }),
      ],
    },
    reason: "NodeLaunching",
    certainty: "high",
  },
  {
    title: "an active reservation with empty slots and no machine",
    cluster: { pods: [stuck({ gpus: 8 })], reservations: [aReservation({ id: "cr-1", count: 2 })] },
    reason: "CapacityNotLaunched",
    certainty: "high",
    says: /2 paid slots of cr-1/,
  },
  {
    title: "every node busy and a paid slot empty",
    cluster: {
      nodes: [aNode({ name: "a", labels: { pool: "cr-1" } })],
      pods: [holder("a", 8), stuck({ gpus: 8 }, INSUFFICIENT)],
      reservations: [aReservation({ id: "cr-1", count: 2 })],
    },
    reason: "CapacityNotLaunched",
    says: /1 paid slot of cr-1/,
  },
  {
    title: "empty slots of which nobody knows the labels that the pod selects",
    cluster: {
      pods: [stuck({ nodeSelector: { team: "vision" } })],
      reservations: [aReservation({ id: "cr-1" })],
    },
    reason: "CapacityNotLaunched",
    certainty: "medium",
  },
  {
    title: "empty slots that are too small",
    cluster: { pods: [stuck({ gpus: 8 })], reservations: [aReservation({ gpusPerInstance: 4 })] },
    reason: "NoCapacitySource",
  },
  {
    title: "empty slots of another model than the pod selects",
    cluster: {
      nodes: [aNode({ name: "a", gpus: 4 })],
      pods: [stuck({ gpus: 4, nodeSelector: { "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB" } })],
      reservations: [aReservation({ id: "cr-1" })],
    },
    reason: "RequestNeverFits",
  },
  {
    title: "a reservation that starts later",
    cluster: {
      pods: [stuck({ gpus: 8 })],
      reservations: [aReservation({ id: "cr-1", start: NOW + 86_400_000 })],
    },
    reason: "ReservationNotStarted",
    says: /starts at 2026-12-02 12:00 UTC/,
  },
  {
    title: "a reservation that has ended",
    cluster: { pods: [stuck()], reservations: [aReservation({ id: "cr-1", end: NOW - 3_600_000 })] },
    reason: "ReservationEnded",
    says: /ended at 11:00 UTC/,
  },
  {
    title: "a reservation whose hosts the provider reports as broken",
    cluster: { pods: [stuck()], reservations: [aReservation({ id: "cr-1", count: 1, broken: 1 })] },
    reason: "ReservationNotUsable",
  },
  {
    title: "a reservation that is in use elsewhere",
    cluster: { pods: [stuck()], reservations: [aReservation({ id: "cr-1", count: 1, used: 1 })] },
    reason: "ReservationExhausted",
  },
  {
    title: "more GPUs than any node has",
    cluster: {
      nodes: [aNode({ name: "a" }), aNode({ name: "b" })],
      pods: [stuck({ gpus: 16 }, INSUFFICIENT)],
    },
    reason: "RequestNeverFits",
    certainty: "high",
    says: /each of 2 nodes has at most 8 GPUs/,
  },
  {
    title: "a selector that no GPU node matches",
    cluster: { nodes: [aNode({ name: "a" })], pods: [stuck({ nodeSelector: { pool: "b" } })] },
    reason: "RequestNeverFits",
    says: /a does not match pool=b/,
  },
  {
    title: "a dedicated taint that it does not tolerate, though a cordoned node carries it too",
    cluster: {
      nodes: [aNode({ name: "a", taints: [taint("dedicated", "research")], unschedulable: true })],
      pods: [stuck({ tolerations: [toleration("dedicated", "prod")] })],
    },
    reason: "RequestNeverFits",
    says: /carries taint dedicated=research:NoSchedule/,
  },
  {
    title: "a missing toleration, whatever reservation has ended",
    cluster: {
      nodes: [aNode({ name: "a", taints: [taint("nvidia.com/gpu")] })],
      pods: [stuck()],
      reservations: [aReservation({ end: NOW - 1 })],
    },
    reason: "RequestNeverFits",
  },
  {
    title: "more CPU than a GPU node has",
    cluster: {
      nodes: [aNode({ name: "a" })],
      pods: [stuck({ requests: { cpu: 96_000, "nvidia.com/gpu": 1, pods: 1 } })],
    },
    reason: "RequestNeverFits",
    says: /a has at most 64 CPUs/,
  },
  {
    title: "a taint on the one node that it selects, whatever the other nodes are",
    cluster: {
      nodes: [
        aNode({ name: "a", labels: { pool: "x" }, taints: [taint("dedicated", "", "NoExecute")] }),
        aNode({ name: "b" }),
        aNode({ name: "c" }),
      ],
      pods: [stuck({ nodeSelector: { pool: "x" } })],
    },
    reason: "RequestNeverFits",
    says: /as it is written: a carries taint dedicated:NoExecute, which it does not tolerate\.$/,
  },
  {
    title: "whole GPUs where all are partitioned",
    cluster: {
      nodes: [
        aNode({ name: "a", gpuResource: "nvidia.com/mig-3g.40gb", labels: { "nvidia.com/gpu.count": "8" } }),
      ],
      pods: [stuck()],
    },
    reason: "RequestNeverFits",
    says: /a does not advertise nvidia\.com\/gpu/,
  },
  ...(
    [
      ["failed", "all-3g.40gb", "GpuNotAdvertised"],
      ["pending", "half-and-half", "GpuNotAdvertised"],
      ["failed", "all-1g.10gb", "RequestNeverFits"],
      ["failed", "all-disabled", "RequestNeverFits"],
      ["success", "all-3g.40gb", "RequestNeverFits"],
    ] as const
  ).map(([state, layout, reason]) => ({
    title: `a MIG device where the layout ${layout} is ${state}`,
    cluster: {
      nodes: [aNode({ labels: { "nvidia.com/mig.config": layout, "nvidia.com/mig.config.state": state } })],
      pods: [stuck({ gpuResource: "nvidia.com/mig-3g.40gb" })],
    },
    reason,
  })),
  {
    title: "a MIG device where GPUs are not partitioned",
    cluster: { nodes: [aNode({ name: "a" })], pods: [stuck({ gpuResource: "nvidia.com/mig-3g.40gb" })] },
    reason: "RequestNeverFits",
    says: /a does not advertise nvidia\.com\/mig-3g\.40gb/,
  },
  {
    title: "a NotReady node that would have room",
    cluster: {
      nodes: [
        aNode({ name: "a" }),
        aNode({
          name: "b",
          conditions: notReady,
          taints: [taint("node.kubernetes.io/unreachable", "", "NoExecute")],
        }),
      ],
      pods: [
        holder("a", 8),
        stuck(
          { gpus: 8 },
          "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.",
        ),
      ],
    },
    reason: "NodeNotReady",
    certainty: "high",
    says: /would fit on b, which is NotReady \(NodeStatusUnknown\) since 11:40 UTC/,
  },
  {
    title: "a NotReady node among free ones is not what is wrong",
    cluster: { nodes: [aNode(), aNode({ conditions: notReady })], pods: [stuck()] },
    reason: "SchedulerDelay",
    certainty: "low",
  },
  {
    title: "a NotReady node that is full is not what is wrong",
    cluster: {
      nodes: [aNode({ name: "a" }), aNode({ name: "b", conditions: notReady })],
      pods: [holder("a", 8), holder("b", 8), stuck({}, INSUFFICIENT)],
    },
    reason: "GpusBusy",
  },
  {
    title: "the only node is NotReady, and its GPUs are requested",
    cluster: { nodes: [aNode({ name: "b", conditions: notReady })], pods: [holder("b", 8), stuck()] },
    reason: "NodeNotReady",
    certainty: "medium",
    says: /can only run on b/,
  },
  {
    title: "a cordoned node that would have room",
    cluster: { nodes: [aNode({ name: "a", unschedulable: true })], pods: [stuck()] },
    reason: "NodeCordoned",
    says: /a, which is cordoned/,
  },
  {
    title: "a maintenance taint",
    cluster: {
      nodes: [aNode({ name: "a", taints: [taint("node.kubernetes.io/out-of-service", "", "NoExecute")] })],
      pods: [stuck()],
    },
    reason: "NodeCordoned",
    says: /carries taint node\.kubernetes\.io\/out-of-service since 11:00 UTC/,
  },
  {
    title: "a cordon that the pod tolerates",
    cluster: {
      nodes: [aNode({ unschedulable: true })],
      pods: [stuck({ tolerations: [{ key: "", operator: "Exists", value: "", effect: "" }] })],
    },
    reason: "SchedulerDelay",
  },
  {
    title: "a machine with GPUs that advertises none",
    cluster: { nodes: [gpuMissing("a", 0, 8)], pods: [stuck({}, INSUFFICIENT)] },
    reason: "GpuNotAdvertised",
    certainty: "high",
    says: /a, which is Ready and has 8 GPUs but advertises none/,
  },
  {
    title: "a machine that advertises fewer than it has",
    cluster: { nodes: [gpuMissing("a", 4, 8)], pods: [stuck({ gpus: 8 }, INSUFFICIENT)] },
    reason: "GpuNotAdvertised",
    says: /advertises only 4/,
  },
  {
    title: "a machine that only a label calls a GPU machine",
    cluster: {
      nodes: [aNode({ name: "a", gpus: 0, labels: { accelerator: "nvidia-tesla-v100" } })],
      pods: [stuck({}, INSUFFICIENT)],
    },
    reason: "GpuNotAdvertised",
    certainty: "medium",
  },
  {
    title: "a crashing device plugin",
    cluster: { nodes: [gpuMissing("a", 0, 8)], pods: [plugin("a", crashing), stuck({}, INSUFFICIENT)] },
    reason: "DevicePluginDown",
    says: /kube-system\/nvidia-device-plugin-daemonset-x8z2m does not run/,
  },
  {
    title: "a device plugin that runs and advertises none",
    cluster: { nodes: [gpuMissing("a", 0, 8)], pods: [plugin("a", {}), stuck({}, INSUFFICIENT)] },
    reason: "GpuNotAdvertised",
  },
  {
    title: "unhealthy GPUs",
    cluster: { nodes: [unhealthy("a", 6)], pods: [stuck({ gpus: 8 }, INSUFFICIENT)] },
    reason: "GpuUnhealthy",
    says: /where 2 of 8 GPUs are unhealthy/,
  },
  {
    title: "a device plugin that is gone: the kubelet keeps the capacity for a while",
    cluster: { nodes: [unhealthy("a", 0)], pods: [plugin("a", crashing), stuck({ gpus: 8 }, INSUFFICIENT)] },
    reason: "DevicePluginDown",
    says: /where 8 of 8 GPUs are unhealthy: kube-system\/nvidia-device-plugin-daemonset-x8z2m does not run/,
  },
  {
    title: "some unhealthy GPUs beside a plugin that crashes for another reason",
    cluster: { nodes: [unhealthy("a", 6)], pods: [plugin("a", crashing), stuck({ gpus: 8 }, INSUFFICIENT)] },
    reason: "GpuUnhealthy",
  },
  {
    title: "the loss that makes most room, of two",
    cluster: {
      nodes: [gpuMissing("a", 0, 8), aNode({ name: "b", gpus: 16, conditions: notReady })],
      pods: [stuck({ gpus: 8 }, INSUFFICIENT)],
    },
    reason: "NodeNotReady",
    says: /would fit on b/,
  },
  {
    title: "room for one of three pods that wait alike",
    cluster: {
      nodes: [gpuMissing("a", 0, 8)],
      pods: [stuck({ gpus: 8 }, INSUFFICIENT), aPod({ gpus: 8 }), aPod({ gpus: 8 })],
    },
    reason: "GpuNotAdvertised",
    certainty: "medium",
  },
  {
    title: "all GPUs taken",
    cluster: {
      nodes: [aNode({ name: "a", labels: { "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3" } })],
      pods: [holder("a", 6, { name: "big" }), holder("a", 2, { name: "small" }), stuck({}, INSUFFICIENT)],
    },
    reason: "GpusBusy",
    certainty: "high",
    says: /all 8 H100 GPUs on a, the only node that fits, are taken by ml\/big \(6\) and ml\/small \(2\)/,
  },
  {
    title: "all GPUs taken, while the scheduler says something else",
    cluster: {
      nodes: [aNode({ name: "a" })],
      pods: [holder("a", 8), stuck({}, "0/1 nodes are available: 1 odd.")],
    },
    reason: "GpusBusy",
    certainty: "medium",
  },
  {
    title: "a crashing pod that holds the GPU",
    cluster: {
      nodes: [aNode({ name: "a", gpus: 1 })],
      pods: [holder("a", 1, { name: "bad", containers: [aContainer(crashing)] }), stuck()],
    },
    reason: "GpusBusy",
    says: /ml\/bad only crash-loops/,
  },
  {
    title: "a pod that does not end and holds the GPU",
    cluster: {
      nodes: [aNode({ name: "a", gpus: 1 })],
      pods: [holder("a", 1, { name: "bad", deletedAt: NOW - 3_600_000 }), stuck()],
    },
    reason: "GpusBusy",
    says: /ml\/bad should have ended since 11:00 UTC and still holds its own/,
  },
  {
    title: "a pod that is about to end and holds the GPU",
    cluster: {
      nodes: [aNode({ name: "a", gpus: 1 })],
      pods: [holder("a", 1, { name: "good", deletedAt: NOW - 10_000 }), stuck()],
    },
    reason: "GpusBusy",
    says: /taken by ml\/good \(1\)\.$/,
  },
  {
    title: "free GPUs kept for a nominated pod of higher priority",
    cluster: {
      nodes: [aNode({ name: "a", gpus: 1 })],
      pods: [aPod({ name: "first", priority: 9, nominatedNodeName: "a" }), stuck()],
    },
    reason: "GpusBusy",
  },
  {
    title: "its own nomination does not stand in its way",
    cluster: { nodes: [aNode({ name: "a", gpus: 1 })], pods: [stuck({ nominatedNodeName: "a" })] },
    reason: "SchedulerDelay",
  },
  {
    title: "a nominated pod of lower priority keeps nothing",
    cluster: {
      nodes: [aNode({ name: "a", gpus: 1 })],
      pods: [aPod({ name: "first", priority: -1, nominatedNodeName: "a" }), stuck()],
    },
    reason: "SchedulerDelay",
  },
  {
    title: "just enough GPUs in sum only",
    cluster: {
      nodes: [aNode({ name: "a" }), aNode({ name: "b" })],
      pods: [holder("a", 4), holder("b", 4), stuck({ gpus: 8 }, INSUFFICIENT)],
    },
    reason: "GpusFragmented",
  },
  {
    title: "enough GPUs in sum only",
    cluster: {
      nodes: [aNode({ name: "a" }), aNode({ name: "b" })],
      pods: [holder("a", 4), holder("b", 5), stuck({ gpus: 6 }, INSUFFICIENT)],
    },
    reason: "GpusFragmented",
    certainty: "high",
    says: /7 GPUs are free over 2 nodes, but no node has more than 4 free/,
  },
  {
    title: "free GPUs and too little CPU",
    cluster: {
      nodes: [aNode({ name: "a" })],
      pods: [
        holder("a", 4, { requests: { cpu: 60_000, "nvidia.com/gpu": 4, pods: 1 } }),
        stuck(
          { requests: { cpu: 16_000, "nvidia.com/gpu": 4, pods: 1 } },
          "0/1 nodes are available: 1 Insufficient cpu.",
        ),
      ],
    },
    reason: "OtherResourcesExhausted",
    certainty: "high",
    says: /a has 4 GPUs free, but only 4 CPUs of the 16 CPUs that it asks for/,
  },
  {
    title: "a volume in another zone",
    cluster: {
      nodes: [aNode({ name: "a" })],
      pods: [
        stuck(
          { volumeClaims: ["home"] },
          "0/1 nodes are available: 1 node(s) had volume node affinity conflict.",
        ),
      ],
    },
    reason: "VolumeZoneConflict",
    certainty: "medium",
    says: /would fit on a, but home/,
  },
  {
    title: "its own pod affinity",
    cluster: {
      nodes: [aNode({ name: "a" })],
      pods: [
        stuck(
          {
            hasPodPlacementRules: true,
            podAffinity: [
              {
                topologyKey: "kubernetes.io/hostname",
                selector: [{ key: "app", operator: "In", values: ["helper"] }],
                namespaces: [],
              },
            ],
          },
          "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.",
        ),
      ],
    },
    reason: "TopologyUnsatisfied",
    certainty: "high",
  },
  {
    title: "the anti-affinity of other pods",
    cluster: {
      nodes: [aNode()],
      pods: [
        stuck({}, "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules."),
      ],
    },
    reason: "TopologyUnsatisfied",
    certainty: "medium",
  },
  {
    title: "a scheduler that nobody runs",
    cluster: { nodes: [aNode()], pods: [stuck({ schedulerName: "volcano", conditions: [] })] },
    reason: "SchedulerAbsent",
    says: /“volcano”/,
  },
  {
    title: "a scheduler of its own that has placed others",
    cluster: {
      nodes: [aNode({ name: "a" })],
      pods: [
        holder("a", 1, { schedulerName: "volcano" }),
        stuck({ schedulerName: "volcano", conditions: [] }),
      ],
    },
    reason: "SchedulerDelay",
  },
];

describe("a pod that no node has", () => {
  it.each(UNPLACED)("$title: $reason", ({ cluster, reason, certainty, says }) => {
    const verdict = verdictOn(cluster);
    expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty && { certainty }) });
    if (says) expect(verdict?.sentence).toMatch(says);
  });
});
