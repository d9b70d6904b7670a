import type { NodePoolRecord } from "../../model/facts/karpenter.ts";
import { karpenterEvent } from "../autoscalers/karpenter-words.ts";
import { couldBeServed, launchesOf } from "../autoscalers/launches.ts";
import { butAtMost, sureBySchedulersWords } from "../certainty.ts";
import { eventEvidence, nodeEvidence, podEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import { mismatchInWords } from "../placement/considered.ts";
import type { Mismatch, NodeFit } from "../placement/node-fit.ts";
import type { Finding, PlacementQuestion, Rule } from "../question.ts";
import { countInWords, listInWords, shellWord } from "../wording.ts";

/**
 * Nodes have what the pod asks for, or node pools could make such, but none could run it as it is written, were it empty
 * and whole.
 */
export const requestNeverFits: Rule<PlacementQuestion> = (question) => {
  const { pod, ask, placement, words } = question;
  const { offers, serving } = launchesOf(question);
  if (placement.candidates.length > 0 || couldBeServed(question)) return undefined;
  const refusing = offers.flatMap(({ pool, mismatch }) => (mismatch ? [{ pool, mismatch }] : []));
  if (placement.offering.length + refusing.length === 0) return undefined;
  const groups = groupNearest(placement.offering);
  const clauses = [
    ...groups.map(({ fits, why }) => `${nodesInWords(fits)} ${why}`),
    ...refusing.map(({ pool, mismatch }) => `a new node of ${pool.name} ${mismatchInWords(mismatch)}`),
  ];
  const sure = sureBySchedulersWords(words, /Insufficient|didn't match Pod's node affinity|taint/);
  const [likely] = serving;
  const told = refusing.some(({ mismatch }) => mismatch.kind === "told")
    ? karpenterEvent(question)
    : undefined;
  return {
    reason: "RequestNeverFits",
    sure: likely
      ? butAtMost(sure, "low", `${likely.pool.name} may be able to make a node for it`)
      : told
        ? butAtMost(sure, "medium", "Karpenter says so; the pool's fields alone do not show it")
        : sure,
    evidence: [
      ...evidenceOf(question, groups),
      ...refusing
        .filter(({ mismatch }) => mismatch.kind !== "told")
        .slice(0, 2)
        .map(({ pool, mismatch }) => poolEvidence(pool, mismatch)),
      ...(told ? [eventEvidence(told)] : []),
      ...(words?.evidence ?? []),
    ],
    sentence: `${pod.name} needs ${ask.words} and can never be placed as it is written: ${listInWords(clauses)}.`,
    step: `no node could run it as written: ${listInWords(clauses)}`,
    next: [
      "Change what the pod asks for (requests, nodeSelector, affinity, tolerations), or add nodes that match it.",
      `kubectl -n ${shellWord(pod.namespace)} get pod ${shellWord(pod.name)} -o yaml`,
    ],
    reads: ["nodePools"],
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
  const groups = Map.groupBy(nearest, (fit) => listInWords(fit.mismatches.map(mismatchInWords), 2));
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

function poolEvidence(pool: NodePoolRecord, { kind, what }: Mismatch): Finding["evidence"][number] {
  if (kind === "taint") return factEvidence(pool, "spec.template.spec.taints", what);
  return factEvidence(
    pool,
    "spec.template.spec.requirements",
    kind === "selection" ? `not ${what}` : `at most ${what}`,
  );
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
