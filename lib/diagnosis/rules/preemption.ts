import type { Fleet } from "../../layers/fleet.ts";
import type { EventRecord, PodRecord } from "../../model/kubernetes.ts";
import { conditionOf, eventEvidence, podEvidence } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { NodeFit } from "../placement/node-fit.ts";
import type { Finding, PlacementQuestion, Question, Rule } from "../question.ts";
import { listInWords, shellWord } from "../wording.ts";

/** Pods of lower priority hold what it needs, and the scheduler does not, or must not, take it from them. */
export const preemptionNotPossible: Rule<PlacementQuestion> = ({ pod, ask, placement, words, fleet }) => {
  if (!placement.isShortOfDevices || pod.nominatedNodeName !== undefined) return undefined;
  // A victim is on its way out already: that is a preemption, not the lack of one.
  if (/terminating pod/.test(words?.preemption ?? "")) return undefined;
  const never = pod.preemptionPolicy === "Never";
  const said =
    /No preemption victims found|not helpful|not eligible|PodDisruptionBudget|preemptionPolicy/i.exec(
      words?.preemption ?? "",
    )?.[0];
  if ((!never && said === undefined) || pod.priority <= leastPriority(fleet)) return undefined;
  const [first] = placement.open.flatMap((fit) => victimsOn(fit, pod) ?? []);
  if (!first) return undefined;
  const names = listInWords(first.pods.map((one) => `${one.namespace}/${one.name}`));
  const why = never
    ? "its preemptionPolicy is Never"
    : `the scheduler finds no victim that would help (“${said}”): a PodDisruptionBudget or another rule of the pod stands in the way`;
  return {
    reason: "PreemptionNotPossible",
    sure: never
      ? { certainty: "high", why: "the pod's own preemptionPolicy and the priorities of the holders show it" }
      : { certainty: "medium", why: "priorities and the scheduler's message show it; budgets are not read" },
    pool: first.fit.facts.node.poolId,
    evidence: [
      podEvidence(
        pod,
        "spec.priority",
        `${pod.priority}${pod.priorityClassName ? ` (${pod.priorityClassName})` : ""}`,
      ),
      ...(never ? [podEvidence(pod, "spec.preemptionPolicy", "Never")] : []),
      ...first.pods.slice(0, 2).map((one) => podEvidence(one, "spec.priority", String(one.priority))),
      ...(words?.evidence ?? []),
    ],
    holders: placement.holding().holders,
    sentence: `${pod.name} needs ${ask.words} and goes before ${names} on ${first.fit.facts.node.record.name}, but does not take its place: ${why}.`,
    step: `lower priorities hold the GPUs, and ${never ? "it never preempts" : "no victim would help"}`,
    next: [
      never
        ? "Wait for a holder to end, or use a priority class that preempts."
        : `kubectl get pdb -A; kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`,
    ],
  };
};

/** The lowest priority of any pod that holds GPUs. */
const leastPriority = perFleet(({ gpuPods }) =>
  gpuPods.reduce(
    (lowest, { nodeName, priority }) => (nodeName === undefined ? lowest : Math.min(lowest, priority)),
    Number.POSITIVE_INFINITY,
  ),
);

/** Pods of lower priority on a node without which it would have the accelerators. */
function victimsOn(fit: NodeFit, pod: PodRecord): { fit: NodeFit; pods: readonly PodRecord[] } | undefined {
  const short = fit.shortages.filter((one) => one.accelerator);
  const lower = fit.facts.node.pods.filter(
    (one) =>
      one.priority < pod.priority &&
      one.deletedAt === undefined &&
      one.system === undefined &&
      short.some(({ resource }) => (one.requests[resource] ?? 0) > 0),
  );
  const helps = fit.shortages.every(({ resource, asks, free }) => {
    return free + lower.reduce((sum, one) => sum + (one.requests[resource] ?? 0), 0) >= asks;
  });
  return helps && lower.length > 0 ? { fit, pods: lower } : undefined;
}

/** Preemption events by namespace, newest first. */
const preemptions = perFleet(({ events }) => {
  const found = events.all.filter(
    ({ reason, about, message }) =>
      reason === "Preempted" && about.kind === "Pod" && /^Preempted/i.test(message),
  );
  return Map.groupBy(found, ({ about }) => about.namespace);
});

function preemptionsIn(fleet: Fleet, namespace: string): readonly EventRecord[] {
  return preemptions(fleet).get(namespace) ?? [];
}

/** The pod takes the place of one of its workload that had to go for another workload. */
export const preempted: Rule<PlacementQuestion> = ({ pod, ask, fleet, placement, words }) => {
  if (!placement.isShortOfDevices) return undefined;
  const event = preemptionsIn(fleet, pod.namespace).find(({ about }) => {
    if (about.name === pod.name) return true;
    return pod.owner !== undefined && about.name.startsWith(`${pod.owner.name}-`);
  });
  if (!event) return undefined;
  const by = preemptorIn(event.message, fleet);
  const holding = placement.holding();
  return {
    reason: "Preempted",
    sure: { certainty: "high", why: "the scheduler says whom it preempted, and no GPU is free since" },
    evidence: [eventEvidence(event), ...(words?.evidence ?? [])],
    holders: holding.holders,
    sentence: `${pod.name} needs ${ask.words} again: ${event.about.name} lost its place to ${by}, and nothing else is free.`,
    step: `${event.about.name} was preempted by ${by}`,
    next: ["Wait for the workload that goes first, raise the priority, or add capacity."],
  };
};

/** `Preempted by UID on node N` from 1.27 on, `Preempted by NAMESPACE/NAME on node N` before. */
function preemptorIn(message: string, fleet: Fleet): string {
  const [, by = "", place] = /Preempted by (?:pod )?(\S+)(?: on node (\S+))?/i.exec(message) ?? [];
  const node = place?.replace(/\.$/, "");
  const there = node === undefined ? fleet.gpuPods : (fleet.nodes.get(node)?.pods ?? []);
  const pod = there.find((one) => one.uid === by);
  if (pod) return `${pod.namespace}/${pod.name} (priority ${pod.priority})`;
  return by.includes("/") ? by : "a pod of higher priority";
}

/** A pod that has ended for another one of higher priority, and that nothing has replaced. */
export const failedByPreemption: Rule<Question> = ({ pod, ask, fleet }) => {
  const condition = conditionOf(pod, "DisruptionTarget");
  if (pod.reason === "Preempting") return preemptedByKubelet(pod, ask);
  if (condition?.status !== "True" || !/^PreemptionBy/.test(condition.reason)) return undefined;
  const { owner } = pod;
  const isReplaced = fleet.gpuPods.some(
    (one) =>
      owner !== undefined && one.owner?.uid === owner.uid && (one.createdAt ?? 0) >= (pod.createdAt ?? 0),
  );
  if (isReplaced) return undefined;
  return {
    reason: "Preempted",
    sure: { certainty: "high", why: "its DisruptionTarget condition says so" },
    evidence: [
      podEvidence(
        pod,
        'status.conditions["DisruptionTarget"]',
        `${condition.reason}: ${condition.message}`,
        condition.lastTransitionTime,
      ),
    ],
    sentence: `${pod.name} lost its ${ask.words}${pod.nodeName ? ` on ${pod.nodeName}` : ""} to a pod of higher priority, and nothing has replaced it.`,
    step: "it was preempted",
    next: ["Start the workload again, with a higher priority or when GPUs are free."],
  };
};

/** The node's kubelet made room for a pod that the node cannot do without. */
function preemptedByKubelet(pod: PodRecord, ask: Question["ask"]): Finding {
  const says = `${pod.reason}: ${pod.message}`;
  return {
    reason: "Preempted",
    sure: { certainty: "high", why: "the kubelet's own word" },
    evidence: [podEvidence(pod, "status.reason", says, conditionOf(pod, "Ready")?.lastTransitionTime)],
    sentence: `${pod.name} lost its ${ask.words} on ${pod.nodeName}, whose kubelet made room for a critical pod of the node, and nothing has replaced it.`,
    step: "its node's kubelet preempted it for a critical pod",
    next: [
      "Start the workload again, and leave room on the node for what it needs itself: DaemonSets and static pods ask for too little, or came too late.",
    ],
  };
}
