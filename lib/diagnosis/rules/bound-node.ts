import { conditionOf, readyEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { shellWord, timeInWords } from "../wording.ts";

/** The node that it is bound to is not Ready, so nothing can start, or be known to run, there. */
export const boundNodeNotReady: Rule<Question> = ({ pod, fleet, now }) => {
  const node = fleet.nodes.get(pod.nodeName ?? "");
  if (!node || node.readiness.ready) return undefined;
  // The node's own trouble may leave the pod at work.
  if (conditionOf(pod, "Ready")?.status === "True") return undefined;
  const { name } = node.record;
  const { reason, since } = node.readiness;
  const when = since === undefined ? "" : ` since ${timeInWords(since, now)}`;
  return {
    reason: "NodeNotReady",
    sure: { certainty: "high", why: "the node's own condition says so" },
    pool: node.poolId,
    evidence: [readyEvidence(node)],
    sentence: `${pod.name} is bound to ${name}, and ${name} is NotReady${when} (${reason || "no reason given"}).`,
    step: `${name} is NotReady`,
    next: [`kubectl describe node ${shellWord(name)}`],
  };
};
