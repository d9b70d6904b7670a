import type { PodGroupRecord, QueueRecord } from "../../../model/facts/gangs.ts";
import type { Resources } from "../../../model/kubernetes.ts";
import { parseQuantity } from "../../../model/quantity.ts";
import { addProblem, type Problems, type RawObject, rawMap, rawObject, rawText } from "../raw.ts";
import { type FactKind, factObject } from "./fact-kind.ts";

/**
 * PodGroups of Volcano, KAI and coscheduling, and the queues of the first two.
 * https://volcano.sh/en/docs/podgroup/ and https://github.com/NVIDIA/KAI-Scheduler/tree/main/docs/queues
 */
export const GANG_KINDS: readonly FactKind[] = [
  podGroups("scheduling.volcano.sh", ["v1beta1"]),
  podGroups("scheduling.run.ai", ["v2alpha2"]),
  podGroups("scheduling.x-k8s.io", ["v1alpha1"]),
  {
    fact: "queues",
    group: "scheduling.volcano.sh",
    kind: "Queue",
    plural: "queues",
    versions: ["v1beta1"],
    normalize: normalizeVolcanoQueue,
  },
  {
    fact: "queues",
    group: "scheduling.run.ai",
    kind: "Queue",
    plural: "queues",
    versions: ["v2"],
    normalize: normalizeKaiQueue,
  },
];

function podGroups(group: string, versions: readonly string[]): FactKind {
  return {
    fact: "podGroups",
    group,
    kind: "PodGroup",
    plural: "podgroups",
    versions,
    normalize: normalizePodGroup,
  };
}

function normalizePodGroup(value: unknown): PodGroupRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const base = factObject(value, "PodGroup", problems);
  const spec = rawMap(raw.spec, "spec", problems);
  const status = rawMap(raw.status, "status", problems);
  // KAI keeps its conditions under a name of its own, without a reason where it gives several.
  const own = rawMap({ conditions: status.schedulingConditions }, "status", problems);
  const conditions = [...base.conditions, ...factObject({ status: own }, "PodGroup", []).conditions];
  const { minMember } = spec;
  return {
    ...base,
    conditions,
    minMember: typeof minMember === "number" && Number.isSafeInteger(minMember) ? minMember : undefined,
    queue: rawText(spec.queue, "spec.queue", problems),
    minResources:
      spec.minResources === undefined
        ? undefined
        : sums(rawMap(spec.minResources, "spec.minResources", problems), "spec.minResources", problems),
    phase: rawText(status.phase, "status.phase", problems),
  };
}

function normalizeVolcanoQueue(value: unknown): QueueRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const status = rawMap(raw.status, "status", problems);
  return {
    ...factObject(value, "Queue", problems),
    parent: rawText(spec.parent, "spec.parent", problems),
    state: rawText(status.state, "status.state", problems),
    limit: sums(rawMap(spec.capability, "spec.capability", problems), "spec.capability", problems),
    quota: {},
    allocated: optionalSums(status.allocated, "status.allocated", problems),
    allocatedFixed: undefined,
  };
}

function normalizeKaiQueue(value: unknown): QueueRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const status = rawMap(raw.status, "status", problems);
  const resources = rawMap(spec.resources, "spec.resources", problems);
  return {
    ...factObject(value, "Queue", problems),
    parent: rawText(spec.parentQueue, "spec.parentQueue", problems),
    state: "",
    limit: kaiAmounts(resources, "limit"),
    quota: kaiAmounts(resources, "quota"),
    allocated: optionalSums(status.allocated, "status.allocated", problems),
    allocatedFixed: optionalSums(status.allocatedNonPreemptible, "status.allocatedNonPreemptible", problems),
  };
}

/** KAI's own units: GPUs, CPU in millicores, memory in MB; -1 is no limit. */
const KAI_UNITS = [
  ["gpu", "nvidia.com/gpu", 1],
  ["cpu", "cpu", 1],
  ["memory", "memory", 1e6],
] as const;

function kaiAmounts(resources: RawObject, field: "limit" | "quota"): Record<string, number> {
  const amounts: Record<string, number> = {};
  for (const [name, resource, unit] of KAI_UNITS) {
    const value = rawObject(resources[name])[field];
    if (typeof value === "number" && value >= 0) amounts[resource] = value * unit;
  }
  return amounts;
}

function optionalSums(value: unknown, field: string, problems: Problems): Resources | undefined {
  return value === undefined || value === null
    ? undefined
    : sums(rawMap(value, field, problems), field, problems);
}

/**
 * Sums over pods, in which extended resources may have parts (`500m` of a GPU) and names the prefix of a quota
 * (`requests.nvidia.com/gpu`). CPU in millicores.
 */
function sums(value: RawObject, field: string, problems: Problems): Resources {
  const amounts: Record<string, number> = {};
  for (const [name, raw] of Object.entries(value)) {
    if (name.startsWith("limits.")) continue;
    const quantity = parseQuantity(String(raw));
    if (quantity === undefined || quantity < 0) {
      addProblem(problems, `${field}[${JSON.stringify(name)}]`, raw, "a quantity of 0 or more");
      continue;
    }
    const resource = name.replace(/^requests\./, "").replace(/^count\/pods$/, "pods");
    amounts[resource] = resource === "cpu" ? quantity * 1_000 : quantity;
  }
  return amounts;
}
