import type { EventRecord } from "../../model/kubernetes.ts";

/**
 * Kinds of autoscalers and queues: what they say of a try that failed is often all that is left of it, as where Karpenter
 * deletes a NodeClaim for which there is no capacity. https://karpenter.sh/docs/concepts/nodeclaims/
 */
const KINDS = new Set([
  ..."NodeClaim NodePool Provisioner Machine EC2NodeClass AKSNodeClass GCENodeClass NodeClass AWSNodeTemplate".split(
    " ",
  ),
  ..."ProvisioningRequest Workload ClusterQueue LocalQueue Cohort AdmissionCheck PodGroup Queue".split(" "),
]);

/** The cluster autoscaler says what it does in events about its status. https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md */
const AUTOSCALER_STATUS = "cluster-autoscaler-status";

/** Whether events about this object are kept for a day in any case. */
export function isRetainedKind({ kind, name }: EventRecord["about"]): boolean {
  return KINDS.has(kind) || (kind === "ConfigMap" && name === AUTOSCALER_STATUS);
}
