import type { ControllerRecord, StepFailure } from "../../../model/facts/controllers.ts";
import { type Problems, type RawObject, rawInteger, rawMap, rawObject, rawText, rawTime } from "../raw.ts";
import { type FactKind, factObject } from "./fact-kind.ts";
import { podTemplates } from "./pod-templates.ts";

/** A count that need not be there. */
function count(value: unknown, field: string, problems: Problems): number | undefined {
  return value === undefined || value === null ? undefined : rawInteger(value, field, problems);
}

function normalizeController(kind: string, value: unknown): ControllerRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const object = factObject(raw, kind, problems);
  const spec = rawMap(raw.spec, "spec", problems);
  const status = rawMap(raw.status, "status", problems);
  const counts =
    kind === "DaemonSet" ? daemonSetCounts(status, problems) : replicaCounts(spec, status, problems);
  const rollingUpdate = rawObject(rawObject(spec.strategy).rollingUpdate);
  const surge = rollingUpdate.maxSurge;
  return {
    ...object,
    ...counts,
    suspended: spec.suspend === true || rawObject(spec.runPolicy).suspend === true,
    finished: isFinished(object.conditions, status),
    // The jobs of a CronJob come and go: what it would make is theirs to say.
    templates: kind === "CronJob" ? [] : podTemplates(spec, problems),
    maxSurge: typeof surge === "number" || typeof surge === "string" ? String(surge) : undefined,
    failures: kind === "Workflow" ? failuresOf(status, problems) : [],
  };
}

type Counts = Pick<ControllerRecord, "replicas" | "present" | "ready">;

function daemonSetCounts(status: RawObject, problems: Problems): Counts {
  return {
    replicas: count(status.desiredNumberScheduled, "status.desiredNumberScheduled", problems),
    present: count(status.currentNumberScheduled, "status.currentNumberScheduled", problems),
    ready: count(status.numberReady, "status.numberReady", problems),
  };
}

function replicaCounts(spec: RawObject, status: RawObject, problems: Problems): Counts {
  const present = status.replicas ?? status.active;
  return {
    replicas:
      count(spec.replicas, "spec.replicas", problems) ??
      count(spec.parallelism, "spec.parallelism", problems),
    // Not every kind says it as a number: an absent count of a Job means none, of others nothing.
    present: typeof present === "number" ? count(present, "status.replicas", problems) : undefined,
    ready: count(status.readyReplicas ?? status.ready, "status.readyReplicas", problems),
  };
}

/** The words of the kinds that are read for a workload that is over. */
const OVER = /^(Complete|Completed|Succeeded|Failed|SuccessCriteriaMet|FailureTarget)$/;

/** The phases of a Workflow and of a Volcano Job in which it makes no more pods. https://volcano.sh/en/docs/vcjob/ */
const ENDED = /^(Succeeded|Completed|Failed|Error|Aborted|Terminated)$/;

function isFinished(conditions: ControllerRecord["conditions"], status: RawObject): boolean {
  if (conditions.some(({ type, status: is }) => is === "True" && OVER.test(type))) return true;
  const state = rawObject(status.state).phase;
  return [status.phase, state].some((word) => typeof word === "string" && ENDED.test(word));
}

/** Steps of a workflow that failed, or cannot get their pod. https://argo-workflows.readthedocs.io/en/latest/fields/#nodestatus */
function failuresOf(status: RawObject, problems: Problems): readonly StepFailure[] {
  return Object.values(rawMap(status.nodes, "status.nodes", problems))
    .map(rawObject)
    .filter(({ type, phase, message }) => {
      return (
        (type === "Pod" || type === undefined) && message && /^(Error|Failed|Pending)$/.test(String(phase))
      );
    })
    .slice(0, 50)
    .map((node) => ({
      step: rawText(node.displayName ?? node.name, "status.nodes[].displayName", problems),
      template: rawText(node.templateName, "status.nodes[].templateName", problems),
      message: rawText(node.message, "status.nodes[].message", problems),
      at: rawTime(node.finishedAt ?? node.startedAt, "status.nodes[].finishedAt", problems),
    }));
}

/** Old ReplicaSets and healthy DaemonSets are many, and say nothing. */
function isOfUse({ kind, replicas = 0, present = 0, ready = 0, conditions }: ControllerRecord): boolean {
  if (kind === "ReplicaSet") return replicas > 0 || present > 0;
  if (kind === "DaemonSet") return replicas === 0 || ready < replicas || conditions.length > 0;
  return true;
}

function controller(
  group: string,
  kind: string,
  plural: string,
  versions: readonly string[],
): FactKind<"controllers"> {
  return {
    fact: "controllers",
    group,
    kind,
    plural,
    versions,
    normalize: (raw) => {
      const record = normalizeController(kind, raw);
      return isOfUse(record) ? record : undefined;
    },
  };
}

/** Kinds that make pods, and those whose pods are made by others in their place. */
export const CONTROLLER_KINDS: readonly FactKind<"controllers">[] = [
  controller("apps", "Deployment", "deployments", ["v1"]),
  controller("apps", "ReplicaSet", "replicasets", ["v1"]),
  controller("apps", "StatefulSet", "statefulsets", ["v1"]),
  controller("apps", "DaemonSet", "daemonsets", ["v1"]),
  controller("batch", "Job", "jobs", ["v1"]),
  controller("batch", "CronJob", "cronjobs", ["v1"]),
  controller("jobset.x-k8s.io", "JobSet", "jobsets", ["v1", "v1alpha2"]),
  controller("leaderworkerset.x-k8s.io", "LeaderWorkerSet", "leaderworkersets", ["v1"]),
  controller("kubeflow.org", "PyTorchJob", "pytorchjobs", ["v1"]),
  controller("kubeflow.org", "TFJob", "tfjobs", ["v1"]),
  controller("kubeflow.org", "MPIJob", "mpijobs", ["v2beta1", "v1"]),
  controller("kubeflow.org", "XGBoostJob", "xgboostjobs", ["v1"]),
  controller("kubeflow.org", "JAXJob", "jaxjobs", ["v1"]),
  controller("kubeflow.org", "PaddleJob", "paddlejobs", ["v1"]),
  controller("kubeflow.org", "Notebook", "notebooks", ["v1", "v1beta1"]),
  controller("trainer.kubeflow.org", "TrainJob", "trainjobs", ["v1alpha1"]),
  controller("ray.io", "RayCluster", "rayclusters", ["v1", "v1alpha1"]),
  controller("ray.io", "RayJob", "rayjobs", ["v1", "v1alpha1"]),
  controller("ray.io", "RayService", "rayservices", ["v1", "v1alpha1"]),
  controller("batch.volcano.sh", "Job", "jobs", ["v1alpha1"]),
  controller("argoproj.io", "Workflow", "workflows", ["v1alpha1"]),
  controller("actions.github.com", "EphemeralRunner", "ephemeralrunners", ["v1alpha1"]),
  controller("serving.kserve.io", "InferenceService", "inferenceservices", ["v1beta1"]),
];
