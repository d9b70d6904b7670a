import type { Resources } from "../kubernetes.ts";
import type { FactObject } from "./fact-object.ts";

/** What one flavor gives of one resource, in the units of `Resources`. */
export interface FlavorQuota {
  readonly resource: string;
  readonly nominal: number;
  /** Most that may be borrowed from the cohort; undefined: whatever is there. */
  readonly borrowingLimit: number | undefined;
  /** Most of the nominal quota that others may borrow; undefined: all of it. */
  readonly lendingLimit: number | undefined;
}

export interface QueueFlavor {
  readonly name: string;
  readonly quotas: readonly FlavorQuota[];
}

/** Resources that are given by the same flavor. */
export interface ResourceGroup {
  readonly covered: readonly string[];
  /** In the order in which they are tried. */
  readonly flavors: readonly QueueFlavor[];
}

/** Quota of one resource in one flavor that workloads hold. */
export interface FlavorUsage {
  readonly flavor: string;
  readonly resource: string;
  readonly total: number;
  readonly borrowed: number;
}

/** https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/ */
export interface ClusterQueueRecord extends FactObject {
  readonly groups: readonly ResourceGroup[];
  /** Empty: it is in none. */
  readonly cohort: string;
  /** `None`, `Hold` or `HoldAndDrain`. */
  readonly stopPolicy: string;
  /** `StrictFIFO` or `BestEffortFIFO`. */
  readonly queueingStrategy: string;
  /** Whom a workload of this queue may evict: each `Never` where nothing is written. */
  readonly preemption: { readonly withinClusterQueue: string; readonly reclaimWithinCohort: string };
  /** Quota that is reserved, admitted or not; undefined: the status does not say. */
  readonly reserved: readonly FlavorUsage[] | undefined;
}

/** https://kueue.sigs.k8s.io/docs/concepts/local_queue/ */
export interface LocalQueueRecord extends FactObject {
  readonly clusterQueue: string;
  /** `None`, `Hold` or `HoldAndDrain`. */
  readonly stopPolicy: string;
}

/** https://kueue.sigs.k8s.io/docs/concepts/cohort/ */
export interface CohortRecord extends FactObject {
  /** Empty: it is a root. */
  readonly parent: string;
  readonly groups: readonly ResourceGroup[];
}

/** https://kueue.sigs.k8s.io/docs/concepts/resource_flavor/ */
export interface ResourceFlavorRecord extends FactObject {
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** The Topology that its nodes are placed by; empty: none. */
  readonly topology: string;
}

/** Pods of a workload that are alike. */
export interface PodSet {
  readonly name: string;
  readonly count: number;
  /** With how few of them Kueue may start it; `count` where it may not. */
  readonly minCount: number;
  /** What one pod of it requests. */
  readonly requests: Resources;
  /** Flavors may only be those whose node labels agree with it. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** The topology level that its pods have to share; empty: none. */
  readonly requiredTopology: string;
}

/** What the queue has given to one pod set. */
export interface PodSetAssignment {
  readonly name: string;
  readonly count: number;
  /** Resource -> flavor. */
  readonly flavors: Readonly<Record<string, string>>;
  /** Resource -> amount over all of its pods. */
  readonly usage: Resources;
  /** Values of the last topology level that pods were placed on, mostly node names. */
  readonly domains: readonly string[];
}

/** https://kueue.sigs.k8s.io/docs/concepts/admission_check/ */
export interface CheckState {
  readonly name: string;
  /** `Pending`, `Ready`, `Retry` or `Rejected`. */
  readonly state: string;
  readonly message: string;
}

/** https://kueue.sigs.k8s.io/docs/concepts/workload/ */
export interface WorkloadRecord extends FactObject {
  /** Of its LocalQueue; empty: none. */
  readonly queue: string;
  readonly priority: number;
  /** False: taken out of the queue. */
  readonly active: boolean;
  readonly podSets: readonly PodSet[];
  /** The ClusterQueue that has reserved quota for it; undefined: none has. */
  readonly clusterQueue: string | undefined;
  readonly assignments: readonly PodSetAssignment[];
  readonly checks: readonly CheckState[];
  /** When it is queued again after an eviction, epoch ms. */
  readonly requeueAt: number | undefined;
  /** Nodes that it was placed on and that have failed since. */
  readonly failedNodes: readonly string[];
}

/** https://kueue.sigs.k8s.io/docs/concepts/admission_check/ */
export interface AdmissionCheckRecord extends FactObject {
  readonly controller: string;
}

/** https://kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling/ */
export interface TopologyRecord extends FactObject {
  /** Node labels, from the widest domain to the narrowest. */
  readonly levels: readonly string[];
}
