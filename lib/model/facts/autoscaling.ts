import type { FactObject } from "./fact-object.ts";

/** https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/provisioningrequest/README.md */
export interface ProvisioningRequestRecord extends FactObject {}

/** The ConfigMap kube-system/cluster-autoscaler-status. */
export interface AutoscalerStatusRecord extends FactObject {}
