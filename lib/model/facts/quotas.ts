import type { FactObject } from "./fact-object.ts";

/** https://kubernetes.io/docs/concepts/policy/resource-quotas/ */
export interface ResourceQuotaRecord extends FactObject {}

/** https://kubernetes.io/docs/concepts/policy/limit-range/ */
export interface LimitRangeRecord extends FactObject {}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/ */
export interface PriorityClassRecord extends FactObject {}
