import { nodeEvidence } from "../evidence.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { siblingsOf } from "../runtime/siblings.ts";
import { evicted } from "./ended-by-node.ts";

const PRESSURE = /^node\.kubernetes\.io\/(disk|memory|pid)-pressure$/;

/**
 * The kubelet evicted a pod of the same owner and keeps the node's taint for the pressure that it found, so that this
 * one, made in its place, may not go there: what the owner's pods use is to be mended, not the node.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/
 */
export const evictedBefore: Rule<PlacementQuestion> = (question) => {
  const { pod, ask, fleet, placement } = question;
  if (placement.roomy.length > 0) return undefined;
  for (const { facts, loss, shortagesMended } of placement.candidates) {
    if (!PRESSURE.test(loss?.by ?? "") || shortagesMended.length > 0) continue;
    const { record } = facts.node;
    const before = siblingsOf(pod, fleet).find(
      (one) => one.reason === "Evicted" && one.nodeName === record.name,
    );
    const finding = before && evicted({ ...question, pod: before });
    if (!finding) continue;
    return {
      ...finding,
      evidence: [...finding.evidence, nodeEvidence(record, "spec.taints", loss?.by ?? "", loss?.since)],
      sentence: `${pod.name} needs ${ask.words} and waits for ${record.name}, which takes no pods (${loss?.by}) since the pod before it ran there: ${finding.sentence}`,
      step: `the pod before it was ${finding.step}`,
    };
  }
  return undefined;
};
