import type {
  AutoscalerStatusRecord,
  NodeGroupStatus,
  ProvisioningRequestRecord,
} from "../model/facts/autoscaling.ts";
import type { FactObject } from "../model/facts/fact-object.ts";
import type { NodeClaimRecord, NodeClassRecord, NodePoolRecord } from "../model/facts/karpenter.ts";
import type { Condition, NodeSelectorRequirement } from "../model/kubernetes.ts";
import { NOW } from "./builders.ts";

let serial = 0;

function anObject(kind: string, apiVersion: string): FactObject {
  return {
    name: `${kind.toLowerCase()}-${++serial}`,
    uid: `fact-${serial}`,
    labels: {},
    createdAt: NOW - 86_400_000,
    deletedAt: undefined,
    problems: [],
    apiVersion,
    kind,
    namespace: "",
    owner: undefined,
    conditions: [],
  };
}

/** A condition that came `minutes` before NOW. */
export function aCondition(
  type: string,
  status: Condition["status"],
  minutes: number,
  reason = type,
  message = "",
): Condition {
  return { type, status, reason, message, lastTransitionTime: NOW - minutes * 60_000 };
}

/** `key In [values]` */
export function oneOf(key: string, ...values: readonly string[]): NodeSelectorRequirement {
  return { key, operator: "In", values };
}

/** A NodePool of AWS that makes g5.xlarge, one A10G each, without taints or limits. */
export function aNodePool(overrides: Partial<NodePoolRecord> = {}): NodePoolRecord {
  return {
    ...anObject("NodePool", "karpenter.sh/v1"),
    requirements: [oneOf("node.kubernetes.io/instance-type", "g5.xlarge")],
    templateLabels: {},
    taints: [],
    startupTaints: [],
    limits: {},
    used: undefined,
    nodeClass: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "gpu" },
    isStatic: false,
    ...overrides,
  };
}

/** A claim of the pool `gpu` that nothing has been done for yet. */
export function aNodeClaim(overrides: Partial<NodeClaimRecord> = {}): NodeClaimRecord {
  return {
    ...anObject("NodeClaim", "karpenter.sh/v1"),
    nodePool: "gpu",
    requests: {},
    instanceType: "g5.xlarge",
    providerId: undefined,
    nodeName: undefined,
    ...overrides,
  };
}

/** The ready node class `gpu`. */
export function aNodeClass(overrides: Partial<NodeClassRecord> = {}): NodeClassRecord {
  return {
    ...anObject("EC2NodeClass", "karpenter.k8s.aws/v1"),
    name: "gpu",
    conditions: [aCondition("Ready", "True", 1_000)],
    capacityReservations: [],
    ...overrides,
  };
}

/** A request of class queued-provisioning.gke.io for one pod. */
export function aProvisioningRequest(
  overrides: Partial<ProvisioningRequestRecord> = {},
): ProvisioningRequestRecord {
  return {
    ...anObject("ProvisioningRequest", "autoscaling.x-k8s.io/v1"),
    namespace: "ml",
    className: "queued-provisioning.gke.io",
    pods: 1,
    details: {},
    ...overrides,
  };
}

/** A node group of 0 of at most 4 nodes that does nothing. */
export function aNodeGroup(overrides: Partial<NodeGroupStatus> = {}): NodeGroupStatus {
  return {
    name: "gpu-asg",
    min: 0,
    max: 4,
    target: 0,
    registered: 0,
    scaleUp: "NoActivity",
    scaleUpSince: NOW - 7_200_000,
    backoff: undefined,
    ...overrides,
  };
}

/** kube-system/cluster-autoscaler-status with these groups. */
export function anAutoscalerStatus(...groups: readonly NodeGroupStatus[]): AutoscalerStatusRecord {
  const object = anObject("ConfigMap", "v1");
  return {
    ...object,
    name: "cluster-autoscaler-status",
    namespace: "kube-system",
    updatedAt: NOW - 10_000,
    groups,
  };
}
