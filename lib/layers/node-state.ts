import type { NodeRecord, Taint } from "../model/kubernetes.ts";
import type { Blocked, Readiness } from "./fleet.ts";

/** Ready as the node controller sees it. https://kubernetes.io/docs/reference/node/node-status/#condition */
export function readinessOf(node: NodeRecord): Readiness {
  const condition = node.conditions.find((c) => c.type === "Ready");
  if (!condition) {
    return {
      ready: false,
      reason: "NoReadyCondition",
      message: "its status has no Ready condition",
      since: undefined,
    };
  }
  return {
    ready: condition.status === "True",
    reason: condition.reason,
    message: condition.message,
    since: condition.lastTransitionTime,
  };
}

/**
 * Taints that say "not now" and go away by themselves or with an operation, unlike taints that dedicate a node to
 * some pods. Exact keys, or prefixes that end in `/`.
 * https://kubernetes.io/docs/reference/labels-annotations-taints/ and each project's own docs.
 */
const LIFECYCLE_TAINTS = [
  "node.kubernetes.io/",
  "node.cloudprovider.kubernetes.io/",
  "karpenter.sh/",
  "karpenter.k8s.aws/",
  "ToBeDeletedByClusterAutoscaler",
  "cloud.google.com/impending-node-termination",
  "readiness.k8s.io/",
  "node.cluster.x-k8s.io/",
  "remediator.kubernetes.azure.com/",
  "sagemaker.amazonaws.com/node-health-status",
  "nidhogg.uswitch.com/",
  "startup-taint.cluster-autoscaler.kubernetes.io/",
  "status-taint.cluster-autoscaler.kubernetes.io/",
  "ignore-taint.cluster-autoscaler.kubernetes.io/",
  "aws-node-termination-handler/",
  "kubernetes.azure.com/scheduled-event",
  "node.cilium.io/agent-not-ready",
  "ebs.csi.aws.com/agent-not-ready",
  "efs.csi.aws.com/agent-not-ready",
  "kured.dev/",
  "sagemaker.amazonaws.com/node-health-status",
  "maintenance",
];

/** True for a taint of a node's life cycle (start-up, maintenance, disruption), false for one that dedicates it. */
export function isLifecycleTaint(key: string): boolean {
  if (LIFECYCLE_TAINTS.some((known) => (known.endsWith("/") ? key.startsWith(known) : key === known)))
    return true;
  return /(^|[/.-])(maintenance|repair|draining|drain|startup|startup-taint|upgrade-in-progress|not-ready|notready|unready|uninitialized|initializing|unhealthy|gpu-health|node-health|degraded|quarantined?|faulty|rebooting|driver-upgrade)$/.test(
    key,
  );
}

/** The same of one taint of a node: its pool may have said so too. */
export function isOfLifecycle({ key, startup }: Taint): boolean {
  return startup === true || isLifecycleTaint(key);
}

/** Why a Ready node takes no new pods; undefined where it does. */
export function blockedBy(node: NodeRecord): Blocked | undefined {
  const hard = node.taints.filter((taint) => taint.effect !== "PreferNoSchedule" && isOfLifecycle(taint));
  const cordon = hard.find((taint) => taint.key === "node.kubernetes.io/unschedulable");
  const other = hard.find((taint) => taint !== cordon);
  if (other) return { by: other.key, since: other.timeAdded ?? cordon?.timeAdded };
  if (node.unschedulable || cordon) return { by: "unschedulable", since: cordon?.timeAdded };
  if (node.deletedAt !== undefined) return { by: "deletion", since: node.deletedAt };
  return undefined;
}
