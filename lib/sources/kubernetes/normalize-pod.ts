import type {
  Labels,
  OwnerReference,
  PodPhase,
  PodRecord,
  PodResourceClaim,
  Resources,
  Toleration,
} from "../../model/kubernetes.ts";
import { memo } from "../../model/memo.ts";
import { normalizeContainers } from "./normalize-containers.ts";
import { podRules, requiredNodeAffinity } from "./normalize-placement.ts";
import { effectiveRequests } from "./pod-requests.ts";
import { Pool } from "./pool.ts";
import {
  addProblem,
  type Problems,
  type RawObject,
  rawConditions,
  rawInteger,
  rawItems,
  rawLabels,
  rawList,
  rawMap,
  rawMetadata,
  rawObject,
  rawOptionalText,
  rawOwner,
  rawText,
} from "./raw.ts";

const NO_PROBLEMS: Problems = [];
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
    annotations: readAnnotations(raw, problems),
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
      rawItems(spec.tolerations, "spec.tolerations", problems, (toleration) =>
        normalizeToleration(rawObject(toleration), problems),
      ),
    ),
    schedulingGates: rawItems(spec.schedulingGates, "spec.schedulingGates", problems, (gate) =>
      rawText(rawObject(gate).name, "spec.schedulingGates[].name", problems),
    ),
    ...podRules(spec, problems),
    volumeClaims: volumeClaims(spec, problems),
    hasSharedMemoryVolume: hasSharedMemoryVolume(spec),
    resourceClaims: podResourceClaims(spec, status, problems),
    preemptionPolicy: rawText(spec.preemptionPolicy, "spec.preemptionPolicy", problems),
    priorityClassName: rawText(spec.priorityClassName, "spec.priorityClassName", problems),
    problems: problems.length > 0 ? problems : NO_PROBLEMS,
  };
}

/** Annotations by which schedulers, queues and autoscalers speak to each other; others can be large and say nothing. */
const READ_ANNOTATION =
  /^([\w.-]*\.)?(kueue\.x-k8s\.io|volcano\.sh|scheduling\.k8s\.io|scheduling\.x-k8s\.io|run\.ai|kai\.run|hami\.io|autoscaling\.x-k8s\.io|karpenter\.sh|leaderworkerset\.sigs\.k8s\.io|jobset\.sigs\.k8s\.io)\/|^(pod-group-name|gpu-fraction|gpu-memory|gpu-fraction-num-devices|received-resource-type|runai-.*|cluster-autoscaler\.kubernetes\.io\/.*)$/;

const isRead = memo((key: string) => READ_ANNOTATION.test(key));

function readAnnotations(raw: RawObject, problems: Problems): Labels {
  const all = rawMap(rawObject(raw.metadata).annotations, "metadata.annotations", problems);
  const read = Object.entries(all).filter(([key]) => isRead(key));
  return rawLabels(Object.fromEntries(read), "metadata.annotations", problems);
}

function volumeClaims(spec: RawObject, problems: Problems): readonly string[] {
  const volumes = rawList(spec.volumes, "spec.volumes", problems);
  const names = volumes.map((volume) => {
    const { claimName } = rawObject(rawObject(volume).persistentVolumeClaim);
    return rawText(claimName, "spec.volumes[].persistentVolumeClaim.claimName", problems);
  });
  return rawItems(names.filter(Boolean), "spec.volumes", problems, String);
}

/** Without a volume there, the container runtime gives 64 MiB. https://docs.docker.com/reference/cli/docker/container/run/#shm-size */
function hasSharedMemoryVolume(spec: RawObject): boolean {
  const containers = Array.isArray(spec.containers) ? spec.containers : [];
  return containers.some((container: unknown) => {
    const { volumeMounts } = rawObject(container);
    return (
      Array.isArray(volumeMounts) &&
      volumeMounts.some((mount: unknown) => /^\/dev\/shm\/?$/.test(String(rawObject(mount).mountPath)))
    );
  });
}

function podResourceClaims(
  spec: RawObject,
  status: RawObject,
  problems: Problems,
): readonly PodResourceClaim[] {
  const made = rawList(status.resourceClaimStatuses, "status.resourceClaimStatuses", problems).map(rawObject);
  return rawItems(spec.resourceClaims, "spec.resourceClaims", problems, (value) => {
    const claim = rawObject(value);
    const own = made.find(({ name }) => (name || "") === (claim.name || ""));
    return {
      name: rawText(claim.name, "spec.resourceClaims[].name", problems),
      claimName: rawOptionalText(
        claim.resourceClaimName || own?.resourceClaimName,
        "spec.resourceClaims[].resourceClaimName",
        problems,
      ),
      templateName: rawOptionalText(
        claim.resourceClaimTemplateName,
        "spec.resourceClaims[].resourceClaimTemplateName",
        problems,
      ),
    };
  });
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
