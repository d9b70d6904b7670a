import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  OwnerReference,
  PodPhase,
  PodRecord,
  Resources,
  Toleration,
} from "../../model/kubernetes.ts";
import { normalizeContainers } from "./normalize-containers.ts";
import { effectiveRequests } from "./pod-requests.ts";
import { Pool } from "./pool.ts";
import {
  addProblem,
  type Problems,
  type RawObject,
  rawConditions,
  rawInteger,
  rawLabels,
  rawList,
  rawMap,
  rawMetadata,
  rawObject,
  rawOptionalText,
  rawOwner,
  rawText,
} from "./raw.ts";

const requests = new Pool<Resources>(JSON.stringify);
const tolerations = new Pool<readonly Toleration[]>(JSON.stringify);

/** A v1 Pod, JSON-shaped, as its record. Never throws: what cannot be read is left out and among `problems`. */
export function normalizePod(value: unknown): PodRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const status = rawMap(raw.status, "status", problems);
  const owner = rawOwner(raw, problems);
  return {
    ...rawMetadata(raw, problems),
    owner,
    system: systemKind(raw, owner),
    nodeName: rawOptionalText(spec.nodeName, "spec.nodeName", problems),
    nominatedNodeName: rawOptionalText(status.nominatedNodeName, "status.nominatedNodeName", problems),
    phase: normalizePhase(status.phase, problems),
    reason: rawText(status.reason, "status.reason", problems),
    message: rawText(status.message, "status.message", problems),
    schedulerName: rawText(spec.schedulerName, "spec.schedulerName", problems) || "default-scheduler",
    priority: rawInteger(spec.priority, "spec.priority", problems),
    requests: requests.share(effectiveRequests(spec, problems)),
    conditions: rawConditions(status.conditions, problems),
    containers: normalizeContainers(spec, status, problems),
    nodeSelector: rawLabels(spec.nodeSelector, "spec.nodeSelector", problems),
    nodeAffinity: requiredNodeAffinity(rawObject(spec.affinity), problems),
    tolerations: tolerations.share(
      rawList(spec.tolerations, "spec.tolerations", problems).map((toleration) =>
        normalizeToleration(rawObject(toleration), problems),
      ),
    ),
    schedulingGates: rawList(spec.schedulingGates, "spec.schedulingGates", problems).map((gate) =>
      rawText(rawObject(gate).name, "spec.schedulingGates[].name", problems),
    ),
    hasPodPlacementRules: hasPodPlacementRules(spec, problems),
    volumeClaims: rawList(spec.volumes, "spec.volumes", problems).flatMap((volume) => {
      const { claimName } = rawObject(rawObject(volume).persistentVolumeClaim);
      return rawText(claimName, "spec.volumes[].persistentVolumeClaim.claimName", problems) || [];
    }),
    problems,
  };
}

/** https://kubernetes.io/docs/tasks/configure-pod-container/static-pod/ */
function systemKind(raw: RawObject, owner: OwnerReference | undefined): PodRecord["system"] {
  if (owner?.kind === "DaemonSet") return "daemonset";
  const { annotations } = rawObject(raw.metadata);
  const mirrored = rawObject(annotations)["kubernetes.io/config.mirror"] !== undefined;
  return mirrored || owner?.kind === "Node" ? "static" : undefined;
}

/** A pod starts as Pending, so that is what none means. https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/ */
function normalizePhase(value: unknown, problems: Problems): PodPhase {
  switch (value) {
    case undefined:
    case null:
    case "":
      return "Pending";
    case "Pending":
    case "Running":
    case "Succeeded":
    case "Failed":
    case "Unknown":
      return value;
    default:
      addProblem(problems, "status.phase", value, "Pending, Running, Succeeded, Failed or Unknown");
      return "Unknown";
  }
}

function normalizeToleration(raw: RawObject, problems: Problems): Toleration {
  return {
    key: rawText(raw.key, "spec.tolerations[].key", problems),
    operator: rawText(raw.operator, "spec.tolerations[].operator", problems) || "Equal",
    value: rawText(raw.value, "spec.tolerations[].value", problems),
    effect: rawText(raw.effect, "spec.tolerations[].effect", problems),
  };
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

function requiredNodeAffinity(affinity: RawObject, problems: Problems): readonly NodeSelectorTerm[] {
  const field = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  const { nodeSelectorTerms } = rawObject(rawObject(affinity.nodeAffinity)[REQUIRED]);
  return rawList(nodeSelectorTerms, field, problems).map((term) => ({
    matchExpressions: selectorRequirements(
      rawObject(term).matchExpressions,
      `${field}[].matchExpressions`,
      problems,
    ),
    matchFields: selectorRequirements(rawObject(term).matchFields, `${field}[].matchFields`, problems),
  }));
}

function selectorRequirements(
  value: unknown,
  field: string,
  problems: Problems,
): readonly NodeSelectorRequirement[] {
  return rawList(value, field, problems)
    .map(rawObject)
    .map(({ key, operator, values }) => ({
      key: rawText(key, `${field}[].key`, problems),
      operator: rawText(operator, `${field}[].operator`, problems),
      values: rawList(values, `${field}[].values`, problems).map((text) =>
        rawText(text, `${field}[].values[]`, problems),
      ),
    }));
}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/ and .../topology-spread-constraints/ */
function hasPodPlacementRules(spec: RawObject, problems: Problems): boolean {
  const affinity = rawObject(spec.affinity);
  const required = ["podAffinity", "podAntiAffinity"].some(
    (kind) =>
      rawList(rawObject(affinity[kind])[REQUIRED], `spec.affinity.${kind}.${REQUIRED}`, problems).length > 0,
  );
  const spread = rawList(spec.topologySpreadConstraints, "spec.topologySpreadConstraints", problems);
  return required || spread.some((entry) => rawObject(entry).whenUnsatisfiable === "DoNotSchedule");
}
