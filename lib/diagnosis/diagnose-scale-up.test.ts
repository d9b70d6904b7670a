import { expect, test } from "vitest";
import { layerOf, type Reason } from "../model/reasons.ts";
import { aNodeGroup } from "../testing/autoscaler-builders.ts";
import { aContainer, aPod, NOW } from "../testing/builders.ts";
import { BUSY, eventOf, type LaunchCluster, launchFleet, STUCK } from "../testing/launch-cluster.ts";
import { diagnose } from "./diagnose.ts";
import type { LogLookup } from "./question.ts";
import type { Certainty, Verdict } from "./verdict.ts";

interface Row {
  readonly title: string;
  readonly cluster: LaunchCluster;
  readonly logs?: LogLookup;
  readonly reason: Reason;
  readonly certainty?: Certainty;
  readonly says?: RegExp;
}

function verdictOn(cluster: LaunchCluster, logs?: LogLookup): Verdict | undefined {
  return diagnose(launchFleet(cluster), NOW, logs).find(({ name }) => name === "stuck");
}

const minutesAgo = (minutes: number) => NOW - minutes * 60_000;
const onPod = (reason: string, message: string, minutes: number) =>
  eventOf(STUCK, reason, message, minutes, "cluster-autoscaler");

const grp = "https://www.googleapis.com/compute/v1/projects/p/zones/z/instanceGroups/gke-c-l4-1e9c44d0-grp";
const triggered = (minutes: number, group = "gpu-asg") =>
  onPod("TriggeredScaleUp", `pod triggered scale-up: [{${group} 0->1 (max: 4)}]`, minutes);
const notTriggered = (reasons: string, minutes = 1) =>
  onPod("NotTriggerScaleUp", `pod didn't trigger scale-up: ${reasons}`, minutes);
const onGroup = (reason: string, message: string, minutes: number) =>
  eventOf(
    { kind: "ConfigMap", namespace: "kube-system", name: "cluster-autoscaler-status", uid: "" },
    reason,
    message,
    minutes,
    "cluster-autoscaler",
  );

const CONTROLLER = aPod({
  namespace: "kube-system",
  name: "cluster-autoscaler-7d9f-x",
  gpus: 0,
  nodeName: "n",
  containers: [aContainer({ name: "ca" })],
});
const logged =
  (text: string): LogLookup =>
  (_, pod) =>
    pod.startsWith("cluster-autoscaler") ? text : undefined;
const OVER_QUOTA =
  'E1201 11:46:00.1 1 azure_scale_set.go:256] CreateOrUpdate for scale set "gpu-vmss" failed: Code="OperationNotAllowed" Message="The operation couldn\'t be completed as it results in exceeding quota limit of standardNCSv3Family Cores."';

const ROWS: readonly Row[] = [
  {
    title: "GKE meets a quota",
    cluster: {
      events: [
        triggered(20, grp),
        onPod(
          "FailedScaleUp",
          "Node scale up in zones z associated with this pod failed: GCE quota exceeded. Pod is at risk of not being scheduled.",
          18,
        ),
        notTriggered("1 in backoff after failed scale-up, 1 node(s) had untolerated taint {a: b}"),
      ],
    },
    reason: "QuotaExceeded",
    certainty: "high",
  },
  {
    title: "a refusal of long ago, and a largest size since",
    cluster: {
      ...BUSY,
      events: [
        onPod("FailedScaleUp", "Node scale up in zones z failed: GCE out of resources.", 50),
        notTriggered("1 max node group size reached"),
      ],
    },
    reason: "AutoscalerLimitReached",
  },
  {
    title: "a refusal of long ago, and a group that still backs off",
    cluster: {
      ...BUSY,
      events: [
        onPod("FailedScaleUp", "Node scale up in zones z failed: GCE out of resources.", 50),
        notTriggered("1 max node group size reached, 1 in backoff after failed scale-up"),
      ],
    },
    reason: "CloudStockout",
  },
  {
    title: "the cluster is full, told to the pod without a count",
    cluster: { ...BUSY, events: [notTriggered("max total nodes in cluster reached")] },
    reason: "AutoscalerLimitReached",
  },
  {
    title: "the cluster is full, told of the cluster only",
    cluster: {
      ...BUSY,
      events: [onGroup("MaxNodesTotalReached", "Max total nodes in cluster reached: 20", 1)],
    },
    reason: "AutoscalerLimitReached",
    says: /may not have more nodes \(Max total nodes/,
  },
  {
    title: "the cluster was full an hour ago",
    cluster: {
      ...BUSY,
      events: [onGroup("MaxNodesTotalReached", "Max total nodes in cluster reached: 20", 60)],
    },
    reason: "GpusBusy",
  },
  {
    title: "a group without a status, known by its failure alone",
    cluster: {
      events: [
        notTriggered("1 in backoff after failed scale-up"),
        onGroup(
          "FailedToScaleUpGroup",
          "Scale-up failed for group eks-gpu: AccessDenied: User: x is not authorized to perform: autoscaling:SetDesiredCapacity",
          3,
        ),
      ],
    },
    reason: "NodeLaunchFailed",
    says: /the launch of eks-gpu was refused/,
  },
  {
    title: "a TPU slice is out of stock",
    cluster: {
      pod: { gpuResource: "google.com/tpu", gpus: 4 },
      events: [
        triggered(6, grp),
        onPod(
          "FailedScaleUp",
          "Node scale up in zones us-central2-b associated with this pod failed: GCE out of resources. Pod is at risk of not being scheduled.",
          4,
        ),
      ],
    },
    reason: "CloudStockout",
  },
  {
    title: "addresses are used up",
    cluster: {
      events: [
        onPod(
          "FailedScaleUp",
          "Node scale up in zones z associated with this pod failed: IP space exhausted.",
          4,
        ),
      ],
    },
    reason: "NodeLaunchFailed",
  },
  {
    title: "a failure whose message says nothing",
    cluster: {
      events: [
        onPod(
          "FailedScaleUp",
          "Node scale up in zones z associated with this pod failed: Internal error.",
          4,
        ),
      ],
    },
    reason: "NodeLaunchFailed",
    certainty: "medium",
  },
  {
    title: "a node group that backs off, with the reason in its status",
    cluster: {
      groups: [
        aNodeGroup({
          scaleUp: "Backoff",
          scaleUpSince: minutesAgo(5),
          backoff: { code: "OutOfResource.ZONE_RESOURCE_POOL_EXHAUSTED", message: "" },
        }),
      ],
      events: [notTriggered("1 in backoff after failed scale-up")],
    },
    reason: "CloudStockout",
  },
  {
    title: "the reason only in the autoscaler's log",
    cluster: { pods: [CONTROLLER], events: [triggered(14)] },
    logs: (_, pod, container) =>
      pod.startsWith("cluster-autoscaler") && container === "ca"
        ? "I1201 11:46:00.1 1 executor.go:166] Scale-up: setting group gpu-asg size to 1\nW1201 11:48:24.4 1 clusterstate.go:299] Disabling scale-up for node group gpu-asg until 12:08; errorClass=OutOfResource; errorCode=placeholder-cannot-be-fulfilled"
        : undefined,
    reason: "CloudStockout",
  },
  {
    title: "a group that backs off and that only the log of the autoscaler names",
    cluster: {
      ...BUSY,
      pods: [...(BUSY.pods ?? []), CONTROLLER],
      events: [notTriggered("1 Insufficient nvidia.com/gpu, 1 in backoff after failed scale-up")],
    },
    logs: logged(OVER_QUOTA),
    reason: "QuotaExceeded",
  },
  {
    title: "two refusals of different kinds in that log",
    cluster: {
      ...BUSY,
      pods: [...(BUSY.pods ?? []), CONTROLLER],
      events: [notTriggered("1 Insufficient nvidia.com/gpu, 2 in backoff after failed scale-up")],
    },
    logs: logged(
      `${OVER_QUOTA}\nE1201 11:47:00.1 1 azure_scale_set.go:256] cpu-vmss failed: AllocationFailed`,
    ),
    reason: "AutoscalerNotActing",
    certainty: "low",
  },
  {
    title: "a scale-up under way",
    cluster: { events: [triggered(5)] },
    reason: "NodeLaunching",
  },
  {
    title: "machines that never joined",
    cluster: {
      events: [
        triggered(30),
        onGroup("ScaleUpTimedOut", "Nodes added to group gpu-asg failed to register within 15m2s", 14),
      ],
    },
    reason: "NodeNotRegistered",
  },
  {
    title: "a machine asked for half an hour ago, and none there",
    cluster: { groups: [aNodeGroup({ target: 1 })], events: [triggered(30)] },
    reason: "NodeNotRegistered",
    certainty: "medium",
  },
  {
    title: "the largest size is reached",
    cluster: {
      ...BUSY,
      groups: [aNodeGroup({ target: 4, max: 4, registered: 4 })],
      events: [
        notTriggered("1 max node group size reached, 2 node(s) didn't match Pod's node affinity/selector"),
      ],
    },
    reason: "AutoscalerLimitReached",
    certainty: "high",
    says: /gpu-asg \(4 of at most 4 nodes\) may not grow/,
  },
  {
    title: "the largest size is reached, no status to be read",
    cluster: { ...BUSY, events: [notTriggered("1 max node group size reached")] },
    reason: "AutoscalerLimitReached",
    certainty: "medium",
  },
  {
    title: "the ceiling of the whole cluster",
    cluster: { ...BUSY, events: [notTriggered("2 max cluster cpu, memory limit reached")] },
    reason: "AutoscalerLimitReached",
    says: /max cluster cpu, memory limit reached/,
  },
  {
    title: "the largest size is said to be reached and is not",
    cluster: {
      groups: [aNodeGroup({ max: 1 })],
      events: [triggered(30), notTriggered("1 Insufficient nvidia.com/gpu, 1 max node group size reached")],
    },
    reason: "AutoscalerNotActing",
    certainty: "high",
    says: /gpu-asg is at 0 of at most 1 nodes/,
  },
  {
    title: "a node group that is not ready",
    cluster: { ...BUSY, events: [notTriggered("1 not ready for scale-up")] },
    reason: "AutoscalerNotActing",
  },
  {
    title: "no node group whose nodes would take it",
    cluster: {
      events: [notTriggered("2 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint {a: b}")],
    },
    reason: "NoCapacitySource",
    certainty: "high",
  },
  {
    title: "an old failure, and a later scale-up whose node another pod took",
    cluster: {
      ...BUSY,
      events: [
        onPod("FailedScaleUp", "failed: GCE out of resources.", 50),
        triggered(30),
        notTriggered("1 Insufficient nvidia.com/gpu"),
      ],
    },
    reason: "GpusBusy",
  },
  {
    title: "a group that backs off without a word, and the pod's own event that says why",
    cluster: {
      groups: [aNodeGroup({ scaleUp: "Backoff", scaleUpSince: minutesAgo(2) })],
      events: [
        triggered(20),
        onPod("FailedScaleUp", "failed: GCE quota exceeded.", 18),
        notTriggered("1 in backoff after failed scale-up"),
      ],
    },
    reason: "QuotaExceeded",
  },
  {
    title: "a failure, and a later scale-up that is under way",
    cluster: {
      events: [onPod("FailedScaleUp", "failed: GCE out of resources.", 20), triggered(3)],
    },
    reason: "NodeLaunching",
  },
];

test.each(ROWS)("$title: $reason", ({ cluster, logs, reason, certainty, says }) => {
  const verdict = verdictOn(cluster, logs);
  expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty ? { certainty } : {}) });
  if (says) expect(verdict?.sentence).toMatch(says);
  expect(verdict?.ladder[layerOf(reason)].state).toBe("broken");
  expect(verdict?.evidence.length).toBeGreaterThan(0);
});
