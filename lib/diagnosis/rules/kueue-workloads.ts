import type { Fleet } from "../../layers/fleet.ts";
import { gpusAsked } from "../../layers/gpus-asked.ts";
import type { PodSet, WorkloadRecord } from "../../model/facts/kueue.ts";
import { waitsForProvisioning } from "../autoscalers/provisioning-check.ts";
import { perFleet } from "../per-fleet.ts";
import type { Finding, SubjectFinding, SubjectRule } from "../question.ts";
import { describeWorkload, type KueueCase, kueueCase } from "../queues/kueue-case.ts";
import { noTopologyDomain, sentAway } from "../queues/kueue-evicted.ts";
import { heldByHand } from "../queues/kueue-held.ts";
import { isOver, isTrue, kueueIndex } from "../queues/kueue-index.ts";
import { quotaExhausted, requestTooLarge } from "../queues/kueue-quota.ts";
import { kueueWords } from "../queues/kueue-words.ts";

/** A workload that Kueue has not looked at yet is in progress for this long. */
const NORMAL_QUEUEING_MS = 30_000;

/** Workloads of Kueue that ask for GPUs, are not admitted, and have no pod that would say so itself. */
export const waitingWorkloads: SubjectRule = (fleet, now) =>
  fleet.facts.workloads.items.flatMap((workload): SubjectFinding[] => {
    const gpus = workload.podSets.reduce((sum, set) => sum + gpusOf(set, fleet) * set.count, 0);
    if (gpus === 0 || isOver(workload) || isTrue(workload, "Admitted")) return [];
    if (workload.createdAt !== undefined && now - workload.createdAt < NORMAL_QUEUEING_MS) return [];
    if (hasPods(fleet).has(workload.uid) || waitsForProvisioning(workload, fleet)) return [];
    const finding = whyNotAdmitted(workload, workload.name, fleet, now);
    const since = workload.conditions.find((one) => one.type === "QuotaReserved")?.lastTransitionTime;
    return [{ ...finding, object: workload, gpus, since }];
  });

function gpusOf({ requests }: PodSet, fleet: Fleet): number {
  return gpusAsked({ requests, annotations: {}, labels: {} }, fleet.acceleratorNames);
}

/** Uids of workloads with a pod that has not ended. */
const hasPods = perFleet((fleet) => {
  const index = kueueIndex(fleet);
  const waiting = fleet.gpuPods
    .filter((pod) => pod.deletedAt === undefined)
    .flatMap((pod) => index.workloadOfPod(pod)?.uid ?? []);
  return new Set(Map.groupBy(waiting, (uid) => uid).keys());
});

/**
 * Why Kueue does not let a workload run: the first of switched off or held, never, evicted, no topology domain, quota,
 * other workloads; else it has not been looked at. `who`: its name in sentences.
 */
export function whyNotAdmitted(workload: WorkloadRecord, who: string, fleet: Fleet, now: number): Finding {
  const one = kueueCase(workload, who, fleet, now);
  return (
    heldByHand(one) ??
    (workload.clusterQueue === undefined ? waitsForQuota(one) : undefined) ??
    notLookedAt(one)
  );
}

function waitsForQuota(one: KueueCase): Finding | undefined {
  return (
    refusedByRule(one) ??
    requestTooLarge(one) ??
    sentAway(one) ??
    quotaExhausted(one) ??
    noTopologyDomain(one) ??
    othersFirst(one)
  );
}

/** Something else than quota is written against it: its namespace, or a gate of Kueue's own. */
function refusedByRule(one: KueueCase): Finding | undefined {
  const words = kueueWords(one.reason, one.message);
  if (words === "limit-range" || words === "invalid") {
    return {
      // Requests above limits are refused everywhere, a LimitRange is the namespace's own.
      reason: words === "invalid" ? "RequestNeverFits" : "NamespaceQuotaExceeded",
      sure: { certainty: "high", why: "Kueue checks what the API server would refuse" },
      evidence: one.says,
      sentence: `${one.who} is not admitted, since the API server would refuse its pods: “${one.message}”.`,
      step: "its pods would be refused",
      next: ["Correct the requests and limits of its pods.", describeWorkload(one.workload)],
    };
  }
  if (words !== "refused") return undefined;
  return {
    reason: "SchedulingGated",
    sure: { certainty: "medium", why: "Kueue says so" },
    evidence: one.says,
    sentence: `${one.who} is not taken by its queue: “${one.message || one.reason}”.`,
    step: one.message || one.reason,
    next: [
      describeWorkload(one.workload),
      "Look at the queue's namespaceSelector and at the workload's own gates and annotations.",
    ],
    reads: ["clusterQueues"],
  };
}

/** There is quota, and Kueue lets others go first. https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#queueing-strategy */
function othersFirst(one: KueueCase): Finding | undefined {
  const { workload, who, queue, fleet } = one;
  if (kueueWords(one.reason, one.message) === "others-not-ready") {
    return {
      reason: "SchedulingGated",
      sure: { certainty: "medium", why: "Kueue says so" },
      evidence: one.says,
      sentence: `${who} is held until all pods of the workloads that were admitted before it are ready.`,
      step: "Kueue waits for other workloads to become ready",
      next: [
        "Look at what keeps the pods of the admitted workloads from becoming ready.",
        describeWorkload(workload),
      ],
    };
  }
  if (queue?.queueingStrategy !== "StrictFIFO") return undefined;
  const ahead = fleet.facts.workloads.items
    .filter(
      (other) =>
        other.uid !== workload.uid && other.active && other.clusterQueue === undefined && !isOver(other),
    )
    .filter(
      (other) => one.index.localQueues.get(`${other.namespace}/${other.queue}`)?.clusterQueue === queue.name,
    )
    .filter((other) => isAhead(other, workload));
  const [first] = ahead;
  if (!first) return undefined;
  return {
    reason: "QueueQuotaExhausted",
    sure: { certainty: "medium", why: "the queue is strictly first in, first out, and another is before it" },
    evidence: one.says,
    sentence: `${who} would fit into the quota of ClusterQueue ${queue.name}, but ${first.namespace}/${first.name} is before it in a strict queue and does not fit.`,
    step: `${first.namespace}/${first.name} blocks the strict queue ${queue.name}`,
    next: [`Mend what ${first.namespace}/${first.name} waits for, or use BestEffortFIFO.`],
    reads: ["clusterQueues", "localQueues"],
  };
}

function isAhead(other: WorkloadRecord, one: WorkloadRecord): boolean {
  if (other.priority !== one.priority) return other.priority > one.priority;
  return (other.createdAt ?? 0) < (one.createdAt ?? 0);
}

function notLookedAt(one: KueueCase): Finding {
  const said = one.message === "" ? "" : `; Kueue last said: “${one.message}”`;
  return {
    reason: "SchedulerDelay",
    sure: { certainty: "low", why: "nothing that is read keeps it from being admitted" },
    evidence: one.says,
    sentence: `${one.who} would fit into the quota of its queue by what is read, and Kueue has not admitted it yet${said}.`,
    step: "Kueue has not admitted it yet",
    next: [describeWorkload(one.workload), "kubectl -n kueue-system get pods"],
    reads: ["clusterQueues", "localQueues", "resourceFlavors"],
  };
}
