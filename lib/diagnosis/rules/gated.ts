import { conditionOf, podEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import type { Finding, PlacementQuestion, Rule } from "../question.ts";
import { isTrue, kueueIndex } from "../queues/kueue-index.ts";
import { listInWords, shellWord } from "../wording.ts";
import { whyNotAdmitted } from "./kueue-workloads.ts";

/** Whose gate each known scheduling gate is. */
const GATE_OWNERS: readonly (readonly [prefix: string, owner: string])[] = [
  ["kueue.x-k8s.io/", "Kueue"],
  ["scheduling.volcano.sh/", "Volcano"],
  ["scheduling.kai.run/", "KAI"],
  ["kai.scheduler/", "KAI"],
  ["hami.io/", "HAMi"],
];

/**
 * Where the gate is Kueue's and its workload is known, that workload's reason.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/
 */
export const schedulingGated: Rule<PlacementQuestion> = (question) => {
  const { pod } = question;
  const gates = pod.schedulingGates;
  if (gates.length === 0) return undefined;
  const queued = queuedByKueue(question);
  if (queued) return queued;
  const owners = gates.map((gate) => GATE_OWNERS.find(([prefix]) => gate.startsWith(prefix))?.[1]);
  const known = [...new Set(owners.filter((owner) => owner !== undefined))];
  const who = known.length > 0 ? ` of ${listInWords(known)}` : "";
  return {
    reason: "SchedulingGated",
    sure: { certainty: "high", why: "the scheduler does not look at a pod while it has a gate" },
    evidence: [gateEvidence(question)],
    sentence: `${pod.name} is held back by the scheduling gate ${listInWords(gates)}${who}; no scheduler looks at it until that is taken away.`,
    step: `held by ${listInWords(gates)}`,
    next: ["Ask the owner of the gate what it waits for."],
  };
};

function queuedByKueue(question: PlacementQuestion): Finding | undefined {
  const { pod, fleet, now } = question;
  const gate = pod.schedulingGates.find((name) => name.startsWith("kueue.x-k8s.io/"));
  const workload = gate === undefined ? undefined : kueueIndex(fleet).workloadOfPod(pod);
  if (gate !== undefined && !workload) return groupNotWhole(question);
  if (!workload) return undefined;
  if (isTrue(workload, "Admitted")) return stillGated(question, workload);
  const finding = whyNotAdmitted(workload, pod.name, fleet, now);
  return { ...finding, evidence: [gateEvidence(question), ...finding.evidence] };
}

/** Kueue makes the workload of a group of plain pods once all of them exist. */
function groupNotWhole({ pod, fleet }: PlacementQuestion): Finding | undefined {
  const name = pod.labels[POD_GROUP];
  const size = Number(pod.annotations["kueue.x-k8s.io/pod-group-total-count"] ?? Number.NaN);
  if (name === undefined || !Number.isSafeInteger(size) || !fleet.podsKnown) return undefined;
  const there = fleet.pods.filter(
    (one) => one.namespace === pod.namespace && one.labels[POD_GROUP] === name,
  ).length;
  if (there >= size) return undefined;
  return {
    reason: "GangIncomplete",
    sure: { certainty: "high", why: "the pod says how many its group has, and all pods are read" },
    evidence: [
      podEvidence(pod, 'metadata.annotations["kueue.x-k8s.io/pod-group-total-count"]', String(size)),
    ],
    gang: { placed: 0, size },
    sentence: `${pod.name} is gated by Kueue until its group ${name} is whole: ${there} of ${size} pods exist.`,
    step: `group ${name}: ${there} of ${size} pods exist`,
    next: [`Make the missing pods of ${name}, or correct the count in their annotation.`],
  };
}

const POD_GROUP = "kueue.x-k8s.io/pod-group-name";

/** Admitted, and Kueue has not taken its gate away: it has no place for the pod in the topology, or is late. */
function stillGated(
  question: PlacementQuestion,
  workload: Parameters<typeof factEvidence>[0] & { readonly failedNodes: readonly string[] },
): Finding | undefined {
  const { pod } = question;
  if (workload.failedNodes.length === 0) return undefined;
  const nodes = listInWords(workload.failedNodes);
  return {
    reason: "TopologyUnsatisfied",
    sure: {
      certainty: "medium",
      why: "its workload names the failed node; why no other was taken is not read",
    },
    evidence: [
      factEvidence(workload, "status.unhealthyNodes", workload.failedNodes.join(", ")),
      gateEvidence(question),
    ],
    sentence: `${pod.name} is still gated: Kueue has placed its workload on ${nodes}, which has failed, and has found no other place.`,
    step: `no place instead of ${nodes}`,
    next: [`kubectl -n ${shellWord(workload.namespace)} describe workload ${shellWord(workload.name)}`],
    reads: ["workloads"],
  };
}

function gateEvidence({ pod }: PlacementQuestion) {
  const since = conditionOf(pod, "PodScheduled")?.lastTransitionTime;
  return podEvidence(pod, "spec.schedulingGates", pod.schedulingGates.join(", "), since);
}
