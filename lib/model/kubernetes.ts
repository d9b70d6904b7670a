/**
 * Kubernetes objects as Seamline keeps them: normalised on arrival from JSON or protobuf to the few fields that matter.
 * Times are epoch milliseconds, absent is undefined.
 */

/** Resource name to amount: `cpu` in millicores, `memory` and `ephemeral-storage` in bytes, all else in units. */
export type Resources = Readonly<Record<string, number>>;

export type Labels = Readonly<Record<string, string>>;

/** A field that could not be read as what it should be; the field is left out of the record. */
export interface FieldProblem {
  /** Path within the object, e.g. `status.capacity["nvidia.com/gpu"]`. */
  readonly field: string;
  /** The value as it came, cut at 80 characters. */
  readonly value: string;
  /** What was expected. */
  readonly expected: string;
}

export interface ObjectRecord {
  readonly name: string;
  readonly uid: string;
  readonly labels: Labels;
  readonly createdAt: number | undefined;
  readonly deletedAt: number | undefined;
  readonly problems: readonly FieldProblem[];
}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  readonly timeAdded: number | undefined;
  /** True where its pool puts it on for the start of a node only. */
  readonly startup?: true;
}

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: number | undefined;
}

export interface NodeRecord extends ObjectRecord {
  readonly providerId: string | undefined;
  /** spec.unschedulable: set by `kubectl cordon`. */
  readonly unschedulable: boolean;
  readonly taints: readonly Taint[];
  /** undefined where status has none at all. */
  readonly capacity: Resources | undefined;
  readonly allocatable: Resources | undefined;
  readonly conditions: readonly Condition[];
  readonly kubeletVersion: string | undefined;
  /** Devices that a plugin which shares them has written down for its scheduler; undefined: none has. */
  readonly registeredGpus?: number | undefined;
}

export interface OwnerReference {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";

/** What one container of a pod does; `init` includes sidecars (restartable init containers). */
export interface ContainerRecord {
  readonly name: string;
  readonly init: boolean;
  readonly image: string;
  readonly ready: boolean;
  readonly restarts: number;
  readonly state:
    | { readonly kind: "none" }
    | { readonly kind: "waiting"; readonly reason: string; readonly message: string }
    | { readonly kind: "running"; readonly startedAt: number | undefined }
    | ({ readonly kind: "terminated" } & Termination);
  readonly lastTermination: Termination | undefined;
  readonly livenessProbe: Probe | undefined;
  readonly startupProbe: Probe | undefined;
  /** Names of the extended resources that it asks for, devices among them; undefined: none. */
  readonly extended?: readonly string[] | undefined;
}

export interface Termination {
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** When the kubelet probes a container, in seconds. https://kubernetes.io/docs/concepts/workloads/pods/probes/ */
export interface Probe {
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

export interface Toleration {
  readonly key: string;
  readonly operator: string;
  readonly value: string;
  /** Empty: every effect. */
  readonly effect: string;
}

/** https://kubernetes.io/docs/reference/kubernetes-api/ (NodeSelectorRequirement) */
export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** One term: all of its requirements hold. A pod's required terms are alternatives. */
export interface NodeSelectorTerm {
  readonly matchExpressions: readonly NodeSelectorRequirement[];
  readonly matchFields: readonly NodeSelectorRequirement[];
}

/** A required pod (anti-)affinity term. https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/ */
export interface PodAffinityTerm {
  readonly topologyKey: string;
  /** All hold; an empty list selects every pod. undefined: the term has no selector and selects none. */
  readonly selector: readonly NodeSelectorRequirement[] | undefined;
  /** Empty: the pod's own namespace. */
  readonly namespaces: readonly string[];
  /** It has a selector of namespaces, which may choose any: their labels are not read. */
  readonly anyNamespace?: true;
}

/** A hard constraint. https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/ */
export interface TopologySpread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  /** With fewer domains than this the least of them counts as empty. */
  readonly minDomains?: number;
  readonly selector: readonly NodeSelectorRequirement[] | undefined;
}

/** A claim that the pod lists. https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/ */
export interface PodResourceClaim {
  /** Its name within the pod. */
  readonly name: string;
  /** The ResourceClaim's name; undefined while none was made from its template. */
  readonly claimName: string | undefined;
  readonly templateName: string | undefined;
}

export interface PodRecord extends ObjectRecord {
  readonly namespace: string;
  /** Those that schedulers, queues and autoscalers read or write, not all. */
  readonly annotations: Labels;
  readonly owner: OwnerReference | undefined;
  /** Set for pods that do not compete for capacity: one a node by its DaemonSet, or the kubelet's own. */
  readonly system: "daemonset" | "static" | undefined;
  /** The node it is bound to. */
  readonly nodeName: string | undefined;
  readonly nominatedNodeName: string | undefined;
  readonly phase: PodPhase;
  readonly reason: string;
  readonly message: string;
  readonly schedulerName: string;
  readonly priority: number;
  /** Effective requests: containers and sidecars, init containers, pod level, overhead; `pods` is always 1. */
  readonly requests: Resources;
  readonly conditions: readonly Condition[];
  readonly containers: readonly ContainerRecord[];
  readonly nodeSelector: Labels;
  /** Alternatives of the required node affinity; empty: no constraint. */
  readonly nodeAffinity: readonly NodeSelectorTerm[];
  readonly tolerations: readonly Toleration[];
  /** Names of scheduling gates that still hold it. */
  readonly schedulingGates: readonly string[];
  /** True where required pod (anti-)affinity or a hard topology spread constrains its place. */
  readonly hasPodPlacementRules: boolean;
  /** Required terms, all of which hold. */
  readonly podAffinity: readonly PodAffinityTerm[];
  readonly podAntiAffinity: readonly PodAffinityTerm[];
  readonly topologySpread: readonly TopologySpread[];
  /** Names of the claims of its volumes. */
  readonly volumeClaims: readonly string[];
  /** True where a volume is mounted on /dev/shm: without one it has 64 MiB. */
  readonly hasSharedMemoryVolume: boolean;
  readonly resourceClaims: readonly PodResourceClaim[];
  /** `Never`: it preempts no other pod. */
  readonly preemptionPolicy: string;
  readonly priorityClassName: string;
}

/** An Event about any object. */
export interface EventRecord {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly about: {
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly component: string;
  readonly count: number;
  readonly firstAt: number | undefined;
  readonly lastAt: number | undefined;
}
