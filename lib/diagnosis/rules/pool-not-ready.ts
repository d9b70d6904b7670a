import type { FactObject } from "../../model/facts/fact-object.ts";
import type { NodePoolRecord } from "../../model/facts/karpenter.ts";
import type { Condition } from "../../model/kubernetes.ts";
import { launchesOf, nodeClassOf } from "../autoscalers/launches.ts";
import { conditionEvidence } from "../fact-evidence.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { cutText, listInWords, shellWord } from "../wording.ts";

/** Karpenter leaves a pool alone that is not ready, or whose node class is not. */
export const poolNotReady: Rule<PlacementQuestion> = (question) => {
  const { pod, ask, placement, fleet } = question;
  const { serving, running } = launchesOf(question);
  if (placement.roomy.length > 0 || running.length > 0) return undefined;
  const broken = serving.flatMap(({ pool }) => brokenPart(pool, question) ?? []);
  const [first] = broken;
  if (!first || broken.length < serving.length) return undefined;
  const { pool, object, conditions } = first;
  const told = listInWords(
    conditions.map(({ type, reason, message }) => cutText(`${type}: ${message || reason}`, 120)),
  );
  const what =
    object === pool
      ? `${pool.kind} ${pool.name} is`
      : `${object.kind} ${object.name} of ${pool.kind} ${pool.name} is`;
  return {
    reason: "NodeLaunchFailed",
    sure: {
      certainty: "high",
      why: "the object itself says that it is not ready, and nothing is launched until it is",
    },
    pool: fleet.pools.some(({ id }) => id === `node-pool/${pool.name}`)
      ? `node-pool/${pool.name}`
      : undefined,
    evidence: conditions.map((condition) => conditionEvidence(object, condition)),
    sentence: `${pod.name} needs ${ask.words}, and ${what} not ready (${told}), so nothing is launched.`,
    step: `${what} not ready`,
    next: [`kubectl describe ${object.kind.toLowerCase()} ${shellWord(object.name)}`],
    reads: ["nodePools", "nodeClasses"],
  };
};

/** Until then a condition may be unknown since the object is new. */
const NORMAL_CHECK_MS = 10 * 60_000;

interface BrokenPart {
  readonly pool: NodePoolRecord;
  readonly object: FactObject;
  readonly conditions: readonly Condition[];
}

/** The node class says more than the pool; of its conditions those say more that are not a sum of others. */
function brokenPart(pool: NodePoolRecord, { fleet, now }: PlacementQuestion): BrokenPart | undefined {
  const nodeClass = nodeClassOf(pool, fleet.facts.nodeClasses.items);
  for (const object of [nodeClass, pool]) {
    if (!object) continue;
    const failed = object.conditions.filter(
      ({ type, status, lastTransitionTime: since = now }) =>
        /Ready$|Succeeded$/.test(type) &&
        (status === "False" || (status === "Unknown" && now - since > NORMAL_CHECK_MS)),
    );
    if (failed.length === 0) continue;
    const parts = failed.filter(({ type }) => type !== "Ready");
    return { pool, object, conditions: parts.length > 0 ? parts : failed };
  }
  return undefined;
}
