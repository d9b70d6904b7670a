import type { Fleet } from "../../layers/fleet.ts";
import { gpusAsked } from "../../layers/gpus-asked.ts";
import type { ControllerRecord, PodTemplate } from "../../model/facts/controllers.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { controllerNamed } from "../controller-named.ts";
import { isHistory } from "../history.ts";
import type { SubjectFinding, SubjectRule } from "../question.ts";
import { quotaShortfall } from "../queues/quota-shortfall.ts";
import { acceleratorsIn, type Refusal, refusalIn, refusalInWords } from "../queues/refusal.ts";
import type { Evidence } from "../verdict.ts";
import { cutText, listInWords, shellWord } from "../wording.ts";

/** A controller that lacks pods for less than this may be about to make them. */
const NORMAL_CREATION_MS = 120_000;

/** What was said when a pod of an object was refused. */
interface Said {
  readonly refusal: Refusal;
  /** Name of the template that the pod was of; undefined where nothing tells. */
  readonly template: string | undefined;
  readonly evidence: Evidence;
  readonly since: number | undefined;
}

/**
 * Objects that want GPUs and get no pod, since the API server does not take it: ResourceQuota, LimitRange or an admission
 * policy. The one that tried is named, not what owns it. https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */
export const refusedPods: SubjectRule = (fleet, now) => {
  const owned = Map.groupBy(
    fleet.pods.filter(({ owner }) => owner !== undefined),
    ({ owner }) => owner?.uid ?? "",
  );
  const found = fleet.facts.controllers.items.flatMap((object) => {
    if (object.deletedAt !== undefined || object.suspended || isOver(object, fleet, now)) return [];
    const pods = owned.get(object.uid) ?? [];
    if (!lacksPods(object, pods)) return [];
    const said = saidOf(object, fleet);
    const finding = said ? toldFinding(object, pods, said, fleet) : silentFinding(object, pods, fleet, now);
    return finding ? [finding] : [];
  });
  const told = [...found, ...untracked(fleet)];
  const children = new Set(told.flatMap(({ object }) => object.owner?.uid ?? []));
  return told.filter(({ object }) => !children.has(object.uid));
};

/** Objects of kinds that are not read, or cannot be, of which an event tells that a quota of GPUs refused their pod. */
function untracked(fleet: Fleet): SubjectFinding[] {
  const found = new Map<string, SubjectFinding>();
  for (const event of fleet.events.all) {
    const { kind, namespace, name, uid } = event.about;
    // One that is read and is not there has gone, and its event is left over.
    if (fleet.facts.controllers.known && ALWAYS_READ.test(kind)) continue;
    const key = `${kind}/${namespace}/${name}`;
    // A pod that is there was not refused, and what is read has been looked at.
    if (event.type !== "Warning" || kind === "Pod" || found.has(key)) continue;
    if (controllerNamed(fleet, event.about)) continue;
    const refusal = refusalIn(event.message);
    if (!refusal || acceleratorsIn(refusal, fleet.acceleratorNames) === 0) continue;
    const object: ControllerRecord = { ...UNREAD, kind, namespace, name, uid: uid || key };
    const said = saidOf(object, fleet);
    const finding = said && toldFinding(object, [], said, fleet);
    const sure = {
      certainty: "medium",
      why: "the API server said so; whether it holds on cannot be seen",
    } as const;
    if (finding) found.set(key, { ...finding, sure });
  }
  return [...found.values()];
}

const ALWAYS_READ = /^(Deployment|ReplicaSet|StatefulSet|DaemonSet|Job|CronJob)$/;

const UNREAD: ControllerRecord = {
  apiVersion: "",
  kind: "",
  namespace: "",
  name: "",
  uid: "",
  labels: {},
  createdAt: undefined,
  deletedAt: undefined,
  problems: [],
  owner: undefined,
  conditions: [],
  replicas: undefined,
  present: undefined,
  ready: undefined,
  suspended: false,
  finished: false,
  templates: [],
  maxSurge: undefined,
  failures: [],
};

function isOver(object: ControllerRecord, fleet: Fleet, now: number): boolean {
  if (!object.finished) return false;
  const ended = Math.max(0, ...object.failures.map(({ at }) => at ?? 0));
  return object.failures.length === 0 || isHistory(ended, fleet, now);
}

/** The pods it has are fewer than those it wants. Where nothing tells, what is said about it decides. */
function lacksPods(object: ControllerRecord, pods: readonly PodRecord[]): boolean {
  const { kind, replicas, present } = object;
  if (kind === "Job" && object.apiVersion.startsWith("batch/")) return (present ?? 0) < (replicas ?? 1);
  if (replicas === undefined || present === undefined) return true;
  const alive = pods.filter(({ phase }) => phase !== "Failed" && phase !== "Succeeded").length;
  return Math.max(present, alive) < replicas;
}

function saidOf(object: ControllerRecord, fleet: Fleet): Said | undefined {
  const { kind, namespace, name } = object;
  const ref = { kind, namespace, name };
  for (const { step, template, message, at } of object.failures) {
    const refusal = refusalIn(message);
    if (refusal) {
      const evidence = { object: ref, field: `status.nodes["${step}"].message`, value: cutText(message), at };
      return { refusal, template, evidence, since: at };
    }
  }
  for (const { type, message, lastTransitionTime: at } of object.conditions) {
    const refusal = refusalIn(message);
    if (refusal) {
      const evidence = {
        object: ref,
        field: `status.conditions["${type}"].message`,
        value: cutText(message),
        at,
      };
      return { refusal, template: undefined, evidence, since: at };
    }
  }
  for (const event of fleet.events.of(kind, namespace, name)) {
    const refusal = event.type === "Warning" ? refusalIn(event.message) : undefined;
    if (refusal) {
      const times = event.count > 1 ? ` ×${event.count}` : "";
      const value = cutText(`${event.reason}${times}: ${event.message}`);
      return {
        refusal,
        template: undefined,
        evidence: { object: ref, field: undefined, value, at: event.lastAt },
        since: event.firstAt ?? event.lastAt,
      };
    }
  }
  return undefined;
}

function toldFinding(
  object: ControllerRecord,
  pods: readonly PodRecord[],
  { refusal, template, evidence, since }: Said,
  fleet: Fleet,
): SubjectFinding | undefined {
  const gpus =
    gpusMissing(object, pods, template, fleet) || Math.ceil(acceleratorsIn(refusal, fleet.acceleratorNames));
  if (gpus === 0) return undefined;
  const quota = "quota" in refusal ? quotaEvidence(object.namespace, refusal.quota, fleet) : undefined;
  const isConfig = refusal.kind === "config";
  const words = refusalInWords(refusal);
  const step = template === undefined || template === "" ? "its pod" : `its step ${template}`;
  return {
    object,
    gpus,
    since: since ?? object.createdAt,
    reason: isConfig ? "ContainerConfigError" : "NamespaceQuotaExceeded",
    sure: {
      certainty: "high",
      why: quota ? "the API server's refusal and the quota agree" : "the API server says so",
    },
    evidence: [evidence, ...(quota ?? [])],
    sentence: `${object.kind} ${object.name} gets no ${pods.length > 0 ? "further " : ""}pod: ${step} was refused, since ${words}.`,
    step: words,
    next: nextOf(object, refusal),
    ...(isConfig ? { ladder: { L3: { state: "ok", detail: "there is no pod to schedule" } } } : {}),
    reads: ["controllers", "resourceQuotas"],
  };
}

/** Nothing is said of it any more, but a quota shows why there is no pod. */
function silentFinding(
  object: ControllerRecord,
  pods: readonly PodRecord[],
  fleet: Fleet,
  now: number,
): SubjectFinding | undefined {
  const isCounted = /^(ReplicaSet|StatefulSet|Job)$/.test(object.kind) && object.replicas !== undefined;
  if (!isCounted || pods.length > 0 || now - (object.createdAt ?? now) < NORMAL_CREATION_MS) return undefined;
  const gpus = gpusMissing(object, pods, undefined, fleet);
  const [template] = object.templates;
  if (gpus === 0 || !template) return undefined;
  const short = quotaShortfall(object.namespace, template.requests, fleet);
  if (!short) return undefined;
  return {
    object,
    gpus,
    since: object.createdAt,
    reason: "NamespaceQuotaExceeded",
    sure: { certainty: "medium", why: "the quota shows it; no message says that a pod was refused" },
    evidence: quotaEvidence(object.namespace, short.quota, fleet) ?? [],
    sentence: `${object.kind} ${object.name} has no pod: ${short.words}.`,
    step: short.words,
    next: nextOf(object, { kind: "limit", text: "" }),
    reads: ["controllers", "resourceQuotas", "limitRanges"],
  };
}

function gpusMissing(
  { templates, replicas, kind }: ControllerRecord,
  pods: readonly PodRecord[],
  template: string | undefined,
  fleet: Fleet,
): number {
  const each = (one: PodTemplate) =>
    gpusAsked({ requests: one.requests, annotations: {}, labels: {} }, fleet.acceleratorNames);
  const meant =
    template === undefined ? [] : templates.filter(({ name }) => name.split(".").at(-1) === template);
  if (meant.length > 0) return Math.max(...meant.map(each));
  if (kind === "Workflow") return Math.max(0, ...templates.map(each));
  const alive = pods.filter(({ phase }) => phase !== "Failed" && phase !== "Succeeded").length;
  const [only] = templates;
  if (templates.length === 1 && only) return each(only) * Math.max(1, (replicas ?? only.replicas) - alive);
  return templates.reduce((sum, one) => sum + each(one) * one.replicas, 0);
}

function quotaEvidence(namespace: string, name: string, fleet: Fleet): readonly Evidence[] | undefined {
  const quota = fleet.facts.resourceQuotas.items.find(
    (one) => one.namespace === namespace && one.name === name,
  );
  if (!quota) return undefined;
  const rows = Object.entries(quota.hard).map(([resource, hard]) => {
    const unit = /(^|\.)cpu$/.test(resource) ? 1000 : /memory|storage$/.test(resource) ? 2 ** 30 : 1;
    const suffix = unit === 2 ** 30 ? " GiB" : "";
    const amount = (value: number) => Math.round((value / unit) * 10) / 10;
    return `${resource} ${amount(quota.used[resource] ?? 0)} of ${amount(hard)}${suffix}`;
  });
  const value = cutText(`used: ${listInWords(rows, 6)}`);
  return [{ object: { kind: "ResourceQuota", namespace, name }, field: "status.used", value, at: undefined }];
}

function nextOf({ namespace, kind, name }: ControllerRecord, refusal: Refusal): readonly string[] {
  const look = `kubectl -n ${shellWord(namespace)} describe ${kind.toLowerCase()} ${shellWord(name)}`;
  const quota = `kubectl -n ${shellWord(namespace)} describe resourcequota,limitrange`;
  switch (refusal.kind) {
    case "unstated":
      return [
        `State requests and limits for ${listInWords(refusal.resources)} in the pod, or give the namespace a LimitRange with defaults.`,
        quota,
      ];
    case "exceeded":
      return ["Let other workloads of the namespace end, or raise its quota.", quota];
    case "limit":
      return ["Ask for what the namespace allows, or change its limits.", quota];
    case "policy":
      return ["Change the pod as the policy asks, or ask the policy's owner.", look];
    case "unanswered":
      return [
        `See whether the pods behind webhook ${refusal.webhook} run, and whether its Service has endpoints.`,
        look,
      ];
    case "config":
      return ["Create what the pod names, or correct its name.", look];
    default:
      return refusal satisfies never;
  }
}
