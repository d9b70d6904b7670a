import { butAtMost } from "../certainty.ts";
import { podEvidence } from "../evidence.ts";
import type { NodeFit } from "../placement/node-fit.ts";
import { neighbourCheck } from "../placement/pod-neighbours.ts";
import { withinVolumes } from "../placement/volume-reach.ts";
import type { PlacementQuestion, Rule, Sure } from "../question.ts";
import type { Evidence } from "../verdict.ts";
import { countInWords, listInWords, shellWord } from "../wording.ts";

/** A node has room by its requests, and affinity, anti-affinity or spread against other pods rules it out. */
export const topologyUnsatisfied: Rule<PlacementQuestion> = (question) => {
  const { pod, placement, words, fleet } = question;
  if (placement.roomy.length === 0) return undefined;
  const within = withinVolumes(pod, placement.roomy, fleet);
  const check = neighbourCheck(pod, fleet);
  const isRuledOut = within.length > 0 && within.every(({ facts }) => check(facts.node.record) !== undefined);
  const [first] = within;
  const rule = isRuledOut && first ? check(first.facts.node.record) : undefined;
  const refused = SAYS_TOPOLOGY.exec(words?.refusal ?? "")?.[0];
  // Rules of the pod that hold by now overrule what was said of them before, not what is said of them now.
  const isOverruled = pod.hasPodPlacementRules && !isSaidNow(question);
  if (!isRuledOut && (refused === undefined || isOverruled)) return undefined;
  const agreed: Sure = {
    certainty: "high",
    why: "the rules, the pods that are placed and the scheduler's message agree",
  };
  const sure = !isRuledOut
    ? butAtMost(
        agreed,
        pod.hasPodPlacementRules ? "low" : "medium",
        pod.hasPodPlacementRules
          ? "only the scheduler's message shows it, by the rules as far as they are read it would fit"
          : "the rules are not the pod's own, only the scheduler's message shows them",
      )
    : refused === undefined
      ? butAtMost(agreed, "medium", "the scheduler's message names other reasons")
      : agreed;
  const nodes = roomyNodes(placement.roomy);
  const because = rule ?? `the scheduler reports “${refused}”`;
  return {
    reason: "TopologyUnsatisfied",
    sure,
    evidence: [
      ...(rule !== undefined && first ? [ruleEvidence(question, first, rule)] : []),
      ...(words?.evidence ?? []),
    ],
    sentence: `${pod.name} would fit on ${nodes}, but its place is ruled out by pods that are placed already: ${because}.`,
    step: `${countInWords(placement.roomy.length, "node")} with room, placement rules between pods forbid it`,
    next: [
      `kubectl -n ${shellWord(pod.namespace)} get pod ${shellWord(pod.name)} -o jsonpath='{.spec.affinity}{.spec.topologySpreadConstraints}'`,
      "Loosen the rule, or move the pod that it is about to a node with free GPUs.",
    ],
  };
};

/** A scheduler looks at a refused pod again within this time. */
const AGAIN_MS = 6 * 60_000;

/** An event has the time of the last refusal, a condition that of the first. */
function isSaidNow({ words, now }: PlacementQuestion): boolean {
  return words?.evidence.some(({ field, at = 0 }) => field === undefined && now - at < AGAIN_MS) ?? false;
}

/** What kube-scheduler prints for rules between pods. */
const SAYS_TOPOLOGY =
  /didn't match pod (anti-)?affinity( rules)?|didn't match pod topology spread constraints( \(missing required label\))?|didn't satisfy existing pods anti-affinity rules|pod affinity\/anti-affinity/;

function ruleEvidence({ pod }: PlacementQuestion, { facts }: NodeFit, rule: string): Evidence {
  const field =
    pod.topologySpread.length > 0 && /maxSkew|is spread over/.test(rule)
      ? "spec.topologySpreadConstraints"
      : "spec.affinity";
  return podEvidence(pod, field, `on ${facts.node.record.name}: ${rule}`);
}

function roomyNodes(roomy: readonly NodeFit[]): string {
  return listInWords(roomy.map((fit) => fit.facts.node.record.name));
}
