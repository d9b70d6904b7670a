import type { Reason } from "../../model/reasons.ts";
import { podEvidence } from "../evidence.ts";
import type { PlacementQuestion, Rule } from "../question.ts";

/** What the scheduler's words alone point at; the reason of the few nodes that have GPUs comes first. */
const SAID: readonly (readonly [words: RegExp, reason: Reason])[] = [
  [/volume node affinity conflict/, "VolumeZoneConflict"],
  [/Insufficient \S*(gpu|neuron|tpu|gaudi|mig-|i915)/, "GpusBusy"],
  [/Insufficient|Too many pods/, "OtherResourcesExhausted"],
  [/pod (anti-)?affinity|topology spread/, "TopologyUnsatisfied"],
  [/node affinity|untolerated taint|didn't tolerate/, "RequestNeverFits"],
];

/** Nodes were never read: only the scheduler's own words are left, and no verdict on them is more than a guess. */
export const nodesUnread: Rule<PlacementQuestion> = ({ pod, ask, fleet, words }) => {
  if (fleet.nodesKnown) return undefined;
  const reason = SAID.find(([pattern]) => words && pattern.test(words.refusal))?.[1] ?? "SchedulerDelay";
  return {
    reason,
    sure: { certainty: "low", why: "nodes cannot be read, only the scheduler's message says anything" },
    evidence: words?.evidence ?? [podEvidence(pod, "status.phase", pod.phase, pod.createdAt)],
    sentence: `${pod.name} needs ${ask.words} and is not placed; nodes cannot be read, so why is a guess${words ? " from the scheduler's message" : ""}.`,
    step: "guessed without the nodes",
    next: ["Let Seamline list and watch nodes."],
  };
};
