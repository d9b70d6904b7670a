import type { Reason } from "../model/reasons.ts";
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

function signatureOf(line: string): { reason: Reason; weight: Weight } | undefined {
  if (HARMLESS.test(line)) return undefined;
  return SIGNATURES.find(({ pattern }) => pattern.test(line));
}

/** No error, and yet the last losses that it printed are no numbers. */
function divergence(lines: readonly string[]): LogFinding | undefined {
  const losses = lines.flatMap((line, index) => (/\bloss\b/i.test(line) ? [{ line, index }] : []));
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

/** The last line that looks like an error, else the last one at all: what to quote where no signature is known. */
export function lastWords(text: string): string {
  const lines = text.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "");
  const error = lines.findLast((line) =>
    /(^|[\s.:])(\w*(Error|Exception|Fault)\b:|error:|fatal|panic:|assertion .*failed|failed to)/i.test(line),
  );
  return (error ?? lines.at(-1) ?? "").trim();
}
