import type { Fleet } from "../../layers/fleet.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { conditionOf, eventEvidence, podEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { Finding, PlacementQuestion, Rule } from "../question.ts";
import { type GangRecord, gangOf } from "../queues/gangs.ts";
import { conditionEvidence } from "../queues/kueue-case.ts";
import type { Evidence } from "../verdict.ts";
import { countInWords, listInWords, shellWord } from "../wording.ts";
import { capacityNotLaunched } from "./capacity-supply.ts";
import { lostNodes } from "./lost-nodes.ts";

/**
 * The pod could have a place, or some of its gang could, and the gang as a whole cannot: members are missing, or there is
 * room for a part of them only. Where nobody of it finds room, whatever takes the room away is what is wrong.
 * https://volcano.sh/en/docs/plugins/#gang
 */
export const gangIncomplete: Rule<PlacementQuestion> = (question) => {
  const { pod, fleet } = question;
  const gang = gangOf(pod, fleet);
  if (!gang || gang.placed >= gang.size) return undefined;
  const missing = gang.size - gang.members.length;
  if (missing > 0) return membersMissing(question, gang, missing);
  const room = roomFor(question);
  const needed = gang.size - gang.placed;
  if (room >= needed) return heldByOther(question, gang);
  const brothers = gang.members.filter((one) => one.uid !== pod.uid && one.nodeName === undefined);
  const fitting = room > 0 ? room : brothers.filter(saysFits).length;
  if (fitting === 0) return undefined;
  const below = belowIt(question, gang, needed - fitting);
  if (below) return below;
  return {
    ...base(question, gang),
    sure: sureOf(question, gang),
    sentence: `${pod.name} waits for its gang ${gang.name}: ${countInWords(gang.size, "pod")} must be placed at once, ${gang.placed} ${gang.placed === 1 ? "is" : "are"}, and there is room for ${fitting} of the ${needed}${gang.placed > 0 ? " others" : ""} only.`,
    step: `gang ${gang.name}: room for ${gang.placed + fitting} of ${gang.size}`,
    next: [
      "Free GPUs or add nodes for the whole gang at once, or lower its minimum.",
      "An autoscaler that counts single pods may see room for some of them and start too few nodes: look at its events.",
      describeGroup(question, gang),
    ],
  };
};

/** Nodes that are lost, or paid and not launched, would give the `rest` of the gang its place. */
function belowIt(question: PlacementQuestion, gang: GangRecord, rest: number): Finding | undefined {
  const { ask, placement } = question;
  const asks = ask.accelerators[0]?.[1] ?? 1;
  const mended = placement.candidates
    .filter((fit) => fit.loss && fit.shortagesMended.length === 0)
    .reduce((sum, fit) => sum + Math.max(1, Math.floor(fit.units.mended / asks)), 0);
  const slots = placement.slots.reduce((sum, slot) => sum + slot.free, 0);
  if (mended + slots < rest) return undefined;
  const forTheRest = { ...question, placement: { ...placement, roomy: [] } };
  const found = lostNodes(forTheRest) ?? capacityNotLaunched(forTheRest);
  return found && { ...found, gang: { placed: gang.placed, size: gang.size } };
}

/** As many pods as the gang needs are not even there. */
function membersMissing(question: PlacementQuestion, gang: GangRecord, missing: number): Finding {
  const there = gang.members.length;
  const known = question.fleet.podsKnown;
  return {
    ...base(question, gang),
    sure: known
      ? { certainty: "high", why: "the group says how many pods it needs, and all pods are read" }
      : { certainty: "low", why: "not all pods are read" },
    sentence: `${question.pod.name} waits for its gang ${gang.name}: it needs ${countInWords(gang.size, "pod")} at once, and only ${there} ${there === 1 ? "exists" : "exist"}.`,
    step: `gang ${gang.name}: ${missing} of ${gang.size} pods do not exist`,
    next: [
      "Look at why the others were not made, or have ended: their owner's events say so.",
      describeGroup(question, gang),
    ],
  };
}

/** This pod's kind would fit as often as needed: another member is what does not, where the scheduler says so. */
function heldByOther(question: PlacementQuestion, gang: GangRecord): Finding | undefined {
  const refused = gang.members.filter(
    (one) => one.nodeName === undefined && saysRefused(one) && isOther(one, question),
  );
  const [first] = refused;
  const says = gangWords(question, gang);
  if (!first && !says) return undefined;
  const because = first
    ? `${listInWords(refused.map((one) => one.name))} cannot be placed (${conditionOf(first, "PodScheduled")?.message.slice(0, 160)})`
    : "by its requests it would fit, and its scheduler says that the gang is not ready";
  const { evidence, ...rest } = base(question, gang);
  return {
    ...rest,
    evidence: first ? [...evidence, conditionOfPod(first)] : evidence,
    sure: first
      ? { certainty: "high", why: "this pod would fit, and the scheduler refuses another of its gang" }
      : { certainty: "medium", why: "the scheduler says so; by what is read the gang would fit" },
    sentence: `${question.pod.name} waits for its gang ${gang.name} of ${gang.size}: ${because}.`,
    step: first ? `gang ${gang.name}: ${first.name} cannot be placed` : `gang ${gang.name} is not ready`,
    next: [describeGroup(question, gang)],
  };
}

function base(question: PlacementQuestion, gang: GangRecord) {
  return {
    reason: "GangIncomplete" as const,
    pool: question.placement.roomy[0]?.facts.node.poolId,
    gang: { placed: gang.placed, size: gang.size },
    evidence: gangEvidence(question, gang),
    reads: ["podGroups"] as const,
  };
}

function sureOf(question: PlacementQuestion, gang: GangRecord): Finding["sure"] {
  return gangWords(question, gang)
    ? {
        certainty: "high",
        why: "the nodes have room for a part of the gang, and its scheduler says the same",
      }
    : { certainty: "medium", why: "the nodes have room for a part of the gang; its scheduler names no gang" };
}

/** How many pods such as this one have room now, over all nodes. */
function roomFor({ pod, ask, placement: { roomy } }: PlacementQuestion): number {
  const asked = [...ask.accelerators, ...ask.others];
  return roomy.reduce((sum, { facts: { node } }) => {
    const times = asked.map(([resource, amount]) => {
      const free = node.free[resource];
      return free === undefined ? Number.POSITIVE_INFINITY : Math.floor(free / amount);
    });
    const most = Math.max(1, Math.min(...times));
    return sum + (isAlone(pod.podAntiAffinity) ? 1 : most);
  }, 0);
}

/** Members that keep each other off a node, one pod a node. */
function isAlone(terms: PodRecord["podAntiAffinity"]): boolean {
  return terms.some((term) => term.topologyKey === "kubernetes.io/hostname");
}

/** Volcano marks members that would fit: `Schedulable`. */
function saysFits(pod: PodRecord): boolean {
  return conditionOf(pod, "PodScheduled")?.reason === "Schedulable";
}

const GANG_SAYS =
  /gang|pod ?group|minAvailable|minMember|min(?:imum)? (?:number of )?(?:pods|members)|Undetermined|can possibly be assigned/i;

/** Asks for something else: what is said of one that is alike would show on this one too. */
function isOther(one: PodRecord, { pod, fleet }: PlacementQuestion): boolean {
  return asksOf(one, fleet) !== asksOf(pod, fleet);
}

/** Uid of a pod -> all by which nodes tell it from others. */
const asked = perFleet(() => new Map<string, string>());

function asksOf({ uid, requests, nodeSelector, nodeAffinity, tolerations }: PodRecord, fleet: Fleet): string {
  const known = asked(fleet).get(uid);
  if (known !== undefined) return known;
  const asks = JSON.stringify([requests, nodeSelector, nodeAffinity, tolerations]);
  asked(fleet).set(uid, asks);
  return asks;
}

/** Refused for a reason of its own. */
function saysRefused(pod: PodRecord): boolean {
  const condition = conditionOf(pod, "PodScheduled");
  return (
    condition?.status === "False" &&
    condition.reason === "Unschedulable" &&
    !GANG_SAYS.test(condition.message)
  );
}

function conditionOfPod(pod: PodRecord): Evidence {
  const condition = conditionOf(pod, "PodScheduled");
  const value = `${condition?.reason}: ${condition?.message}`;
  return podEvidence(pod, 'status.conditions["PodScheduled"]', value, condition?.lastTransitionTime);
}

/** Whatever shows that the scheduler thinks of the gang. */
function gangWords({ pod, words, fleet }: PlacementQuestion, { group, name }: GangRecord): boolean {
  if (words && GANG_SAYS.test(words.refusal)) return true;
  const said =
    group?.conditions.some((one) => one.status === "True" && /Unschedulable/.test(one.type)) ?? false;
  return (
    said ||
    fleet.events.of("PodGroup", pod.namespace, name).some((event) => /Unschedulable|Gang/.test(event.reason))
  );
}

function gangEvidence(
  { pod, words, fleet }: PlacementQuestion,
  { group, name, members }: GangRecord,
): Evidence[] {
  const unschedulable = group?.conditions.find(
    (one) => /Unschedulable/.test(one.type) && one.status === "True",
  );
  const event = fleet.events.of("PodGroup", pod.namespace, name)[0];
  return [
    ...(group?.minMember === undefined
      ? []
      : [factEvidence(group, "spec.minMember", `${group.minMember}, ${members.length} pods there`)]),
    ...(group && unschedulable
      ? [conditionEvidence(group, unschedulable)]
      : event
        ? [eventEvidence(event)]
        : []),
    ...(words?.evidence ?? []),
  ];
}

function describeGroup({ pod }: PlacementQuestion, gang: GangRecord): string {
  return `kubectl -n ${shellWord(pod.namespace)} describe podgroup ${shellWord(gang.name)}`;
}
