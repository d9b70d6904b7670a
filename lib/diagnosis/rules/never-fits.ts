import { sureBySchedulersWords } from "../certainty.ts";
import { mismatchInWords } from "../considered.ts";
import { nodeEvidence, podEvidence } from "../evidence.ts";
import { groupBy } from "../group-by.ts";
import type { Mismatch, NodeFit } from "../node-fit.ts";
import type { Finding, PlacementQuestion, Rule } from "../question.ts";
import { countInWords, listInWords, shellWord } from "../wording.ts";

/** Nodes have what the pod asks for, but none could run it as it is written, were it empty and whole. */
export const requestNeverFits: Rule<PlacementQuestion> = (question) => {
  const { pod, ask, placement, words } = question;
  if (placement.offering.length === 0 || placement.candidates.length > 0) return undefined;
  const groups = groupNearest(placement.offering);
  const clauses = groups.map(({ fits, why }) => `${nodesInWords(fits)} ${why}`);
  return {
    reason: "RequestNeverFits",
    sure: sureBySchedulersWords(words, /Insufficient|didn't match Pod's node affinity|taint/),
    evidence: [...evidenceOf(question, groups), ...(words?.evidence ?? [])],
    sentence: `${pod.name} needs ${ask.words} and can never be placed as it is written: ${listInWords(clauses)}.`,
    step: `no node could run it as written: ${listInWords(clauses)}`,
    next: [
      "Change what the pod asks for (requests, nodeSelector, affinity, tolerations), or add nodes that match it.",
      `kubectl -n ${shellWord(pod.namespace)} get pod ${shellWord(pod.name)} -o yaml`,
    ],
  };
};

interface Group {
  readonly why: string;
  readonly mismatches: readonly Mismatch[];
  readonly fits: readonly NodeFit[];
}

/** The nodes that the pod misses by least, by what it misses: what its owner most likely had in mind. */
function groupNearest(offering: readonly NodeFit[]): Group[] {
  const least = Math.min(...offering.map(distance));
  const nearest = offering.filter((fit) => distance(fit) === least);
  const groups = groupBy(nearest, (fit) => listInWords(fit.mismatches.map(mismatchInWords), 2));
  return [...groups]
    .map(([why, fits]) => ({ why, fits, mismatches: fits[0]?.mismatches ?? [] }))
    .sort((a, b) => b.fits.length - a.fits.length);
}

/** A node that the pod selects is meant, whatever else is wrong with it. */
function distance({ mismatches }: NodeFit): number {
  return mismatches.length + (mismatches.some((one) => one.kind === "selection") ? 100 : 0);
}

function nodesInWords(fits: readonly NodeFit[]): string {
  const [only] = fits;
  return fits.length === 1 && only
    ? only.facts.node.record.name
    : `each of ${countInWords(fits.length, "node")}`;
}

/** Both sides of what does not meet: the pod's field and a node's. */
function evidenceOf({ pod, ask }: PlacementQuestion, groups: readonly Group[]): Finding["evidence"] {
  return groups.slice(0, 3).flatMap(({ mismatches, fits }) => {
    const node = fits[0]?.facts.node.record;
    const [mismatch] = mismatches;
    if (!node || !mismatch) return [];
    const asked = [...ask.accelerators, ...ask.others].find(([name]) => name === mismatch.resource)?.[1];
    switch (mismatch.kind) {
      case "selection":
        return [podEvidence(pod, "spec.nodeSelector / affinity", `${mismatch.what}: not so on ${node.name}`)];
      case "taint":
        return [nodeEvidence(node, "spec.taints", mismatch.what)];
      default: {
        const field = `status.allocatable["${mismatch.resource}"]`;
        return [nodeEvidence(node, field, `${mismatch.what} at most, the pod requests ${asked ?? "some"}`)];
      }
    }
  });
}
