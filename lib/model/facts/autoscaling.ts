import type { Labels } from "../kubernetes.ts";
import type { FactObject } from "./fact-object.ts";

/** https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/provisioningrequest/README.md */
export interface ProvisioningRequestRecord extends FactObject {
  /** `check-capacity.autoscaling.x-k8s.io`, `queued-provisioning.gke.io` ... */
  readonly className: string;
  /** Pods that it asks room for, over all its pod sets. */
  readonly pods: number;
  /** What the autoscaler notes of how it is served: node group, zone ... */
  readonly details: Labels;
}

/** The ConfigMap kube-system/cluster-autoscaler-status. */
export interface AutoscalerStatusRecord extends FactObject {
  /** When the autoscaler wrote it. */
  readonly updatedAt: number | undefined;
  readonly groups: readonly NodeGroupStatus[];
}

/** One node group of Cluster Autoscaler; counts are undefined where the status does not say. */
export interface NodeGroupStatus {
  /** As the cloud names it: an Auto Scaling group, a scale set, the URL of an instance group. */
  readonly name: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Machines that the cloud is asked for. */
  readonly target: number | undefined;
  readonly registered: number | undefined;
  /** `NoActivity`, `InProgress`, `Backoff` ... */
  readonly scaleUp: string;
  readonly scaleUpSince: number | undefined;
  /** Why it backs off; undefined where it does not, or does not say. */
  readonly backoff: { readonly code: string; readonly message: string } | undefined;
}
