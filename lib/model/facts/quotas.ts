import type { Resources } from "../kubernetes.ts";
import type { FactObject } from "./fact-object.ts";

/** https://kubernetes.io/docs/concepts/policy/resource-quotas/ */
export interface ResourceQuotaRecord extends FactObject {
  /** By the quota's own names, e.g. `requests.nvidia.com/gpu` or `limits.cpu`; amounts as `Resources` counts them. */
  readonly hard: Resources;
  readonly used: Resources;
  /** It only counts some pods, by their priority, lifetime or quality of service. */
  readonly isScoped: boolean;
}

/** https://kubernetes.io/docs/concepts/policy/limit-range/ */
export interface LimitRangeRecord extends FactObject {
  readonly limits: readonly LimitRangeItem[];
}

export interface LimitRangeItem {
  /** `Container`, `Pod` or `PersistentVolumeClaim`. */
  readonly type: string;
  /** What a container that states none requests; its maximum where no default is written. */
  readonly defaults: Resources;
}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/ */
export interface PriorityClassRecord extends FactObject {
  readonly value: number;
  /** `Never`: its pods preempt no other pod. */
  readonly preemptionPolicy: string;
}
