import type {
  AdmissionCheckRecord,
  CheckState,
  ClusterQueueRecord,
  CohortRecord,
  FlavorUsage,
  LocalQueueRecord,
  PodSet,
  PodSetAssignment,
  ResourceFlavorRecord,
  ResourceGroup,
  TopologyRecord,
  WorkloadRecord,
} from "../../../model/facts/kueue.ts";
import { effectiveRequests } from "../pod-requests.ts";
import {
  type Problems,
  type RawObject,
  rawInteger,
  rawLabels,
  rawList,
  rawMap,
  rawObject,
  rawOptionalText,
  rawText,
  rawTime,
} from "../raw.ts";
import { rawResources } from "../raw-resources.ts";
import { type FactKind, factObject } from "./fact-kind.ts";
import { topologyDomains } from "./kueue-topology.ts";

const GROUP = "kueue.x-k8s.io";
const VERSIONS = ["v1beta2", "v1beta1"];

/** The kinds of Kueue. https://kueue.sigs.k8s.io/docs/reference/kueue.v1beta2/ */
export const KUEUE_KINDS: readonly FactKind[] = [
  {
    fact: "clusterQueues",
    group: GROUP,
    kind: "ClusterQueue",
    plural: "clusterqueues",
    versions: VERSIONS,
    normalize: normalizeClusterQueue,
  },
  {
    fact: "localQueues",
    group: GROUP,
    kind: "LocalQueue",
    plural: "localqueues",
    versions: VERSIONS,
    normalize: normalizeLocalQueue,
  },
  {
    fact: "cohorts",
    group: GROUP,
    kind: "Cohort",
    plural: "cohorts",
    versions: [...VERSIONS, "v1alpha1"],
    normalize: normalizeCohort,
  },
  {
    fact: "resourceFlavors",
    group: GROUP,
    kind: "ResourceFlavor",
    plural: "resourceflavors",
    versions: VERSIONS,
    normalize: normalizeFlavor,
  },
  {
    fact: "workloads",
    group: GROUP,
    kind: "Workload",
    plural: "workloads",
    versions: VERSIONS,
    normalize: normalizeWorkload,
  },
  {
    fact: "admissionChecks",
    group: GROUP,
    kind: "AdmissionCheck",
    plural: "admissionchecks",
    versions: VERSIONS,
    normalize: normalizeAdmissionCheck,
  },
  {
    fact: "topologies",
    group: GROUP,
    kind: "Topology",
    plural: "topologies",
    versions: [...VERSIONS, "v1alpha1"],
    normalize: normalizeTopology,
  },
];

function normalizeClusterQueue(value: unknown): ClusterQueueRecord {
  const { base, spec, status, problems } = open(value, "ClusterQueue");
  const preemption = rawObject(spec.preemption);
  const usage = status.flavorsReservation ?? status.flavorsUsage;
  return {
    ...base,
    groups: resourceGroups(spec, problems),
    cohort: rawText(spec.cohortName ?? spec.cohort, "spec.cohortName", problems),
    stopPolicy: rawText(spec.stopPolicy, "spec.stopPolicy", problems) || "None",
    queueingStrategy: rawText(spec.queueingStrategy, "spec.queueingStrategy", problems) || "BestEffortFIFO",
    preemption: {
      withinClusterQueue:
        rawText(preemption.withinClusterQueue, "spec.preemption.withinClusterQueue", problems) || "Never",
      reclaimWithinCohort:
        rawText(preemption.reclaimWithinCohort, "spec.preemption.reclaimWithinCohort", problems) || "Never",
    },
    reserved: usage === undefined ? undefined : flavorUsages(usage, problems),
  };
}

function normalizeLocalQueue(value: unknown): LocalQueueRecord {
  const { base, spec, problems } = open(value, "LocalQueue");
  return {
    ...base,
    clusterQueue: rawText(spec.clusterQueue, "spec.clusterQueue", problems),
    stopPolicy: rawText(spec.stopPolicy, "spec.stopPolicy", problems) || "None",
  };
}

function normalizeCohort(value: unknown): CohortRecord {
  const { base, spec, problems } = open(value, "Cohort");
  return {
    ...base,
    parent: rawText(spec.parentName ?? spec.parent, "spec.parentName", problems),
    groups: resourceGroups(spec, problems),
  };
}

function normalizeFlavor(value: unknown): ResourceFlavorRecord {
  const { base, spec, problems } = open(value, "ResourceFlavor");
  return {
    ...base,
    nodeLabels: rawLabels(spec.nodeLabels, "spec.nodeLabels", problems),
    topology: rawText(spec.topologyName, "spec.topologyName", problems),
  };
}

function normalizeAdmissionCheck(value: unknown): AdmissionCheckRecord {
  const { base, spec, problems } = open(value, "AdmissionCheck");
  return { ...base, controller: rawText(spec.controllerName, "spec.controllerName", problems) };
}

function normalizeTopology(value: unknown): TopologyRecord {
  const { base, spec, problems } = open(value, "Topology");
  const levels = rawList(spec.levels, "spec.levels", problems).map((level) =>
    rawText(rawObject(level).nodeLabel, "spec.levels[].nodeLabel", problems),
  );
  return { ...base, levels };
}

function normalizeWorkload(value: unknown): WorkloadRecord {
  const { base, spec, status, problems } = open(value, "Workload");
  const admission = rawMap(status.admission, "status.admission", problems);
  return {
    ...base,
    queue: rawText(spec.queueName, "spec.queueName", problems),
    priority: rawInteger(spec.priority, "spec.priority", problems),
    active: spec.active !== false,
    podSets: rawList(spec.podSets, "spec.podSets", problems).map((set) => podSet(rawObject(set), problems)),
    clusterQueue: rawOptionalText(admission.clusterQueue, "status.admission.clusterQueue", problems),
    assignments: rawList(admission.podSetAssignments, "status.admission.podSetAssignments", problems).map(
      (one) => assignment(rawObject(one), problems),
    ),
    checks: rawList(status.admissionChecks, "status.admissionChecks", problems).map((one): CheckState => {
      const raw = rawObject(one);
      return {
        name: rawText(raw.name, "status.admissionChecks[].name", problems),
        state: rawText(raw.state, "status.admissionChecks[].state", problems) || "Pending",
        message: rawText(raw.message, "status.admissionChecks[].message", problems),
      };
    }),
    requeueAt: rawTime(rawObject(status.requeueState).requeueAt, "status.requeueState.requeueAt", problems),
    failedNodes: rawList(status.unhealthyNodes, "status.unhealthyNodes", problems).map((node) =>
      rawText(rawObject(node).name, "status.unhealthyNodes[].name", problems),
    ),
  };
}

function podSet(raw: RawObject, problems: Problems): PodSet {
  const template = rawObject(raw.template);
  const annotations = rawObject(rawObject(template.metadata).annotations);
  const spec = rawMap(template.spec, "spec.podSets[].template.spec", problems);
  const count = Math.max(0, rawInteger(raw.count, "spec.podSets[].count", problems, 1));
  const topology =
    rawObject(raw.topologyRequest).required ?? annotations["kueue.x-k8s.io/podset-required-topology"];
  return {
    name: rawText(raw.name, "spec.podSets[].name", problems),
    count,
    minCount: Math.min(
      count,
      Math.max(0, rawInteger(raw.minCount, "spec.podSets[].minCount", problems, count)),
    ),
    requests: effectiveRequests(spec, problems),
    nodeSelector: rawLabels(spec.nodeSelector, "spec.podSets[].template.spec.nodeSelector", problems),
    requiredTopology: rawText(topology, "spec.podSets[].topologyRequest.required", problems),
  };
}

function assignment(raw: RawObject, problems: Problems): PodSetAssignment {
  const field = "status.admission.podSetAssignments[]";
  return {
    name: rawText(raw.name, `${field}.name`, problems),
    count: rawInteger(raw.count, `${field}.count`, problems),
    flavors: rawLabels(raw.flavors, `${field}.flavors`, problems),
    usage: rawResources(raw.resourceUsage, `${field}.resourceUsage`, problems),
    domains: topologyDomains(raw.topologyAssignment, `${field}.topologyAssignment`, problems),
  };
}

function resourceGroups(spec: RawObject, problems: Problems): ResourceGroup[] {
  return rawList(spec.resourceGroups, "spec.resourceGroups", problems).map((group): ResourceGroup => {
    const raw = rawObject(group);
    return {
      covered: rawList(raw.coveredResources, "spec.resourceGroups[].coveredResources", problems).map((name) =>
        rawText(name, "spec.resourceGroups[].coveredResources[]", problems),
      ),
      flavors: rawList(raw.flavors, "spec.resourceGroups[].flavors", problems).map((flavor) => ({
        name: rawText(rawObject(flavor).name, "spec.resourceGroups[].flavors[].name", problems),
        quotas: flavorQuotas(rawObject(flavor), problems),
      })),
    };
  });
}

function flavorQuotas(flavor: RawObject, problems: Problems) {
  const field = "spec.resourceGroups[].flavors[].resources[]";
  return rawList(flavor.resources, field, problems).map((one) => {
    const raw = rawObject(one);
    const resource = rawText(raw.name, `${field}.name`, problems);
    return {
      resource,
      nominal: amount(raw.nominalQuota, resource, `${field}.nominalQuota`, problems) ?? 0,
      borrowingLimit: amount(raw.borrowingLimit, resource, `${field}.borrowingLimit`, problems),
      lendingLimit: amount(raw.lendingLimit, resource, `${field}.lendingLimit`, problems),
    };
  });
}

function flavorUsages(value: unknown, problems: Problems): FlavorUsage[] {
  return rawList(value, "status.flavorsReservation", problems).flatMap((entry) => {
    const flavor = rawText(rawObject(entry).name, "status.flavorsReservation[].name", problems);
    const field = "status.flavorsReservation[].resources[]";
    return rawList(rawObject(entry).resources, field, problems).map((one): FlavorUsage => {
      const raw = rawObject(one);
      const resource = rawText(raw.name, `${field}.name`, problems);
      return {
        flavor,
        resource,
        total: amount(raw.total, resource, `${field}.total`, problems) ?? 0,
        borrowed: amount(raw.borrowed, resource, `${field}.borrowed`, problems) ?? 0,
      };
    });
  });
}

/** One quantity in the units of `Resources`; undefined where there is none. */
function amount(value: unknown, resource: string, field: string, problems: Problems): number | undefined {
  return value === undefined || value === null
    ? undefined
    : rawResources({ [resource]: value }, field, problems)[resource];
}

function open(value: unknown, kind: string) {
  const problems: Problems = [];
  const raw = rawObject(value);
  return {
    problems,
    base: factObject(value, kind, problems),
    spec: rawMap(raw.spec, "spec", problems),
    status: rawMap(raw.status, "status", problems),
  };
}
