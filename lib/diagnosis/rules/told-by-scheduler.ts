import type { Reason } from "../../model/reasons.ts";
import { isFromAutoscaler } from "../autoscalers/autoscaler.ts";
import { eventEvidence, podEvidence } from "../evidence.ts";
import type { Finding, PlacementQuestion, Rule } from "../question.ts";
import type { Evidence } from "../verdict.ts";
import { cutText, listInWords, shellWord } from "../wording.ts";

/** What a scheduler or one of its plugins refuses a pod for, and nothing that is read shows: by kinds of wording. */
interface Kind {
  readonly words: RegExp;
  readonly reason: Reason;
  /** What is in the way, behind `is refused since`. */
  readonly what: string;
  readonly next: string;
}

/**
 * Schedulers that count quotas themselves: Koordinator, YuniKorn, the capacity plugin of scheduler-plugins, predicates of
 * clouds. https://koordinator.sh/docs/user-manuals/multi-hierarchy-elastic-quota-management/
 */
const QUOTA: Kind = {
  words:
    /Insufficient quotas? \[|Exceeds\w*Quota|(?:because|since)\b.{0,40}\bElasticQuota|does not fit in queue|queue quota has been exceed|exceed\w* (?:the |its )?(?:queue'?s? )?(?:quota|max resource)/i,
  reason: "QueueQuotaExhausted",
  what: "the quota that its scheduler keeps is used up",
  next: "Compare what the quota or queue holds with its limit, and let other work of it end.",
};

/** What is left where a node has room by all that is read. */
const KINDS: readonly Kind[] = [
  {
    words: /\bgangs?\b|pod ?group|minMember|minAvailable|minCount|sibling pods|at plugin Coscheduling/i,
    reason: "GangIncomplete",
    what: "its group is not placed as a whole",
    next: "Look at the other pods of its group: which of them do not exist, or find no place.",
  },
  {
    words: /free ports for the requested pod ports/i,
    reason: "OtherResourcesExhausted",
    what: "a host port that it asks for is in use there",
    next: "Look for the pod on that node with the same hostPort, or let the pod do without one.",
  },
  {
    words: /max(?:imum)? volume count|ReadWriteOncePod|not have enough free storage/i,
    reason: "OtherResourcesExhausted",
    what: "its volumes cannot be used there now",
    next: "Look at how many volumes the node has attached, and at which pod uses the same claim.",
  },
  {
    words: /Insufficient GPU Memory in one device/i,
    reason: "GpusFragmented",
    what: "no single device of a node has as much left as it asks for",
    next: "Ask for less of one device, or let pods that share devices end or move.",
  },
  {
    words: /cannot align (?:pod|container)|\bNUMA\b|TopologyAffinity/i,
    reason: "GpusFragmented",
    what: "what is free there does not lie on one NUMA node",
    next: "Let small pods of that node end or move, or ask for less than one NUMA node has.",
  },
  {
    words: /Insufficient (?:gpu|rdma) devices/i,
    reason: "GpusBusy",
    what: "no device has what it asks for left",
    next: "Wait for a tenant of a device to end, or ask for less.",
  },
];

/** A quota that only the scheduler knows; asked whether or not nodes have room. */
export const quotaToldByScheduler: Rule<PlacementQuestion> = (question) => toldOf(question, [QUOTA]);

/** A node has room by all that is read, and the scheduler names another thing that is in the way. */
export const toldByScheduler: Rule<PlacementQuestion> = (question) =>
  question.placement.roomy.length === 0 ? undefined : toldOf(question, KINDS);

function toldOf(question: PlacementQuestion, kinds: readonly Kind[]): Finding | undefined {
  const { pod, placement } = question;
  for (const { words: pattern, reason, what, next } of kinds) {
    const said = saidOf(question, pattern);
    if (!said) continue;
    const { roomy } = placement;
    const where =
      roomy.length === 0
        ? "is refused"
        : `would fit on ${listInWords(roomy.map((fit) => fit.facts.node.record.name))}, but is refused`;
    return {
      reason,
      sure: { certainty: "medium", why: "the scheduler says so; nothing that is read shows it" },
      pool: roomy[0]?.facts.node.poolId,
      evidence: [said.evidence],
      sentence: `${pod.name} ${where} by ${pod.schedulerName || "its scheduler"}, since ${what}: “${cutText(said.message, 220)}”.`,
      step: what,
      next: [next, `kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`],
    };
  }
  return undefined;
}

/** The scheduler's refusal, or else what it told in an event under another name. */
function saidOf(
  { pod, words, fleet }: PlacementQuestion,
  pattern: RegExp,
): { readonly message: string; readonly evidence: Evidence } | undefined {
  if (words && pattern.test(words.refusal)) {
    const message = words.refusal.trim();
    return { message, evidence: words.evidence[0] ?? podEvidence(pod, "status.conditions", message) };
  }
  const event = fleet.events
    .ofPod(pod.namespace, pod.name)
    .find(
      (one) => one.component === pod.schedulerName && !isFromAutoscaler(one) && pattern.test(one.message),
    );
  return event && { message: event.message, evidence: eventEvidence(event) };
}
