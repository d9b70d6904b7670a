import { isFromAutoscaler } from "../autoscalers/autoscaler.ts";
import { karpenterEvent, karpenterSays } from "../autoscalers/karpenter-words.ts";
import { NORMAL_LAUNCH_MS } from "../autoscalers/launch-state.ts";
import { launchesOf } from "../autoscalers/launches.ts";
import { lostClaims } from "../autoscalers/lost-claims.ts";
import { nodeGroups } from "../autoscalers/node-groups.ts";
import type { PoolOffer } from "../autoscalers/pool-offer.ts";
import { conditionOf, eventEvidence, podEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import type { Finding, PlacementQuestion, Rule, Sure } from "../question.ts";
import { cutText, listInWords, timeInWords } from "../wording.ts";
import { contradicts, groupEvidence, reasonsInWords } from "./autoscaler-limit.ts";
import { poolNotReady } from "./pool-not-ready.ts";

/** A pool or a node group could serve the pod, and its autoscaler does not try, or believes that all is well. */
export const autoscalerNotActing: Rule<PlacementQuestion> = (question) => {
  const { placement } = question;
  const { running, failed, late } = launchesOf(question);
  if (placement.roomy.length + running.length + failed.length + late.length > 0) return undefined;
  return claimsWithdrawn(question) ?? groupIdle(question) ?? poolIdle(question);
};

/** Karpenter launches a node for the pod, and takes it away again before the pod has run: more than once. */
function claimsWithdrawn(question: PlacementQuestion): Finding | undefined {
  const lost = lostClaims(question).filter(({ how }) => how === "withdrawn");
  const [newest] = lost;
  const oldest = lost.at(-1);
  if (!newest || !oldest || lost.length < 2) return undefined;
  const why = "its own events say that the nodes joined and were taken away, while the pod still waited";
  const since = timeInWords(oldest.at, question.now);
  const what = `Karpenter has made ${lost.length} nodes for it in ${newest.pool} since ${since} and taken each away before it could run (${cutText(newest.event.message, 120)})`;
  const finding = found(
    question,
    { certainty: "high", why },
    lost.slice(0, 3).map(({ event }) => eventEvidence(event)),
    what,
  );
  return {
    ...finding,
    next: [
      `Let ${newest.pool} keep an empty node for longer (disruption.consolidateAfter, or ttlSecondsAfterEmpty) than its GPUs take to be advertised.`,
      ...finding.next,
    ],
  };
}

function groupIdle(question: PlacementQuestion): Finding | undefined {
  const { scaleUp } = launchesOf(question);
  if (!scaleUp) return undefined;
  const { notTriggered, triggered, groups } = scaleUp;
  const kinds = new Set(notTriggered?.reasons.map(({ kind }) => kind));
  const group = nodeGroups(question.fleet).get(groups[0]?.name ?? "");
  const evidence = [
    ...(notTriggered ? [eventEvidence(notTriggered.event)] : []),
    ...groupEvidence(group),
    ...(triggered ? [eventEvidence(triggered)] : []),
  ];
  if (notTriggered && kinds.has("max-size") && contradicts(question)) {
    const size = group?.status
      ? `${group.name} is at ${group.status.target} of at most ${group.status.max} nodes`
      : "no node group is at its largest size";
    const why =
      "the autoscaler's message says that a largest size is reached, its own status that none is: the status counts";
    return found(
      question,
      { certainty: "high", why },
      evidence,
      `the autoscaler makes no node for it and says that the largest size is reached, though ${size}`,
    );
  }
  if (notTriggered && kinds.has("not-ready")) {
    const why = "the autoscaler says so itself; why the group is not ready is not read";
    return found(
      question,
      { certainty: "medium", why },
      evidence,
      `the autoscaler leaves its node group alone (${reasonsInWords(notTriggered)})`,
    );
  }
  if (notTriggered && kinds.has("backoff")) {
    const why = "a scale-up failed before, and what the cloud answered is not seen";
    return found(
      question,
      { certainty: "low", why },
      evidence,
      "the autoscaler has stopped trying for a while after a scale-up that failed",
    );
  }
  const at = triggered?.lastAt ?? triggered?.firstAt;
  const isLater = (notTriggered?.event.lastAt ?? 0) > (at ?? 0);
  if (triggered && at !== undefined && !isLater && question.now - at >= NORMAL_LAUNCH_MS) {
    const what = `${groups[0]?.name ?? "a node group"} was to grow at ${timeInWords(at, question.now)}, and neither a node nor a word of a failure has come since`;
    return found(
      question,
      { certainty: "medium", why: "what the cloud made of it is not read" },
      evidence,
      what,
    );
  }
  return undefined;
}

function poolIdle(question: PlacementQuestion): Finding | undefined {
  const { pod, fleet, placement, now } = question;
  const { serving } = launchesOf(question);
  const known = serving.filter(({ sure }) => sure);
  // A guess is better than none only where nothing else could explain why the pod waits.
  const isOnly = placement.candidates.length === 0;
  const offers = known.length > 0 ? known : placement.offering.length === 0 ? serving : [];
  const [first] = offers;
  if (!first || (fleet.events.all.length === 0 && !isOnly)) return undefined;
  const where = fitsInWords(first);
  const base = [factEvidence(first.pool, "spec", where)];
  const nominated = fleet.events
    .ofPod(pod.namespace, pod.name)
    .find((event) => event.reason === "Nominated" && isFromAutoscaler(event));
  const node = /\bnode\/([\w.-]+)/.exec(nominated?.message ?? "")?.[1];
  if (nominated && node && (karpenterEvent(question)?.lastAt ?? 0) <= (nominated.lastAt ?? 0)) {
    const why = "Karpenter's event names the node, and that node has no room for the pod";
    const what = `Karpenter takes it for placed on ${node}, which has no room for it, and so launches nothing in ${first.pool.name}`;
    return found(question, { certainty: "medium", why }, [eventEvidence(nominated), ...base], what);
  }
  if (offers.some(({ pool }) => karpenterSays(question, pool.name, "limit"))) return undefined;
  const event = karpenterEvent(question);
  // It names what keeps the pod off: places of other pods, volumes and the like, which the pool's own fields do not show.
  if (event && !isOnly) return undefined;
  const condition = conditionOf(pod, "PodScheduled");
  const since = condition?.lastTransitionTime ?? pod.createdAt ?? now;
  if (condition?.reason !== "Unschedulable" || now - since < SILENCE_MS) return undefined;
  // Karpenter has done its part, or says itself why it cannot.
  if (placement.candidates.some(({ loss }) => loss) || poolNotReady(question)) return undefined;
  const certainty = known.length > 0 && !event ? "medium" : "low";
  const why = event
    ? "the pool's own fields say that it fits, Karpenter's message that it does not"
    : "no event of an autoscaler about the pod is left; whether Karpenter runs is not read";
  const said = event ? eventEvidence(event) : podEvidence(pod, "events", "none of Karpenter");
  return found(
    question,
    { certainty, why },
    [...base, said],
    `Karpenter launches nothing for it, though ${where}`,
  );
}

/** After this long without a word the autoscaler does not look at the pod: it does every ten seconds. */
const SILENCE_MS = 5 * 60_000;

function fitsInWords({ pool, types }: PoolOffer): string {
  const names = types.map(({ name }) => name);
  return `${pool.kind} ${pool.name} could make a node that holds it (${listInWords(names)})`;
}

function found(
  { pod, ask }: PlacementQuestion,
  sure: Sure,
  evidence: Finding["evidence"],
  what: string,
): Finding {
  return {
    reason: "AutoscalerNotActing",
    sure,
    evidence,
    sentence: `${pod.name} needs ${ask.words}, and ${what}.`,
    step: what,
    next: ["Look into the autoscaler's log for this pod and its node group or pool."],
    reads: ["nodePools", "autoscalerStatus"],
  };
}
