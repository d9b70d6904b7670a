import type { FactObject } from "../model/facts/fact-object.ts";
import type { PodGroupRecord, QueueRecord } from "../model/facts/gangs.ts";
import type {
  ClusterQueueRecord,
  LocalQueueRecord,
  PodSet,
  ResourceFlavorRecord,
  WorkloadRecord,
} from "../model/facts/kueue.ts";
import type { Condition } from "../model/kubernetes.ts";
import { NOW } from "./builders.ts";

let serial = 0;

function anObject(kind: string, apiVersion: string, namespace: string, name?: string): FactObject {
  const id = ++serial;
  return {
    apiVersion,
    kind,
    namespace,
    name: name ?? `${kind.toLowerCase()}-${id}`,
    uid: `queue-uid-${id}`,
    labels: {},
    createdAt: NOW - 3_600_000,
    deletedAt: undefined,
    problems: [],
    owner: undefined,
    conditions: [],
  };
}

/** A condition that changed half an hour ago. */
export function aCondition(overrides: Partial<Condition> & Pick<Condition, "type">): Condition {
  return { status: "True", reason: "", message: "", lastTransitionTime: NOW - 1_800_000, ...overrides };
}

/** Nominal quota of a flavor for one resource. */
export interface QuotaOptions {
  readonly nominal: number;
  readonly used?: number;
  readonly resource?: string;
  readonly borrowingLimit?: number;
  readonly lendingLimit?: number;
}

/** A ClusterQueue with one resource group of these flavors; `used` is what its status says is reserved. */
export function aClusterQueue(
  flavors: Readonly<Record<string, QuotaOptions>>,
  overrides: Partial<ClusterQueueRecord> = {},
): ClusterQueueRecord {
  const options = Object.entries(flavors);
  const resourceOf = ({ resource = "nvidia.com/gpu" }: QuotaOptions) => resource;
  return {
    ...anObject("ClusterQueue", "kueue.x-k8s.io/v1beta2", "", overrides.name ?? "cq"),
    groups: [
      {
        covered: [...new Set(options.map(([, one]) => resourceOf(one)))],
        flavors: options.map(([name, one]) => ({
          name,
          quotas: [
            {
              resource: resourceOf(one),
              nominal: one.nominal,
              borrowingLimit: one.borrowingLimit,
              lendingLimit: one.lendingLimit,
            },
          ],
        })),
      },
    ],
    cohort: "",
    stopPolicy: "None",
    queueingStrategy: "BestEffortFIFO",
    preemption: { withinClusterQueue: "Never", reclaimWithinCohort: "Never" },
    reserved: options.map(([flavor, one]) => ({
      flavor,
      resource: resourceOf(one),
      total: one.used ?? 0,
      borrowed: 0,
    })),
    ...overrides,
  };
}

/** LocalQueue `lq` in namespace `ml` of ClusterQueue `cq`. */
export function aLocalQueue(overrides: Partial<LocalQueueRecord> = {}): LocalQueueRecord {
  return {
    ...anObject("LocalQueue", "kueue.x-k8s.io/v1beta2", "ml", "lq"),
    clusterQueue: "cq",
    stopPolicy: "None",
    ...overrides,
  };
}

/** A flavor whose nodes carry these labels. */
export function aFlavor(
  name: string,
  nodeLabels: Readonly<Record<string, string>> = {},
): ResourceFlavorRecord {
  return { ...anObject("ResourceFlavor", "kueue.x-k8s.io/v1beta2", "", name), nodeLabels, topology: "" };
}

/** `count` pods of `gpus` GPUs each. */
export function aPodSet(overrides: Partial<PodSet> & { gpus?: number; gpuResource?: string } = {}): PodSet {
  const { gpus = 8, gpuResource = "nvidia.com/gpu", count = 1, ...rest } = overrides;
  return {
    name: "main",
    count,
    minCount: count,
    requests: { cpu: 1_000, pods: 1, ...(gpus > 0 ? { [gpuResource]: gpus } : {}) },
    nodeSelector: {},
    requiredTopology: "",
    ...rest,
  };
}

/** A Workload of one pod of 8 GPUs that waits in LocalQueue `lq`; `says`: message of QuotaReserved=False. */
export function aWorkload(
  overrides: Partial<WorkloadRecord> & { says?: string; because?: string } = {},
): WorkloadRecord {
  const { says, because = "Pending", ...rest } = overrides;
  const waits = aCondition({ type: "QuotaReserved", status: "False", reason: because, message: says ?? "" });
  return {
    ...anObject("Workload", "kueue.x-k8s.io/v1beta2", "ml"),
    queue: "lq",
    priority: 0,
    active: true,
    podSets: [aPodSet()],
    clusterQueue: undefined,
    assignments: [],
    checks: [],
    requeueAt: undefined,
    failedNodes: [],
    conditions: says === undefined ? [] : [waits],
    ...rest,
  };
}

/** A Volcano PodGroup of `minMember` pods. */
export function aPodGroup(overrides: Partial<PodGroupRecord> = {}): PodGroupRecord {
  return {
    ...anObject("PodGroup", "scheduling.volcano.sh/v1beta1", "ml", "gang"),
    minMember: 2,
    queue: "",
    minResources: undefined,
    phase: "Inqueue",
    ...overrides,
  };
}

/** An open Volcano queue without limits. */
export function aQueue(overrides: Partial<QueueRecord> = {}): QueueRecord {
  return {
    ...anObject("Queue", "scheduling.volcano.sh/v1beta1", "", "q"),
    parent: "",
    state: "Open",
    limit: {},
    quota: {},
    allocated: undefined,
    allocatedFixed: undefined,
    ...overrides,
  };
}
