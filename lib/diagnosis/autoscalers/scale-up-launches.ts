import type { EventRecord } from "../../model/kubernetes.ts";
import { eventEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import type { PlacementQuestion } from "../question.ts";
import { loggedFailures } from "./autoscaler-logs.ts";
import { classifyLaunchError } from "./launch-errors.ts";
import { type FailedLaunch, type LaunchState, NORMAL_LAUNCH_MS } from "./launch-state.ts";
import { isOfGroup, type NodeGroup, nodeGroups } from "./node-groups.ts";
import { type ScaleUpWords, scaleUpWords } from "./scale-up-words.ts";

/** What Cluster Autoscaler, or a cloud's own, has tried for this pod; undefined where it never spoke of it. */
export function scaleUpLaunches(question: PlacementQuestion): LaunchState | undefined {
  const { pod, fleet, now } = question;
  const words = scaleUpWords(pod, fleet.events);
  if (!words) return undefined;
  const groups = groupsOf(words, question);
  const failures = [
    ...(words.failed && !isOverSince(words, words.failed)
      ? [failedByEvent(words.failed, namesOf(groups, words), true)]
      : []),
    ...groups.flatMap(failedInGroup),
    ...(groups.length > 0 ? failedInLogs(groups, question) : failedInSomeGroup(words, question)),
  ].sort((a, b) => b.at - a.at || Number(b.own) - Number(a.own));
  const triggeredAt = words.triggered?.lastAt ?? words.triggered?.firstAt;
  const known = failures.filter(({ error }) => error !== undefined);
  // That a group backs off says less than why.
  const told = known.length > 0 ? known : failures;
  if (!words.triggered || triggeredAt === undefined) return { failed: told, running: [], late: [] };
  const isBackingOff = isBackingOffSince(words, triggeredAt);
  // A later scale-up has overtaken what failed before it.
  const failed = isBackingOff ? told : told.filter(({ at }) => at >= triggeredAt);
  const overtaken = isBackingOff || failed.length > 0;
  const launch = {
    what: namesOf(groups, words),
    since: triggeredAt,
    own: true,
    evidence: eventEvidence(words.triggered),
  };
  const isFresh = now - triggeredAt < NORMAL_LAUNCH_MS;
  const isAskedFor = groups.some(({ status }) => (status?.target ?? 0) > (status?.registered ?? 0));
  return {
    failed,
    running: isFresh && !overtaken ? [launch] : [],
    late: !isFresh && !overtaken && isAskedFor ? [{ ...launch, claim: undefined }] : [],
  };
}

/** The groups that it named for this pod; where it named none, those that have nodes for it, else those that back off. */
function groupsOf(words: ScaleUpWords, { fleet, placement }: PlacementQuestion): readonly NodeGroup[] {
  const all = nodeGroups(fleet);
  const named = [...new Set(words.groups.map(({ name }) => name))];
  if (named.length > 0) {
    return named.map((name) => all.get(name) ?? { name, status: undefined, record: undefined, events: [] });
  }
  if (!words.notTriggered?.reasons.some(({ kind }) => kind === "backoff")) return [];
  const ofCandidates = [...all.values()].filter(({ name }) =>
    placement.candidates.some((fit) => isOfGroup(fit.facts.node.record, name)),
  );
  if (ofCandidates.length > 0) return ofCandidates;
  return [...all.values()].filter(({ status, events: [newest] }) =>
    status ? status.scaleUp === "Backoff" : newest !== undefined && newest.reason !== "ScaledUpGroup",
  );
}

function namesOf(groups: readonly NodeGroup[], words: ScaleUpWords): string {
  const [newest] = words.groups;
  return newest?.name ?? groups[0]?.name ?? "a node group";
}

/** It says that it backs off after it had asked for a node: that launch failed, whatever the reason. */
function isBackingOffSince(words: ScaleUpWords, at: number): boolean {
  const refusal = words.notTriggered;
  if (!refusal || (refusal.event.lastAt ?? 0) < at) return false;
  return refusal.reasons.some(({ kind }) => kind === "backoff");
}

/** No group backs off any more, and a ceiling of our own has stopped it for longer than a retry takes. */
function isOverSince({ notTriggered }: ScaleUpWords, failed: EventRecord): boolean {
  if (!notTriggered) return false;
  const { event, reasons } = notTriggered;
  const isStopped = reasons.some(({ kind }) => kind === "max-size" || kind === "cluster-limit");
  const isOld = (event.lastAt ?? 0) - (failed.lastAt ?? failed.firstAt ?? 0) > NORMAL_LAUNCH_MS;
  return isStopped && isOld && !reasons.some(({ kind }) => kind === "backoff");
}

function failedByEvent(event: EventRecord, what: string, own: boolean): FailedLaunch {
  return {
    what,
    pool: undefined,
    error: classifyLaunchError(event.message),
    message: event.message,
    at: event.lastAt ?? event.firstAt ?? 0,
    own,
    evidence: eventEvidence(event),
  };
}

/** Its newest failure, unless it was made larger since; and what its status says. */
function failedInGroup({ name, events, status, record }: NodeGroup): FailedLaunch[] {
  const [newest] = events;
  const failed = newest && newest.reason !== "ScaledUpGroup" ? [failedByEvent(newest, name, false)] : [];
  if (!status || !record || status.scaleUp !== "Backoff") return failed;
  const message = [status.backoff?.code, status.backoff?.message].filter(Boolean).join(": ");
  const value = message === "" ? "Backoff" : `Backoff (${message})`;
  const at = status.scaleUpSince ?? record.updatedAt ?? 0;
  const evidence = factEvidence(record, `nodeGroups["${name}"].scaleUp`, value, at);
  return [
    ...failed,
    { what: name, pool: undefined, error: classifyLaunchError(message), message, at, own: false, evidence },
  ];
}

/** The longest time for which a group is left alone after a scale-up that failed, and some retries more. */
const RECENT_MS = 60 * 60_000;

/** It backs off, and neither an event nor its status says of which group: what its log tells, where that is one thing. */
function failedInSomeGroup(
  { notTriggered }: ScaleUpWords,
  { fleet, logs, now }: PlacementQuestion,
): FailedLaunch[] {
  if (!notTriggered?.reasons.some(({ kind }) => kind === "backoff")) return [];
  const recent = loggedFailures(fleet, logs, now).filter(({ at }) => now - at < RECENT_MS);
  const [newest] = recent;
  if (!newest || recent.some(({ error }) => error.fault !== newest.error.fault)) return [];
  return [{ what: "a node group", pool: undefined, message: newest.text, own: false, ...newest }];
}

function failedInLogs(groups: readonly NodeGroup[], { fleet, logs, now }: PlacementQuestion): FailedLaunch[] {
  const lines = loggedFailures(fleet, logs, now);
  return groups.flatMap(({ name }) => {
    const line = lines.find(({ text }) => text.includes(name));
    return line ? [{ what: name, pool: undefined, message: line.text, own: false, ...line }] : [];
  });
}
