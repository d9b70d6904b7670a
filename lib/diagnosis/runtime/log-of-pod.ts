import type { Fleet } from "../../layers/fleet.ts";
import type { ContainerRecord, PodRecord } from "../../model/kubernetes.ts";
import { podEvidence } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { Question } from "../question.ts";
import type { Evidence } from "../verdict.ts";
import { failureOf, isReady } from "./container-failure.ts";
import { type LogFinding, readLog } from "./read-log.ts";

/** What the log of one container of a pod says went wrong. */
export interface SaidByLog extends LogFinding {
  readonly container: ContainerRecord;
  /** Whether the container has failed, or only complains while it runs. */
  readonly hasFailed: boolean;
}

/** So few lines after its last error: a program that runs on has got over it. */
const LINES_AFTER_READY = 3;
const LINES_AFTER_STARTING = 10;

const NORMAL_MEETING_MS = 10 * 60_000;
const NORMAL_LOAD_MS = 30 * 60_000;

/** What a program may say while it runs on that still means that its GPUs do no work. */
const WHILE_READY = /^(GpuLostAtRuntime|NcclTimeout|Hung|LossDiverged|ImageDriverMismatch)$/;

/** What a text says: pods of one job are asked for by each other, and a log is long. */
const readingsOf = perFleet(() => new Map<string, LogFinding | undefined>());

function read(text: string, fleet: Fleet): LogFinding | undefined {
  const readings = readingsOf(fleet);
  if (!readings.has(text)) readings.set(text, readLog(text));
  return readings.get(text);
}

/**
 * What the logs and termination messages of a pod say went wrong, of the container that explains most; undefined where
 * they are not at hand, say nothing, or tell of errors that it got over.
 */
export function saidByLog(
  { logs, now, fleet }: Pick<Question, "logs" | "now" | "fleet">,
  pod: PodRecord,
): SaidByLog | undefined {
  const said = pod.containers.flatMap((container): SaidByLog[] => {
    // One crash that it has got over since tells of nothing now.
    const isUp = container.ready && isReady(pod);
    const hasFailed = failureOf(container, now, isUp ? 2 : 1) !== undefined;
    const text = logs(pod.namespace, pod.name, container.name);
    const found = read(text ?? "", fleet) ?? (hasFailed ? read(messageOf(container), fleet) : undefined);
    if (!found) return [];
    return hasFailed || isStill(pod, container, found, text ?? "", now)
      ? [{ ...found, container, hasFailed }]
      : [];
  });
  return WEIGHTS.flatMap((weight) => said.filter((one) => one.weight === weight))[0];
}

const WEIGHTS = ["cause", "end", "symptom"] as const;

/** What the kubelet kept of its end: with `FallbackToLogsOnError` that is the end of the log. */
function messageOf({ state, lastTermination }: ContainerRecord): string {
  const own = state.kind === "terminated" || state.kind === "waiting" ? state.message : "";
  return `${lastTermination?.message ?? ""}\n${own}`;
}

function isStill(
  pod: PodRecord,
  container: ContainerRecord,
  found: LogFinding,
  text: string,
  now: number,
): boolean {
  if (container.state.kind !== "running") return false;
  // The log of a container that was restarted may be that of the run before.
  const { startedAt } = container.state;
  if (container.lastTermination && !((lastTimeIn(text) ?? 0) >= (startedAt ?? Number.POSITIVE_INFINITY)))
    return false;
  // Ranks that start one after another miss each other for a while, and so do the parts of a server that loads.
  const age = now - (startedAt ?? now);
  if (found.weight === "symptom" && age < (isReady(pod) ? NORMAL_MEETING_MS : NORMAL_LOAD_MS)) return false;
  if (!isReady(pod)) return found.linesAfter <= LINES_AFTER_STARTING;
  return found.weight !== "end" && WHILE_READY.test(found.reason) && found.linesAfter <= LINES_AFTER_READY;
}

const TIME = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/g;

/** The full times in the end of a log, taken as UTC. */
export function timesIn(text: string): readonly number[] {
  const times = [...text.slice(-20_000).matchAll(TIME)].map(([, day, time]) => Date.parse(`${day}T${time}Z`));
  return times.filter((time) => !Number.isNaN(time));
}

/** The last full time in a log, taken as UTC; undefined where none is printed. */
export function lastTimeIn(text: string): number | undefined {
  return timesIn(text).at(-1);
}

/** A line of a pod's log. */
export function logEvidence(
  pod: PodRecord,
  { container, line }: Pick<SaidByLog, "container" | "line">,
): Evidence {
  return podEvidence(pod, `log of ${container.name}`, line, lastTimeIn(line));
}
