import type { Fleet } from "../../layers/fleet.ts";
import { gpusAsked } from "../../layers/gpus-asked.ts";
import type { ControllerRecord } from "../../model/facts/controllers.ts";
import type { SubjectRule } from "../question.ts";
import { shellWord } from "../wording.ts";

/** By which a workload is handed to a queue: then the suspension is the queue's. */
const QUEUE_LABELS = ["kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/prebuilt-workload-name"];

/**
 * Workloads that want GPUs and are suspended by their own field, with no queue that would resume them.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#suspending-a-job
 */
export const suspendedByHand: SubjectRule = (fleet) => {
  const queued = new Set(fleet.facts.workloads.items.flatMap(({ owner }) => owner?.uid ?? []));
  return fleet.facts.controllers.items
    .filter((one) => one.suspended && !one.finished && one.deletedAt === undefined && one.owner === undefined)
    .filter((one) => !queued.has(one.uid) && QUEUE_LABELS.every((label) => one.labels[label] === undefined))
    .map((object) => ({ object, gpus: gpusWanted(object, fleet) }))
    .filter(({ gpus }) => gpus > 0)
    .map(({ object, gpus }) => {
      const { kind, namespace, name, conditions } = object;
      const since = conditions.find(
        ({ type, status }) => type === "Suspended" && status === "True",
      )?.lastTransitionTime;
      return {
        object,
        gpus,
        since: since ?? object.createdAt,
        reason: "SchedulingGated",
        sure: {
          certainty: "high",
          why: "no pod is made while it is suspended, and no queue is named that would resume it",
        },
        evidence: [
          {
            object: { kind, namespace, name },
            field: "spec.suspend",
            value: "true",
            at: since ?? object.createdAt,
          },
        ],
        sentence: `${kind} ${name} is suspended by its own spec and belongs to no queue, so nothing resumes it.`,
        step: "suspended, and in no queue",
        next: [
          `kubectl -n ${shellWord(namespace)} get ${kind.toLowerCase()} ${shellWord(name)} -o yaml`,
          "Set suspend to false, or name a queue.",
        ],
        reads: ["controllers", "workloads"],
      };
    });
};

function gpusWanted({ templates }: ControllerRecord, { acceleratorNames }: Fleet): number {
  return templates.reduce((sum, { requests, replicas }) => {
    return sum + replicas * gpusAsked({ requests, annotations: {}, labels: {} }, acceleratorNames);
  }, 0);
}
