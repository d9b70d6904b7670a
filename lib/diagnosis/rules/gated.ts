import { conditionOf, podEvidence } from "../evidence.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { listInWords } from "../wording.ts";

/** Whose gate each known scheduling gate is. */
const GATE_OWNERS: readonly (readonly [prefix: string, owner: string])[] = [
  ["kueue.x-k8s.io/", "Kueue"],
  ["scheduling.kai.run/", "KAI"],
  ["hami.io/", "HAMi"],
];

/** https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/ */
export const schedulingGated: Rule<PlacementQuestion> = ({ pod }) => {
  const gates = pod.schedulingGates;
  if (gates.length === 0) return undefined;
  const owners = gates.map((gate) => GATE_OWNERS.find(([prefix]) => gate.startsWith(prefix))?.[1]);
  const known = [...new Set(owners.filter((owner) => owner !== undefined))];
  const who = known.length > 0 ? ` of ${listInWords(known)}` : "";
  const condition = conditionOf(pod, "PodScheduled");
  return {
    reason: "SchedulingGated",
    sure: { certainty: "high", why: "the scheduler does not look at a pod while it has a gate" },
    evidence: [podEvidence(pod, "spec.schedulingGates", gates.join(", "), condition?.lastTransitionTime)],
    sentence: `${pod.name} is held back by the scheduling gate ${listInWords(gates)}${who}; no scheduler looks at it until that is taken away.`,
    step: `held by ${listInWords(gates)}`,
    next: ["Ask the owner of the gate what it waits for."],
  };
};
