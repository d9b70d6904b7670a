import { podEvidence } from "../evidence.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { isSeenByScheduler } from "../scheduler-words.ts";
import { listInWords, shellWord } from "../wording.ts";

/** It would fit, and no scheduler of the name that it asks for has ever looked at it. */
export const schedulerAbsent: Rule<PlacementQuestion> = ({ pod, fleet, placement }) => {
  const name = pod.schedulerName;
  if (placement.roomy.length === 0 || name === "" || name === "default-scheduler") return undefined;
  if (isSeenByScheduler(pod, fleet.events)) return undefined;
  const works = fleet.gpuPods.some((one) => one.schedulerName === name && one.nodeName !== undefined);
  if (works) return undefined;
  return {
    reason: "SchedulerAbsent",
    sure: {
      certainty: "medium",
      why: "no condition, no event and no placed GPU pod shows a scheduler of that name",
    },
    evidence: [podEvidence(pod, "spec.schedulerName", name, pod.createdAt)],
    sentence: `${pod.name} would fit on ${roomyNodes(placement)}, but waits for the scheduler “${name}”, which has left no sign of life.`,
    step: `scheduler ${name} has not looked at it`,
    next: [
      `kubectl get pods -A | grep ${shellWord(name)}`,
      "Correct spec.schedulerName, or start that scheduler.",
    ],
  };
};

/** It fits now by everything that is read. */
export const schedulerDelay: Rule<PlacementQuestion> = ({ pod, placement, words }) => {
  if (placement.roomy.length === 0) return undefined;
  const says = words
    ? "; what the scheduler last said was true then, or rests on objects that are not read"
    : "";
  return {
    reason: "SchedulerDelay",
    sure: { certainty: "low", why: `nothing that is read keeps it from being placed${says}` },
    pool: placement.roomy[0]?.facts.node.poolId,
    evidence: words?.evidence ?? [podEvidence(pod, "spec.schedulerName", pod.schedulerName, pod.createdAt)],
    sentence: `${pod.name} fits on ${roomyNodes(placement)} now, and ${pod.schedulerName || "its scheduler"} has not placed it yet.`,
    step: "it fits now and is not placed",
    next: [`kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`],
  };
};

function roomyNodes({ roomy }: PlacementQuestion["placement"]): string {
  return listInWords(roomy.map((fit) => fit.facts.node.record.name));
}
