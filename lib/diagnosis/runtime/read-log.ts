import type { Reason } from "../../model/reasons.ts";
import { HARMLESS, NAN_PROGRESS, SIGNATURES, type Weight } from "./log-signatures.ts";

/** What a log says went wrong. */
export interface LogFinding {
  readonly reason: Reason;
  readonly weight: Weight;
  /** The line that says it, as it was printed. */
  readonly line: string;
  /** How many lines that are not about failures come after it. */
  readonly linesAfter: number;
}

/** Longer lines are cut before they are searched: patterns stay fast, whatever a container prints. */
const LINE_LENGTH = 2_000;

/** Further lines than these say nothing of how it ended. */
const LINES_READ = 2_000;

/** So many lines in a row with a loss that is no number are a run that has diverged. */
const NAN_LINES = 3;

/**
 * Why the program that printed `text` failed; undefined where nothing in it is known to say so. The last cause counts,
 * since what it tried before that it got over; without one the first line of a process that ended, then the first
 * symptom, since that is the earliest in a row of errors that follow from each other.
 */
export function readLog(text: string): LogFinding | undefined {
  const lines = text
    .split(/\r\n|[\r\n]/)
    .filter((line) => line.trim() !== "")
    .slice(-LINES_READ);
  const found = lines.flatMap((line, index) => {
    const known = signatureOf(line.slice(0, LINE_LENGTH));
    return known ? [{ ...known, line: line.trim(), index }] : [];
  });
  const last = found.at(-1);
  const match =
    found.findLast(({ weight }) => weight === "cause") ??
    found.find(({ weight }) => weight === "end") ??
    found.find(({ weight }) => weight === "symptom");
  if (!match || !last) return divergence(lines);
  return { ...match, linesAfter: lines.length - 1 - last.index };
}

/**
 * What stands before a program's own words: the colours of a terminal, the time of `kubectl logs --timestamps` or of a
 * node's log file, the rank as mpirun, torchrun and Ray print it.
 */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");
const PREFIX =
  /^(\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d) (std(out|err) [FP] )?|\[\d+,\d+\]<std(out|err)>:|\[rank\d+\]: |\(\w+ pid=\d+[^)]*\) )+/;

function signatureOf(printed: string): { reason: Reason; weight: Weight } | undefined {
  const line = printed.replace(COLOURS, "").replace(PREFIX, "");
  if (HARMLESS.test(line)) return undefined;
  return SIGNATURES.find(({ pattern }) => pattern.test(line));
}

/** No error, and yet the last losses that it printed are no numbers. */
function divergence(lines: readonly string[]): LogFinding | undefined {
  const losses = lines.flatMap((line, index) =>
    /(?<![a-z])loss(?!\w)/i.test(line) ? [{ line, index }] : [],
  );
  const recent = losses.slice(-NAN_LINES);
  const last = recent.at(-1);
  if (!last || recent.length < NAN_LINES || !recent.every(({ line }) => NAN_PROGRESS.test(line))) {
    return undefined;
  }
  return {
    reason: "LossDiverged",
    weight: "cause",
    line: last.line.trim(),
    linesAfter: lines.length - 1 - last.index,
  };
}

const ERROR = /(^|[\s.:])(\w*(Error|Exception|Fault)\b:|error:|fatal|panic:|assertion .*failed|failed to)/i;

/** What launchers and servers say of a failure within, which was told of before. */
const TELLS_OF_ANOTHER =
  /ChildFailedError|See (root cause|stack trace|above)|[Ee]ngine( ?[Cc]ore)? .*failed to start|EngineDeadError|exit status \d|Error \(exit code|failed to start and return ready/;

/** The last line that looks like an error, else the last one at all: what to quote where no signature is known. */
export function lastWords(text: string): string {
  const lines = text.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "");
  const isError = (line: string) => ERROR.test(line.slice(0, LINE_LENGTH));
  const error =
    lines.findLast((line) => isError(line) && !TELLS_OF_ANOTHER.test(line.slice(0, LINE_LENGTH))) ??
    lines.findLast(isError);
  return (error ?? lines.at(-1) ?? "").trim();
}
