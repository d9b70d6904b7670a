import { readFile, stat } from "node:fs/promises";
import type { Issue, SourceErrorCode, SourceProblem, SourceStatus } from "../../model/snapshot.ts";
import type { ParsedReservations } from "./format.ts";
import { describeProblem, parseReservationText } from "./parse-reservations.ts";
import type { ReservationSource } from "./reservation-source.ts";

export interface FileSource extends ReservationSource {
  /** Looks at the file once and reads it where it has changed. */
  check(): Promise<void>;
}

/** Why the file as it is now is of no use; each line names the file and the place within it. */
interface Failure {
  readonly code: SourceErrorCode;
  readonly lines: readonly string[];
}

const MAX_BYTES = 16 * 2 ** 20;

/**
 * Reservations from a file (YAML or JSON). The file is looked at every `interval` ms and read again when it changes:
 * looking works with every editor, mounted ConfigMaps and network drives, where change notices do not. While it is
 * wrong, its last good version stays in use as `stale`.
 */
export function createFileSource(options: {
  readonly file: string;
  /** Source id, `reservations/NAME`. */
  readonly id: string;
  readonly now: () => number;
  readonly interval?: number;
}): FileSource {
  const { file, id, now, interval = 1_000 } = options;
  const listeners = new Set<() => void>();
  let good: ParsedReservations | undefined;
  let asOf: number | undefined;
  let failure: Failure | undefined;
  let seen: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function check(): Promise<void> {
    const look = await lookAt(file, seen);
    const changed = look.stamp !== seen;
    if (changed) {
      seen = look.stamp;
      failure = look.failure ?? take(look.text ?? "");
    }
    if (!failure) asOf = now();
    if (changed) for (const listener of listeners) listener();
  }

  /** Puts a new version to use, or says why it cannot be. */
  function take(text: string): Failure | undefined {
    const parsed = parseReservationText(text, file, { sourceId: id });
    if (parsed.problems.length === 0) good = parsed;
    else return { code: "invalid", lines: parsed.problems.map((problem) => describeProblem(file, problem)) };
  }

  async function watch(): Promise<void> {
    await check();
    if (!stopped) timer = setTimeout(watch, interval);
  }

  function state(): SourceStatus["state"] {
    if (seen === undefined) return "loading";
    if (failure) return good ? "stale" : "unreachable";
    return "live";
  }

  function problem({ code, lines }: Failure): SourceProblem {
    const inUse = good ? " Until then its last good version stays in use." : "";
    const hint = `Correct the file: it is read again as soon as it changes.${inUse}`;
    return { code, message: lines.join("; "), hint };
  }

  function issue(message: string): Issue {
    return { code: "ReservationsInvalid", severity: good ? "warning" : "error", message, source: id };
  }

  return {
    check,
    start: watch,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => ({
      reservations: { known: good !== undefined, items: good?.reservations ?? [] },
      supplements: good?.supplements ?? [],
      status: { id, kind: "reservations", state: state(), asOf, error: failure && problem(failure) },
      issues: [...(failure?.lines.map(issue) ?? []), ...(good?.issues ?? [])],
    }),
  };
}

interface Look {
  /** Differs from the last one when the file has changed. */
  readonly stamp: string;
  /** The file's content, where it has changed and can be read. */
  readonly text?: string;
  readonly failure?: Failure;
}

async function lookAt(file: string, seen: string | undefined): Promise<Look> {
  try {
    const { mtimeNs, size, ino } = await stat(file, { bigint: true });
    const stamp = `${mtimeNs} ${size} ${ino}`;
    if (stamp === seen) return { stamp };
    if (size <= MAX_BYTES) return { stamp, text: await readFile(file, "utf8") };
    const line = `${file}: expected at most ${MAX_BYTES} bytes, got ${size}`;
    return { stamp, failure: { code: "invalid", lines: [line] } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      stamp: message,
      failure: { code: "unreachable", lines: [`${file}: cannot be read: ${message}`] },
    };
  }
}
