import { expect, test } from "vitest";
import type { EventRecord } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import { aNodeGroup } from "../../testing/autoscaler-builders.ts";
import { aContainer, aNode, aPod, NOW } from "../../testing/builders.ts";
import { eventOf, type LaunchCluster, launchFleet, STUCK } from "../../testing/launch-cluster.ts";
import { diagnose } from "../diagnose.ts";
import type { Certainty } from "../verdict.ts";

const notTriggered = (reasons: string): EventRecord =>
  eventOf(STUCK, "NotTriggerScaleUp", `pod didn't trigger scale-up: ${reasons}`, 1, "cluster-autoscaler");
const lacks = notTriggered("2 Insufficient nvidia.com/gpu");
const core = aNodeGroup({ name: "core-asg", target: 2, registered: 2, max: 6 });
const empty = (name: string, overrides = {}) =>
  aNodeGroup({ name, target: 0, registered: 0, max: 4, ...overrides });
const aCpuNode = (pool?: string) =>
  aNode({ gpus: 0, labels: pool === undefined ? {} : { "eks.amazonaws.com/nodegroup": pool } });
const aController = (state: Parameters<typeof aContainer>[0]) =>
  aPod({
    name: "cluster-autoscaler-7d",
    namespace: "kube-system",
    gpus: 0,
    nodeName: "n",
    phase: "Running",
    containers: [aContainer(state)],
  });
const crashing = aController({
  ready: false,
  restarts: 9,
  state: { kind: "waiting", reason: "CrashLoopBackOff", message: "" },
});
const busyGroup = {
  nodes: [aNode({ name: "busy", gpus: 1, labels: { "eks.amazonaws.com/nodegroup": "ml" } })],
  pods: [aPod({ nodeName: "busy", gpus: 1 })],
};

const CA_LOGS = [
  "Pod ml/stuck can't be scheduled on eks-core, predicate checking error: Insufficient nvidia.com/gpu; predicateName=NodeResourcesFit",
  "Pod ml/stuck can't be scheduled on eks-gpu-t4, predicate checking error: Insufficient nvidia.com/gpu; predicateName=NodeResourcesFit",
].join("\n");
const OLD_CA_LOGS =
  "cannot put ml/stuck on template-node-for-gpus.k8s.local-5829202798403814789, reason: Insufficient nvidia.com/gpu";

interface Row {
  readonly logs?: string;
  readonly title: string;
  readonly cluster: LaunchCluster;
  readonly reason: Reason;
  readonly certainty?: Certainty;
  readonly says?: RegExp;
}

const ROWS: readonly Row[] = [
  ...["eks-gpu-1a", "g4dn-spot", "pool-nc24ads", "a100.k8s.cluster", "nvidia-nodes"].map(
    (name): Row => ({
      title: `${name} is empty, and taken for one without GPUs`,
      cluster: { events: [lacks], groups: [core, empty(name)] },
      reason: "AutoscalerNotActing",
      certainty: "medium",
      says: /0 of at most 4 nodes\) is not grown/,
    }),
  ),
  {
    title: "an empty group of the name that the pod selects",
    cluster: {
      events: [lacks],
      groups: [core, empty("workers-trainer")],
      pod: { nodeSelector: { role: "trainer" } },
    },
    reason: "AutoscalerNotActing",
  },
  {
    title: "several devices, which its machines may not have",
    cluster: { events: [lacks], groups: [core, empty("eks-gpu")], pod: { gpus: 8 } },
    reason: "AutoscalerNotActing",
    certainty: "low",
  },
  {
    title: "an empty group of other hardware",
    cluster: { events: [lacks], groups: [core, empty("highmem"), empty("mi300-pool")] },
    reason: "NoCapacitySource",
  },
  {
    title: "the GPU group is at its largest size",
    cluster: { events: [lacks], groups: [core, empty("eks-gpu", { max: 0 })] },
    reason: "NoCapacitySource",
  },
  {
    title: "a group with the labels that no node has",
    cluster: {
      events: [
        notTriggered("1 Insufficient nvidia.com/gpu, 1 node(s) didn't match Pod's node affinity/selector"),
      ],
      pod: { nodeSelector: { role: "trainer" } },
      nodes: [aCpuNode()],
    },
    reason: "AutoscalerNotActing",
    certainty: "medium",
  },
  {
    title: "more groups than have nodes",
    cluster: { events: [lacks], nodes: [aCpuNode("core")] },
    reason: "AutoscalerNotActing",
    certainty: "low",
  },
  {
    title: "as many groups as have nodes",
    cluster: { events: [lacks], nodes: [aCpuNode("core"), aCpuNode("web")] },
    reason: "NoCapacitySource",
  },
  {
    title: "its nodes are taken, it may grow, and the autoscaler thinks that it has no GPUs",
    cluster: {
      ...busyGroup,
      events: [lacks],
      groups: [aNodeGroup({ name: "eks-ml-7", target: 1, registered: 1, max: 4 })],
    },
    reason: "AutoscalerNotActing",
    certainty: "medium",
  },
  {
    title: "the autoscaler crashes, and the group may grow",
    cluster: {
      ...busyGroup,
      pods: [...busyGroup.pods, crashing],
      groups: [aNodeGroup({ name: "eks-ml-7", target: 1, registered: 1, max: 4 })],
    },
    reason: "AutoscalerNotActing",
    certainty: "high",
    says: /cluster-autoscaler-7d does not run \(CrashLoopBackOff, 9 restarts\)/,
  },
  {
    title: "the autoscaler crashes, and the group may not grow",
    cluster: {
      ...busyGroup,
      pods: [...busyGroup.pods, crashing],
      groups: [aNodeGroup({ name: "eks-ml-7", target: 1, registered: 1, max: 1 })],
    },
    reason: "GpusBusy",
  },
  {
    title: "the autoscaler works and says nothing",
    cluster: {
      ...busyGroup,
      pods: [...busyGroup.pods, aController({ ready: true })],
      groups: [aNodeGroup({ name: "eks-ml-7", target: 1, registered: 1, max: 4 })],
    },
    reason: "GpusBusy",
  },
  ...[
    "E1201 11:58:40.300000 1 static_autoscaler.go:610] Failed to scale up: could not create quota tracker: node x has a GPU label but no GPU",
    "E1201 11:58:40.300000 1 static_autoscaler.go:350] Failed to get node infos for groups: unable to find a template",
    "E1201 11:58:40.300000 1 static_autoscaler.go:288] Failed to update cluster state: missing node group",
  ].map(
    (logs): Row => ({
      title: `its rounds end with an error (${logs.slice(50, 80)})`,
      cluster: {
        ...busyGroup,
        pods: [...busyGroup.pods, aController({ ready: true })],
        groups: [aNodeGroup({ name: "eks-ml-7", target: 1, registered: 1, max: 4 })],
      },
      logs,
      reason: "AutoscalerNotActing",
      certainty: "high",
      says: /ends every round with an error/,
    }),
  ),
  ...[
    "E1201 11:20:40.300000 1 static_autoscaler.go:610] Failed to scale up: something",
    "E1201 11:58:40.300000 1 static_autoscaler.go:610] Failed to scale up: something\nI1201 11:58:51.000000 1 orchestrator.go:150] No expansion options",
    "I1201 11:58:40.300000 1 static_autoscaler.go:610] Failed to scale up: something",
  ].map(
    (logs): Row => ({
      title: `a round that ended with an error and is over (${logs.length})`,
      cluster: {
        ...busyGroup,
        pods: [...busyGroup.pods, aController({ ready: true })],
        groups: [aNodeGroup({ name: "eks-ml-7", target: 1, registered: 1, max: 4 })],
      },
      logs,
      reason: "GpusBusy",
    }),
  ),
  {
    title: "only its log names the group",
    cluster: {
      events: [notTriggered("2 Insufficient nvidia.com/gpu")],
      pods: [aController({ ready: true })],
    },
    logs: CA_LOGS,
    reason: "AutoscalerNotActing",
    certainty: "medium",
    says: /eks-gpu-t4 is not grown/,
  },
  {
    title: "an early version that gives no reasons, and its log",
    cluster: {
      events: [
        eventOf(
          STUCK,
          "NotTriggerScaleUp",
          "pod didn't trigger scale-up (it wouldn't fit if a new node is added)",
          1,
          "cluster-autoscaler",
        ),
      ],
      pods: [aController({ ready: true })],
    },
    logs: OLD_CA_LOGS,
    reason: "AutoscalerNotActing",
    says: /gpus.k8s.local is not grown/,
  },
  {
    title: "the autoscaler crashes where no node has a GPU",
    cluster: { pods: [crashing], nodes: [aCpuNode()] },
    reason: "AutoscalerNotActing",
    certainty: "medium",
  },
];

test.each(ROWS)("$title: $reason", ({ cluster, logs, reason, certainty, says }) => {
  const verdict = diagnose(launchFleet(cluster), NOW, () => logs).find(({ name }) => name === "stuck");
  expect(verdict?.reason).toBe(reason);
  if (certainty !== undefined) expect(verdict?.certainty).toBe(certainty);
  if (says !== undefined) expect(verdict?.sentence).toMatch(says);
});
