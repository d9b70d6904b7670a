import { unitsInWords } from "../ask.ts";
import { SAYS_INSUFFICIENT, sureBySchedulersWords } from "../certainty.ts";
import { nodeEvidence } from "../evidence.ts";
import type { NodeFit } from "../placement/node-fit.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { amountInWords, countInWords, listInWords, shellWord } from "../wording.ts";

/** Enough accelerators are free on a node, but not enough of something else. */
export const otherResourcesExhausted: Rule<PlacementQuestion> = ({ pod, ask, placement, words }) => {
  if (placement.roomy.length > 0) return undefined;
  const nearest = placement.open
    .filter((fit) => !fit.shortages.some((shortage) => shortage.accelerator))
    .sort((a, b) => a.shortages.length - b.shortages.length || b.units.free - a.units.free);
  const [first] = nearest;
  if (!first) return undefined;
  const { record, gpus } = first.facts.node;
  const short = listInWords(first.shortages.map(shortInWords));
  const free = unitsInWords(ask.accelerators[0]?.[0] ?? "", first.units.free, gpus.model);
  const alike = nearest.length > 1 ? ` (${countInWords(nearest.length - 1, "more node")} alike)` : "";
  return {
    reason: "OtherResourcesExhausted",
    sure: sureBySchedulersWords(words, SAYS_INSUFFICIENT),
    pool: first.facts.node.poolId,
    evidence: [
      ...first.shortages.map(({ resource, asks, free: left }) =>
        nodeEvidence(
          record,
          `status.allocatable["${resource}"]`,
          `${amountInWords(resource, record.allocatable?.[resource] ?? 0)}, of which ${left === 0 ? "none" : amountInWords(resource, left)} free; the pod requests ${amountInWords(resource, asks)}`,
        ),
      ),
      ...(words?.evidence ?? []),
    ],
    sentence: `${pod.name} needs ${ask.words}: ${record.name} has ${free} free${alike}, but only ${short}.`,
    step: `GPUs are free, but on ${record.name} only ${short}`,
    next: [
      `Lower what the pod or its neighbours request of ${listInWords(first.shortages.map((one) => one.resource))}.`,
      `kubectl describe node ${shellWord(record.name)}`,
    ],
  };
};

function shortInWords({ resource, asks, free }: NodeFit["shortages"][number]): string {
  return `${amountInWords(resource, free)} of the ${amountInWords(resource, asks)} that it asks for`;
}
