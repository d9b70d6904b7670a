import type { FactObject } from "./fact-object.ts";

/** https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/ */
export interface ClusterQueueRecord extends FactObject {}

/** https://kueue.sigs.k8s.io/docs/concepts/local_queue/ */
export interface LocalQueueRecord extends FactObject {}

/** https://kueue.sigs.k8s.io/docs/concepts/cohort/ */
export interface CohortRecord extends FactObject {}

/** https://kueue.sigs.k8s.io/docs/concepts/resource_flavor/ */
export interface ResourceFlavorRecord extends FactObject {}

/** https://kueue.sigs.k8s.io/docs/concepts/workload/ */
export interface WorkloadRecord extends FactObject {}

/** https://kueue.sigs.k8s.io/docs/concepts/admission_check/ */
export interface AdmissionCheckRecord extends FactObject {}

/** https://kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling/ */
export interface TopologyRecord extends FactObject {}
