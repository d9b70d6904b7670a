import type { Fleet } from "../layers/fleet.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import { layerOf } from "../model/reasons.ts";
import { askOf } from "./ask.ts";
import { withAutoscaler } from "./autoscaler.ts";
import { conditionOf } from "./evidence.ts";
import { boundLadder, placementLadder } from "./ladder.ts";
import { factsOfNode, type NodeFacts } from "./node-facts.ts";
import { groupAlike, placementOf } from "./placement.ts";
import type { Finding, PlacementQuestion, Question, Rule } from "./question.ts";
import { boundNodeNotReady } from "./rules/bound-node.ts";
import { capacityNotLaunched, noCapacitySource, reservationNotUsable } from "./rules/capacity-supply.ts";
import { containerConfigError, crashLoop, hostOutOfMemory, imagePullFailed } from "./rules/containers.ts";
import { schedulingGated } from "./rules/gated.ts";
import { gpusTaken } from "./rules/gpus-taken.ts";
import { lostNodes } from "./rules/lost-nodes.ts";
import { requestNeverFits } from "./rules/never-fits.ts";
import { notStarted } from "./rules/not-started.ts";
import { otherResourcesExhausted } from "./rules/other-resources.ts";
import { topologyUnsatisfied, volumeZoneConflict } from "./rules/refused.ts";
import { schedulerAbsent, schedulerDelay } from "./rules/scheduler.ts";
import { nodesUnread } from "./rules/unread-nodes.ts";
import { schedulerWords } from "./scheduler-words.ts";
import type { Verdict } from "./verdict.ts";
import { cutText } from "./wording.ts";

/** For a pod that no node has: the first rule that answers names the lowest broken layer. */
const PLACEMENT_RULES: readonly Rule<PlacementQuestion>[] = [
  schedulingGated,
  nodesUnread,
  lostNodes,
  capacityNotLaunched,
  reservationNotUsable,
  noCapacitySource,
  requestNeverFits,
  gpusTaken,
  otherResourcesExhausted,
  volumeZoneConflict,
  topologyUnsatisfied,
  schedulerAbsent,
  schedulerDelay,
];

/** For a pod that a node has. */
const BOUND_RULES: readonly Rule<Question>[] = [
  boundNodeNotReady,
  imagePullFailed,
  containerConfigError,
  hostOutOfMemory,
  crashLoop,
  notStarted,
];

/** Names of hostile length do not make sentences of hostile length. */
const SENTENCE_LENGTH = 600;

/** A pod that the scheduler has not spoken of yet is in progress for this long. */
const NORMAL_PLACEMENT_MS = 30_000;

/**
 * Which layer is at fault for every stuck GPU pod: most GPUs first, then longest waiting. Pods that run, that are being
 * deleted, or that are within the normal time of a start are none. Never throws on data.
 */
export function diagnose(fleet: Fleet, now: number): readonly Verdict[] {
  const pods = fleet.gpuPods.filter((pod) => pod.deletedAt === undefined);
  const unplaced = pods.filter((pod) => pod.nodeName === undefined && !isInProgress(pod, now));
  const facts = [...fleet.nodes.values()].map((node) => factsOfNode(node, fleet.acceleratorNames));
  const verdicts = [
    ...[...groupAlike(unplaced)].flatMap((alike) => diagnoseAlike(alike, fleet, facts, now)),
    ...pods.flatMap((pod) => diagnoseBound(pod, fleet, now)),
  ];
  return verdicts.sort((a, b) => b.gpus - a.gpus || (a.since ?? now) - (b.since ?? now) || byName(a, b));
}

/** Unplaced pods of one scheduling signature: the same placement, each with its own events. */
function diagnoseAlike(
  pods: readonly PodRecord[],
  fleet: Fleet,
  facts: readonly NodeFacts[],
  now: number,
): Verdict[] {
  const [first] = pods;
  if (!first) return [];
  const ask = askOf(first, fleet.acceleratorNames);
  const placement = placementOf(first, ask, fleet, facts, pods.length);
  return pods.flatMap((pod) => {
    const question = { pod, ask, fleet, now, placement, words: schedulerWords(pod, fleet.events) };
    const found = firstOf(PLACEMENT_RULES, question);
    if (!found) return [];
    const finding = withAutoscaler(found, pod, fleet.events);
    return [
      {
        ...verdictOf(question, finding),
        pool: finding.pool ?? placement.pools[0],
        ladder: placementLadder(question, finding),
        considered: placement.considered,
      },
    ];
  });
}

function diagnoseBound(pod: PodRecord, fleet: Fleet, now: number): Verdict[] {
  if (pod.nodeName === undefined) return [];
  const question = { pod, ask: askOf(pod, fleet.acceleratorNames), fleet, now };
  const finding = firstOf(BOUND_RULES, question);
  if (!finding) return [];
  return [
    {
      ...verdictOf(question, finding),
      pool: fleet.nodes.get(pod.nodeName)?.poolId,
      ladder: boundLadder(question, finding),
      considered: [],
    },
  ];
}

function firstOf<Q extends Question>(rules: readonly Rule<Q>[], question: Q): Finding | undefined {
  for (const rule of rules) {
    const finding = rule(question);
    if (finding) return finding;
  }
  return undefined;
}

function isInProgress(pod: PodRecord, now: number): boolean {
  if (conditionOf(pod, "PodScheduled")?.status === "False") return false;
  return pod.createdAt !== undefined && now - pod.createdAt < NORMAL_PLACEMENT_MS;
}

type Common = Omit<Verdict, "pool" | "ladder" | "considered">;

function verdictOf({ pod, ask }: Question, finding: Finding): Common {
  return {
    kind: "Pod",
    namespace: pod.namespace,
    name: pod.name,
    layer: layerOf(finding.reason),
    reason: finding.reason,
    certainty: finding.sure.certainty,
    certaintyWhy: finding.sure.why,
    // A message within may end in a stop of its own.
    sentence: cutText(finding.sentence.replace(/([.…])\.$/, "$1"), SENTENCE_LENGTH),
    gpus: ask.devices,
    since: stuckSince(pod),
    workload: pod.owner,
    evidence: finding.evidence,
    holders: finding.holders ?? [],
    next: finding.next,
  };
}

/** Unplaced: since the scheduler refused it. Bound: since it is not Ready. Else its last crash, or its creation. */
function stuckSince(pod: PodRecord): number | undefined {
  const condition = conditionOf(pod, pod.nodeName === undefined ? "PodScheduled" : "Ready");
  if (condition?.status === "False" && condition.lastTransitionTime !== undefined) {
    return condition.lastTransitionTime;
  }
  const crashes = pod.containers.flatMap(({ lastTermination }) => lastTermination?.finishedAt ?? []);
  return crashes.length > 0 ? Math.max(...crashes) : pod.createdAt;
}

function byName(a: Verdict, b: Verdict): number {
  const [one, two] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`];
  return one < two ? -1 : one > two ? 1 : 0;
}
