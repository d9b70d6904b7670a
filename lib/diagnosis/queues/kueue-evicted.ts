import type { WorkloadRecord } from "../../model/facts/kueue.ts";
import { factEvidence } from "../fact-evidence.ts";
import type { Finding } from "../question.ts";
import type { Evidence } from "../verdict.ts";
import { timeInWords } from "../wording.ts";
import { conditionEvidence, conditionIn, describeWorkload, type KueueCase } from "./kueue-case.ts";
import { kueueWords } from "./kueue-words.ts";

/**
 * It ran, or was about to, and was sent away; it waits again. https://kueue.sigs.k8s.io/docs/concepts/preemption/ and
 * https://kueue.sigs.k8s.io/docs/tasks/manage/setup_wait_for_pods_ready/
 */
export function sentAway(one: KueueCase): Finding | undefined {
  const { workload } = one;
  const evicted = conditionIn(workload, "Evicted");
  const preempted = conditionIn(workload, "Preempted");
  const by = [preempted, evicted].find((condition) => condition?.status === "True");
  if (!by || workload.clusterQueue !== undefined) return undefined;
  const kind = evicted?.status === "True" ? evicted.reason : "Preempted";
  if (/^Preempted/.test(kind)) return wasPreempted(one);
  if (/PodsReady/.test(kind)) return neverReady(one);
  return undefined;
}

function wasPreempted(one: KueueCase): Finding {
  const { workload, who, now } = one;
  const evicted = conditionIn(workload, "Evicted");
  const preempted = conditionIn(workload, "Preempted");
  const shown = [evicted, preempted].filter((condition) => condition?.status === "True");
  const at = shown[0]?.lastTransitionTime;
  const message = shown.map((condition) => condition?.message ?? "").join(" ");
  const preemptor = preemptorOf(one, message, at);
  const preemptorInWords = preemptor
    ? `${preemptor.namespace}/${preemptor.name} (priority ${preemptor.priority}, its own is ${workload.priority})`
    : `another workload${why(preempted?.reason ?? "", message)}`;
  const when = at === undefined ? "" : ` at ${timeInWords(at, now)}`;
  const still = one.message === "" ? "" : `; it waits again: “${one.message}”`;
  return {
    reason: "Preempted",
    sure: { certainty: "high", why: "Kueue has written the eviction into the workload's status" },
    evidence: [
      ...shown.flatMap((condition) => (condition ? [conditionEvidence(workload, condition)] : [])),
      ...(preemptor ? [admissionEvidence(preemptor)] : []),
      ...one.says,
    ],
    sentence: `${who} lost its place${when} to ${preemptorInWords}${still}.`,
    step: `evicted for ${preemptor ? `${preemptor.namespace}/${preemptor.name}` : "another workload"}, waits again`,
    next: [
      describeWorkload(workload),
      "Wait until quota is free again, raise its priority, or ask the queue's owner for quota.",
    ],
    reads: ["workloads"],
  };
}

function why(reason: string, message: string): string {
  if (/InCohort/.test(reason) || /cohort/i.test(message)) return " of its cohort, which took quota back";
  return /priorit/i.test(message) ? " of higher priority" : "";
}

/** How long after an eviction the workload that it was made for is admitted. */
const ADMITTED_WITHIN_MS = 600_000;

/** Named by its uid in newer messages; else the one that was admitted next in the same queue with a higher priority. */
function preemptorOf(one: KueueCase, message: string, at: number | undefined): WorkloadRecord | undefined {
  const uid = /\(UID: ([\w-]+)/.exec(message)?.[1];
  const all = one.fleet.facts.workloads.items;
  if (uid !== undefined) return all.find((other) => other.uid === uid);
  if (at === undefined || !one.queue) return undefined;
  return (one.index.holders.get(one.queue.name) ?? [])
    .map((other) => ({ other, since: conditionIn(other, "QuotaReserved")?.lastTransitionTime ?? 0 }))
    .filter(
      ({ other, since }) => other.uid !== one.workload.uid && since >= at && since - at <= ADMITTED_WITHIN_MS,
    )
    .filter(({ other }) => other.priority > one.workload.priority)
    .sort((a, b) => a.since - b.since)[0]?.other;
}

function admissionEvidence(workload: WorkloadRecord): Evidence {
  const at = conditionIn(workload, "QuotaReserved")?.lastTransitionTime;
  return factEvidence(
    workload,
    "status.admission.clusterQueue",
    `${workload.clusterQueue ?? "none"}, priority ${workload.priority}`,
    at,
  );
}

function neverReady({ workload, who, now }: KueueCase): Finding {
  const evicted = conditionIn(workload, "Evicted");
  const { requeueAt } = workload;
  const again =
    requeueAt !== undefined && requeueAt > now ? `; it is tried again at ${timeInWords(requeueAt, now)}` : "";
  return {
    reason: "GangIncomplete",
    sure: { certainty: "high", why: "Kueue has written the eviction into the workload's status" },
    evidence: evicted ? [conditionEvidence(workload, evicted)] : [],
    sentence: `${who} was taken back since not all of its pods became ready in time${again}.`,
    step: "not all pods became ready in time",
    next: [describeWorkload(workload), "Look at what kept its pods from becoming ready the last time."],
  };
}

/** There is quota, and no place for the pods in the topology that they ask for. */
export function noTopologyDomain(one: KueueCase): Finding | undefined {
  const { workload, who, message, reason } = one;
  const set = workload.podSets.find(({ requiredTopology }) => requiredTopology !== "");
  if (kueueWords(reason, message) !== "topology") return undefined;
  const asked = set ? `${set.count} pods within one ${set.requiredTopology}` : "its pods close together";
  return {
    reason: "TopologyUnsatisfied",
    sure: set
      ? {
          certainty: "high",
          why: "the pods ask for a topology and Kueue's message says that it does not fit",
        }
      : { certainty: "medium", why: "Kueue's message says so" },
    evidence: [
      ...(set
        ? [
            factEvidence(
              workload,
              `spec.podSets["${set.name}"].topologyRequest.required`,
              set.requiredTopology,
            ),
          ]
        : []),
      ...one.says,
    ],
    sentence: `${who} has to place ${asked}, and no domain has room for them: “${message}”.`,
    step: "no topology domain has room",
    next: [describeWorkload(workload), "Free a whole domain, or ask for a wider topology level."],
    reads: ["topologies", "resourceFlavors"],
  };
}
