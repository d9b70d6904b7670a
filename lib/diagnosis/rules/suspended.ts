import type { Fleet } from "../../layers/fleet.ts";
import { gpusAsked } from "../../layers/gpus-asked.ts";
import type { ControllerRecord } from "../../model/facts/controllers.ts";
import type { WorkloadRecord } from "../../model/facts/kueue.ts";
import type { Condition } from "../../model/kubernetes.ts";
import type { SubjectFinding, SubjectRule } from "../question.ts";
import { conditionEvidence, conditionIn, describeWorkload } from "../queues/kueue-case.ts";
import { isOver } from "../queues/kueue-index.ts";
import { shellWord, timeInWords } from "../wording.ts";

/** By which a workload is handed to a queue: then the suspension is the queue's. */
const QUEUE_LABELS = ["kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/prebuilt-workload-name"];

/**
 * Workloads that want GPUs and are suspended by their own field, with no queue that would resume them, or one whose Kueue
 * has not taken them up.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#suspending-a-job
 */
export const suspendedByHand: SubjectRule = (fleet, now) => {
  const queued = new Set(fleet.facts.workloads.items.flatMap(({ owner }) => owner?.uid ?? []));
  return fleet.facts.controllers.items
    .filter((one) => one.suspended && !one.finished && one.deletedAt === undefined && one.owner === undefined)
    .filter((one) => !queued.has(one.uid))
    .flatMap((object): SubjectFinding[] => {
      const gpus = gpusWanted(object, fleet);
      if (gpus === 0) return [];
      const label = QUEUE_LABELS.find((key) => object.labels[key] !== undefined);
      if (label === undefined) return [{ ...inNoQueue(object), gpus }];
      const isNew = object.createdAt !== undefined && now - object.createdAt < NORMAL_QUEUEING_MS;
      return isNew || !fleet.facts.workloads.known ? [] : [{ ...notQueued(object, label), gpus }];
    });
};

/** Kueue makes a Workload for what it manages within this time. */
const NORMAL_QUEUEING_MS = 2 * 60_000;

function inNoQueue(object: ControllerRecord): Omit<SubjectFinding, "gpus"> {
  const { kind, name } = object;
  return {
    ...suspended(object),
    sure: {
      certainty: "high",
      why: "no pod is made while it is suspended, and no queue is named that would resume it",
    },
    sentence: `${kind} ${name} is suspended by its own spec and belongs to no queue, so nothing resumes it.`,
    step: "suspended, and in no queue",
    next: [lookAt(object), "Set suspend to false, or name a queue."],
  };
}

/** It names a queue, and Kueue has not taken it up: its controller does not run, or does not manage the kind or namespace. */
function notQueued(object: ControllerRecord, label: string): Omit<SubjectFinding, "gpus"> {
  const { kind, name, labels } = object;
  return {
    ...suspended(object),
    sure: { certainty: "medium", why: "Kueue makes a Workload for all that it manages, and there is none" },
    sentence: `${kind} ${name} is suspended for queue ${labels[label]}, and Kueue has made no Workload for it, so nothing resumes it.`,
    step: "suspended for a queue, and Kueue has no Workload for it",
    next: [
      lookAt(object),
      `See whether Kueue runs and manages ${kind} in this namespace: kubectl get deployments -A -l app.kubernetes.io/name=kueue`,
    ],
  };
}

/**
 * Workloads that Kueue has admitted, and whose object it has left suspended, or has suspended again without giving the
 * quota back. Another cluster runs what a check of MultiKueue lets through: its object stays suspended here.
 * https://kueue.sigs.k8s.io/docs/concepts/multikueue/
 */
export const admittedButSuspended: SubjectRule = (fleet, now) => {
  const { controllers, workloads, admissionChecks } = fleet.facts;
  const suspendedOnes = new Map(
    controllers.items
      .filter((one) => one.suspended && !one.finished && one.deletedAt === undefined)
      .map((one) => [one.uid, one]),
  );
  const here = new Set(
    admissionChecks.items.filter(({ controller }) => !/multikueue/i.test(controller)).map(({ name }) => name),
  );
  return workloads.items.flatMap((workload): SubjectFinding[] => {
    const object = suspendedOnes.get(workload.owner?.uid ?? "");
    const admitted = conditionIn(workload, "Admitted");
    if (!object || admitted?.status !== "True" || isOver(workload)) return [];
    if (!workload.checks.every(({ name }) => here.has(name))) return [];
    const evicted = conditionIn(workload, "Evicted");
    const last = evicted?.status === "True" ? evicted : admitted;
    const since = last.lastTransitionTime;
    const gpus = gpusWanted(object, fleet);
    if (gpus === 0 || since === undefined || now - since < NORMAL_QUEUEING_MS) return [];
    return [{ ...notResumed(object, workload, last, timeInWords(since, now)), gpus, since }];
  });
};

function notResumed(
  object: ControllerRecord,
  workload: WorkloadRecord,
  last: Condition,
  at: string,
): Omit<SubjectFinding, "gpus"> {
  const { kind, name } = object;
  const base = suspended(object);
  return {
    ...base,
    sure: { certainty: "medium", why: "Kueue resumes what it admits within seconds" },
    evidence: [...base.evidence, conditionEvidence(workload, last)],
    sentence:
      last.type === "Evicted"
        ? `${kind} ${name} is suspended since Kueue evicted ${workload.name} at ${at} (${last.reason}), which still counts as admitted and keeps its quota, so it is not queued again.`
        : `${kind} ${name} is still suspended, though Kueue admitted ${workload.name} at ${at}: nothing has resumed it.`,
    step: "admitted by Kueue, and still suspended",
    next: [
      describeWorkload(workload),
      lookAt(object),
      "Look at the log of Kueue's controller manager, and at webhooks that change or refuse the object.",
    ],
  };
}

function suspended(object: ControllerRecord) {
  const { kind, namespace, name, conditions } = object;
  const since =
    conditions.find(({ type, status }) => type === "Suspended" && status === "True")?.lastTransitionTime ??
    object.createdAt;
  return {
    object,
    since,
    reason: "SchedulingGated",
    evidence: [{ object: { kind, namespace, name }, field: "spec.suspend", value: "true", at: since }],
    reads: ["controllers", "workloads"],
  } as const;
}

function lookAt({ kind, namespace, name }: ControllerRecord): string {
  return `kubectl -n ${shellWord(namespace)} get ${kind.toLowerCase()} ${shellWord(name)} -o yaml`;
}

function gpusWanted({ templates }: ControllerRecord, { acceleratorNames }: Fleet): number {
  return templates.reduce((sum, { requests, replicas }) => {
    return sum + replicas * gpusAsked({ requests, annotations: {}, labels: {} }, acceleratorNames);
  }, 0);
}
