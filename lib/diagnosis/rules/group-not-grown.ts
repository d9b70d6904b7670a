import { nodePoolOf } from "../../layers/node-labels.ts";
import { asksByClaim } from "../ask.ts";
import { type AutoscalerTrouble, autoscalerTrouble } from "../autoscalers/autoscaler-health.ts";
import { brokenLoop } from "../autoscalers/autoscaler-logs.ts";
import { type GrowableGroup, growableGroups, misjudgedGroups } from "../autoscalers/growable-groups.ts";
import { launchesOf } from "../autoscalers/launches.ts";
import { conditionOf, eventEvidence } from "../evidence.ts";
import { selectionMismatch } from "../placement/node-selection.ts";
import type { Finding, PlacementQuestion, Rule, Sure } from "../question.ts";
import { countInWords, shellWord } from "../wording.ts";
import { groupEvidence } from "./autoscaler-limit.ts";

/**
 * A node group of Cluster Autoscaler may grow and would serve the pod, and the autoscaler does not work, or believes that
 * a node of the group has no such devices: of an empty group it knows only what tags and labels tell.
 * https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md#how-can-i-scale-a-node-group-to-0
 */
export const groupNotGrown: Rule<PlacementQuestion> = (question) => {
  const { placement, fleet, now } = question;
  const { running, failed, late, serving } = launchesOf(question);
  if (placement.roomy.length + running.length + failed.length + late.length > 0) return undefined;
  if (placement.candidates.some(({ loss }) => loss !== undefined) || serving.length > 0) return undefined;
  const loop = brokenLoop(fleet, question.logs, now);
  const trouble =
    autoscalerTrouble(fleet, now, "cluster-autoscaler") ??
    (loop && { what: "the autoscaler ends every round with an error of its own", evidence: loop });
  return trouble ? notWorking(question, trouble) : takenForUnfit(question);
};

/** A pod that waits for less time may not have been looked at yet. */
const SILENCE_MS = 5 * 60_000;

function notWorking(question: PlacementQuestion, { what, evidence }: AutoscalerTrouble): Finding | undefined {
  const { pod, placement, now } = question;
  const since = conditionOf(pod, "PodScheduled")?.lastTransitionTime ?? pod.createdAt ?? now;
  if (now - since < SILENCE_MS) return undefined;
  const [growable] = growableGroups(question);
  // Where nodes could run the pod and are taken, more would only help if some group may grow.
  if (!growable && placement.candidates.length > 0) return undefined;
  const sure: Sure = growable
    ? { certainty: "high", why: "its own pod, status or log shows it, and the group has room to grow" }
    : { certainty: "medium", why: "its own pod, status or log shows it; which groups it has is not read" };
  const could = growable ? `${sizeInWords(growable)} could grow for it` : "nothing makes a node for it";
  return found(
    question,
    sure,
    `${could}, but ${what}`,
    [evidence, ...groupEvidence(growable?.group)],
    ["Mend the autoscaler first: its log says why it stopped."],
  );
}

/** It says of every group that a new node would have too few devices of the kind asked for, or does not fit otherwise. */
function takenForUnfit(question: PlacementQuestion): Finding | undefined {
  const refusal = launchesOf(question).scaleUp?.notTriggered;
  if (!refusal?.reasons.every(({ kind }) => kind === "template")) return undefined;
  const resources = question.ask.accelerators.map(([resource]) => resource);
  // No driver publishes a ResourceSlice for a node that is not there.
  const lacksClaims = asksByClaim(question.ask) && question.placement.candidates.length === 0;
  const lack = refusal.reasons
    .filter(
      ({ text }) =>
        resources.some((resource) => text.includes(`Insufficient ${resource}`)) ||
        (lacksClaims && /cannot allocate all claims/.test(text)),
    )
    .reduce((sum, { count }) => sum + count, 0);
  // Early versions say no more than that no group would do.
  const isUntold = refusal.reasons.length === 0;
  if (lack === 0 && !isUntold) return undefined;
  const believes = lacksClaims
    ? "no driver publishes devices for a node that is not there, so the autoscaler cannot see that a new one would meet its claim"
    : `the autoscaler believes that a new node would not have enough ${resources.join(" and ")}`;
  const foundIn = (name: string, sure: Sure, what: string, evidence: Finding["evidence"] = []): Finding =>
    found(
      question,
      sure,
      what,
      [eventEvidence(refusal.event), ...evidence],
      [
        lacksClaims
          ? `Keep one node in ${name}, so that the autoscaler sees which devices its nodes offer.`
          : `Tell the autoscaler what a node of ${name} has: on AWS the tag k8s.io/cluster-autoscaler/node-template/resources/${resources[0]}, elsewhere the accelerator label of the pool.`,
      ],
    );

  const [growable] = growableGroups(question);
  if (growable) {
    const { name } = growable.group;
    const sure = isUntold ? UNTOLD : sureOfGroup(question, growable);
    const what = `${sizeInWords(growable)} is not grown for it: ${believes}`;
    return foundIn(shellWord(name), sure, what, groupEvidence(growable.group));
  }
  if (question.placement.offering.length > 0) return undefined;
  const [misjudged] = misjudgedGroups(question);
  if (misjudged !== undefined) {
    return foundIn(shellWord(misjudged), SAYS_LOG, `${misjudged} is not grown for it: ${believes}`);
  }
  const sure = lack > 0 ? unseenGroup(question, lack) : undefined;
  return sure && foundIn("the group", sure, `no node group is grown for it: of ${lack} ${believes}`);
}

const UNTOLD: Sure = {
  certainty: "low",
  why: "the group may grow, and the autoscaler does not say why it does not",
};

const SAYS_LOG: Sure = {
  certainty: "medium",
  why: "the autoscaler's log says so of the group; only its name tells its hardware",
};

function sureOfGroup({ ask }: PlacementQuestion, { by }: GrowableGroup): Sure {
  const says = "its own status says that the group may grow";
  if (by === "nodes") return { certainty: "medium", why: `${says}, and its nodes would hold the pod` };
  if (ask.devices > 1) return { certainty: "low", why: `${says}; its machines may have too few devices` };
  return { certainty: "medium", why: `${says}; it is empty, so that only its name tells its hardware` };
}

/** Signs that one of the groups that it speaks of has no node yet, so that it knows of it by tags only. */
function unseenGroup({ pod, fleet }: PlacementQuestion, lack: number): Sure | undefined {
  const nodes = [...fleet.nodes.values()].map(({ record }) => record);
  const selects = Object.keys(pod.nodeSelector).length > 0 || pod.nodeAffinity.length > 0;
  if (selects && nodes.every((node) => selectionMismatch(pod, node) !== undefined)) {
    const why =
      "no node has the labels that the pod selects, and a group that the autoscaler speaks of has them";
    return { certainty: "medium", why };
  }
  const pools = new Set(nodes.map(nodePoolOf));
  if (nodes.length === 0 || pools.has(undefined) || pools.size >= lack) return undefined;
  return {
    certainty: "low",
    why: "it speaks of more node groups than have nodes, so that one is empty; whether its machines have such devices is not read",
  };
}

function sizeInWords({ group, target, max }: GrowableGroup): string {
  return `${group.name} (${target} of at most ${countInWords(max, "node")})`;
}

function found(
  { pod, ask }: PlacementQuestion,
  sure: Sure,
  what: string,
  evidence: Finding["evidence"],
  next: readonly string[],
): Finding {
  return {
    reason: "AutoscalerNotActing",
    sure,
    evidence,
    sentence: `${pod.name} needs ${ask.words}, and ${what}.`,
    step: what,
    next,
    reads: ["autoscalerStatus"],
  };
}
