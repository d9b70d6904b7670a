import type { Fleet } from "../layers/fleet.ts";
import { acceleratorRequests } from "../model/accelerators.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import { layerOf } from "../model/reasons.ts";
import { askOf, asksByClaim } from "./ask.ts";
import { butUnread } from "./certainty.ts";
import { conditionOf } from "./evidence.ts";
import { boundLadder, placementLadder, subjectLadder } from "./ladder.ts";
import { createPlacements, groupAlike, type PlacementOf } from "./placement/placement.ts";
import type { Finding, LogLookup, Question, Rule, SubjectFinding } from "./question.ts";
import { BOUND_RULES, FAILED_RULES, LEAVING_RULES, PLACEMENT_RULES, SUBJECT_RULES } from "./rules/order.ts";
import { isLeftBehind } from "./runtime/left-behind.ts";
import { schedulerWords } from "./scheduler-words.ts";
import type { Blocker, Verdict } from "./verdict.ts";
import { cutText } from "./wording.ts";

/** Names of hostile length do not make sentences of hostile length. */
const SENTENCE_LENGTH = 600;

/** A pod that the scheduler has not spoken of yet is in progress for this long. */
const NORMAL_PLACEMENT_MS = 30_000;

/** Further blockers that a verdict names. */
const BLOCKERS_SHOWN = 2;

const NO_LOGS: LogLookup = () => undefined;

/**
 * Which layer is at fault for every stuck GPU pod, and for every object that lacks GPU pods: most GPUs first, then
 * longest waiting. Pods that do what they should, that are being deleted in time, or that are within the normal time of
 * a start are none. Never throws on data.
 */
export function diagnose(fleet: Fleet, now: number, logs: LogLookup = NO_LOGS): readonly Verdict[] {
  const pods = fleet.gpuPods.filter((pod) => pod.deletedAt === undefined);
  const unplaced = pods.filter((pod) => pod.nodeName === undefined && !isInProgress(pod, now));
  const verdicts = [
    ...diagnoseUnplaced(unplaced, fleet, now, logs),
    ...pods
      .filter((pod) => pod.nodeName !== undefined)
      .flatMap((pod) => diagnoseHeld(BOUND_RULES, pod, fleet, now, logs)),
    ...fleet.gpuPods
      .filter((pod) => pod.nodeName !== undefined && pod.deletedAt !== undefined)
      .flatMap((pod) => diagnoseHeld(LEAVING_RULES, pod, fleet, now, logs)),
    ...fleet.pods
      .filter((pod) => hasFailed(pod, fleet) && !isLeftBehind(pod, fleet, now))
      .flatMap((pod) => diagnoseHeld(FAILED_RULES, pod, fleet, now, logs)),
    ...SUBJECT_RULES.flatMap((rule) => rule(fleet, now)).map((finding) => subjectVerdict(finding, fleet)),
  ];
  return verdicts.sort((a, b) => b.gpus - a.gpus || (a.since ?? now) - (b.since ?? now) || byName(a, b));
}

/**
 * The verdict on one pod that has, or had, a node, by what it has printed too: also on one that has failed and is wanted
 * no more, which is not stuck; undefined where nothing is wrong with it.
 */
export function diagnoseHeldPod(
  pod: PodRecord,
  fleet: Fleet,
  now: number,
  logs: LogLookup,
): Verdict | undefined {
  if (hasFailed(pod, fleet)) return diagnoseHeld(FAILED_RULES, pod, fleet, now, logs)[0];
  if (pod.nodeName === undefined || !fleet.gpuPods.includes(pod)) return undefined;
  const rules = pod.deletedAt === undefined ? BOUND_RULES : LEAVING_RULES;
  return diagnoseHeld(rules, pod, fleet, now, logs)[0];
}

/** It had a node and has failed for good. */
function hasFailed(pod: PodRecord, fleet: Fleet): boolean {
  return (
    pod.phase === "Failed" &&
    pod.nodeName !== undefined &&
    pod.system === undefined &&
    pod.deletedAt === undefined &&
    acceleratorRequests(pod.requests, fleet.acceleratorNames).length > 0
  );
}

/** Where none waits, no node has to be looked at. */
function diagnoseUnplaced(
  pods: readonly PodRecord[],
  fleet: Fleet,
  now: number,
  logs: LogLookup,
): readonly Verdict[] {
  if (pods.length === 0) return [];
  const placementOf = createPlacements(fleet, pods);
  return [...groupAlike(pods)].flatMap(([alike, same]) =>
    diagnoseAlike(alike, same, fleet, placementOf, now, logs),
  );
}

/** Unplaced pods of one scheduling signature: the same placement, each with its own events. */
function diagnoseAlike(
  alike: string,
  pods: readonly PodRecord[],
  fleet: Fleet,
  placementOf: PlacementOf,
  now: number,
  logs: LogLookup,
): Verdict[] {
  const [first] = pods;
  if (!first) return [];
  const ask = askOf(first, fleet.acceleratorNames);
  const placement = placementOf(first, ask, pods.length);
  return pods.flatMap((pod) => {
    const question = { pod, ask, fleet, now, logs, placement, words: schedulerWords(pod, fleet.events) };
    const answer = answerOf(PLACEMENT_RULES, question);
    if (!answer) return [];
    const { finding } = answer;
    return [
      {
        ...podVerdict(question, finding),
        pool: finding.pool ?? placement.pools[0],
        ladder: placementLadder(question, finding),
        isBlurred: finding.isBlurred ?? asksByClaim(ask),
        considered: placement.considered,
        alike,
        blocksNext: answer.blocksNext,
      },
    ];
  });
}

/** A pod that has, or had, a node. */
function diagnoseHeld(
  rules: readonly Rule<Question>[],
  pod: PodRecord,
  fleet: Fleet,
  now: number,
  logs: LogLookup,
): Verdict[] {
  const question = { pod, ask: askOf(pod, fleet.acceleratorNames), fleet, now, logs };
  const answer = answerOf(rules, question);
  if (!answer) return [];
  return [
    {
      ...podVerdict(question, answer.finding),
      pool: fleet.nodes.get(pod.nodeName ?? "")?.poolId,
      ladder: boundLadder(question, answer.finding),
      considered: [],
      alike: undefined,
      blocksNext: answer.blocksNext,
    },
  ];
}

interface Answer {
  readonly finding: Finding;
  readonly blocksNext: readonly Blocker[];
}

/** The first rule that answers; what the ones after it say is what would show once that is mended. */
function answerOf<Q extends Question>(rules: readonly Rule<Q>[], question: Q): Answer | undefined {
  let finding: Finding | undefined;
  const blocksNext: Blocker[] = [];
  for (const rule of rules) {
    if (blocksNext.length >= BLOCKERS_SHOWN) break;
    const found = rule(question);
    if (!found) continue;
    if (!finding) finding = found;
    else if (isFurther(found, finding, blocksNext)) {
      blocksNext.push({ layer: layerOf(found.reason), reason: found.reason, step: found.step });
    }
  }
  return finding && { finding, blocksNext };
}

/** A guess is no further blocker, nor is the same thing said again. */
function isFurther(found: Finding, first: Finding, named: readonly Blocker[]): boolean {
  // That it would fit now is what is left when nothing else is found.
  if (found.reason === "SchedulerDelay") return false;
  if (found.sure.certainty === "low" || found.reason === first.reason) return false;
  return !named.some(({ reason }) => reason === found.reason);
}

function isInProgress(pod: PodRecord, now: number): boolean {
  if (conditionOf(pod, "PodScheduled")?.status === "False") return false;
  return pod.createdAt !== undefined && now - pod.createdAt < NORMAL_PLACEMENT_MS;
}

type Common = Pick<
  Verdict,
  | "layer"
  | "reason"
  | "certainty"
  | "certaintyWhy"
  | "sentence"
  | "evidence"
  | "holders"
  | "next"
  | "gang"
  | "isBlurred"
>;

function commonOf(finding: Finding, fleet: Fleet): Common {
  const sure = butUnread(finding.sure, finding.reads ?? [], fleet.facts);
  return {
    layer: layerOf(finding.reason),
    reason: finding.reason,
    certainty: sure.certainty,
    certaintyWhy: sure.why,
    // A message within may end in a stop of its own.
    sentence: cutText(finding.sentence.replace(/([.…])\.$/, "$1"), SENTENCE_LENGTH),
    evidence: finding.evidence,
    holders: finding.holders ?? [],
    next: finding.next,
    gang: finding.gang,
    isBlurred: finding.isBlurred ?? false,
  };
}

function podVerdict({ pod, ask, fleet }: Question, finding: Finding) {
  return {
    ...commonOf(finding, fleet),
    kind: "Pod",
    namespace: pod.namespace,
    name: pod.name,
    gpus: ask.devices,
    since: stuckSince(pod),
    workload: pod.owner,
  };
}

function subjectVerdict(finding: SubjectFinding, fleet: Fleet): Verdict {
  const { object } = finding;
  return {
    ...commonOf(finding, fleet),
    kind: object.kind,
    namespace: object.namespace,
    name: object.name,
    gpus: finding.gpus,
    since: finding.since ?? object.createdAt,
    workload: object.owner,
    pool: finding.pool,
    ladder: subjectLadder(finding),
    considered: [],
    alike: undefined,
    blocksNext: [],
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
