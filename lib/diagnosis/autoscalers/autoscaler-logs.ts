import type { Fleet } from "../../layers/fleet.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { podEvidence } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { LogLookup } from "../question.ts";
import type { Evidence } from "../verdict.ts";
import { classifyLaunchError, type LaunchError } from "./launch-errors.ts";

/** A line of an autoscaler's log that tells of a failed launch. */
export interface LoggedFailure {
  readonly text: string;
  readonly error: LaunchError;
  readonly at: number;
  readonly evidence: Evidence;
}

/** Text of a log -> what it tells: many pods ask for the same one. */
const readLogs = perFleet(() => new Map<string, readonly LoggedFailure[]>());

interface Controller {
  readonly pod: PodRecord;
  readonly container: string;
}

/** Failed launches in the logs of the autoscalers that run in the cluster, newest first; none where no log is at hand. */
export function loggedFailures(fleet: Fleet, logs: LogLookup, now: number): readonly LoggedFailure[] {
  const read = readLogs(fleet);
  const found = controllersOf(fleet).flatMap(({ pod, container }) => {
    const text = logs(pod.namespace, pod.name, container);
    if (text === undefined) return [];
    const known = read.get(text);
    if (known) return known;
    const failures = text.split("\n").flatMap((line) => failureIn(line, pod, container, now) ?? []);
    read.set(text, failures);
    return failures;
  });
  return found.sort((a, b) => b.at - a.at);
}

/**
 * Node groups of which Cluster Autoscaler's log says that a new node would have too few of `resource`; the words of
 * versions 1.1 to 1.34.
 */
export function groupsLacking(fleet: Fleet, logs: LogLookup, resource: string): readonly string[] {
  const read = groupsInLogs(fleet);
  const names = controllersOf(fleet).flatMap(({ pod, container }) => {
    const text = logs(pod.namespace, pod.name, container) ?? "";
    const key = `${resource} ${text}`;
    const known = read.get(key) ?? text.split("\n").flatMap((line) => groupIn(line, resource) ?? []);
    read.set(key, known);
    return known;
  });
  return [...new Set(names)];
}

/** The loop runs every ten seconds: what stopped it earlier is mended. */
const LOOP_MS = 15 * 60_000;

/**
 * The newest line in which Cluster Autoscaler says that its loop ended with an error of its own, before any group was
 * made larger; undefined where no log is at hand or a loop since has got further.
 */
export function brokenLoop(fleet: Fleet, logs: LogLookup, now: number): Evidence | undefined {
  const read = loopsInLogs(fleet);
  for (const { pod, container } of controllersOf(fleet)) {
    const text = logs(pod.namespace, pod.name, container);
    if (text === undefined) continue;
    if (!read.has(text)) read.set(text, loopEndIn(text));
    const line = read.get(text);
    const at = line === undefined ? undefined : timeOf(line, now);
    if (line === undefined || at === undefined || at > now || now - at > LOOP_MS) continue;
    return podEvidence(pod, `log of ${container}`, line, at);
  }
  return undefined;
}

const loopsInLogs = perFleet(() => new Map<string, string | undefined>());

function loopEndIn(text: string): string | undefined {
  const lines = text.split("\n");
  const at = lines.findLastIndex((line) => LOOP_ENDS.test(line));
  const isOver = lines.slice(at).some((line) => LOOP_GOES_ON.test(line));
  const line = lines[at];
  return line === undefined || isOver || classifyLaunchError(line) ? undefined : line;
}

const LOOP_ENDS =
  /^[EWF]\d{4} .*\b(static_autoscaler|autoscaler|main)\.go:\d+\] Failed to (scale up|update|get|refresh|list|build)\b/;
const LOOP_GOES_ON = /No expansion options|Final scale-up plan|No unschedulable pods|Scale-up: setting group/;

const groupsInLogs = perFleet(() => new Map<string, readonly string[]>());

function groupIn(line: string, resource: string): string | undefined {
  if (!line.includes(`Insufficient ${resource}`)) return undefined;
  const found = /can't be scheduled on (\S+?),|template-node-for-(\S+?)-\d+[,;]/.exec(line);
  return found?.[1] ?? found?.[2];
}

const controllersOf = perFleet((fleet): readonly Controller[] =>
  fleet.pods
    .filter((pod) => /karpenter|autoscaler/i.test(pod.name) && pod.phase === "Running")
    .flatMap((pod) => pod.containers.map(({ name }) => ({ pod, container: name }))),
);

/** Info lines tell plans; a line without a level is taken for a failure where it names one. */
function failureIn(line: string, pod: PodRecord, container: string, now: number): LoggedFailure | undefined {
  if (/^I\d{4} |\bINFO\b|"level":"(info|debug)"/i.test(line)) return undefined;
  const error = classifyLaunchError(line);
  const at = timeOf(line, now);
  if (!error || at === undefined || at > now) return undefined;
  return { text: line, error, at, evidence: podEvidence(pod, `log of ${container}`, line, at) };
}

/** RFC 3339 anywhere at the head, or klog's `E1130 11:48:24.401`, which has no year. */
function timeOf(line: string, now: number): number | undefined {
  const iso = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/.exec(line.slice(0, 200))?.[0];
  if (iso !== undefined) return validTime(Date.parse(iso));
  const klog = /^[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d)/.exec(line);
  if (!klog) return undefined;
  const year = new Date(now).getUTCFullYear();
  const inYear = (one: number) => Date.parse(`${one}-${klog[1]}-${klog[2]}T${klog[3]}Z`);
  const at = inYear(year);
  return validTime(at > now + 86_400_000 ? inYear(year - 1) : at);
}

function validTime(at: number): number | undefined {
  return Number.isNaN(at) ? undefined : at;
}
