import type { SourceState, SourceStatus } from "../../../model/snapshot.ts";
import type { Clock } from "../../kubernetes/clock.ts";
import { SourceError } from "../../source-error.ts";
import type { ParsedReservations } from "../format.ts";
import { describeProblem } from "../parse-reservations.ts";
import type { ReservationSource } from "../reservation-source.ts";
import { createRetryDelays } from "./retry-delays.ts";

export interface PolledSourceOptions {
  /** Source id: one for each account and region, e.g. `reservations/aws/us-east-2`. */
  readonly id: string;
  /**
   * Reads everything once. Rejects with a SourceError where it cannot; answers with `problems` count as one, with the
   * code `invalid`. Should end early when `signal` is aborted: by `stop`, or when it has taken too long.
   */
  readonly poll: (signal: AbortSignal) => Promise<ParsedReservations>;
  /** Milliseconds from the end of one reading to the next, ±10 %; 60 s if not given. */
  readonly interval?: number;
  readonly clock: Clock;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

/** A reading that takes longer counts as failed. */
const LONGEST_POLL_MS = 120_000;

/**
 * Reservations that are read from a provider's API again and again, one reading after the other. While it fails, its
 * last good answer stays in use as `stale`, the next attempts come ever more slowly, and never earlier than the
 * provider asks for.
 */
export function createPolledSource(options: PolledSourceOptions): ReservationSource {
  const { id, poll, interval = 60_000, clock, random } = options;
  const listeners = new Set<() => void>();
  const delays = createRetryDelays({ interval, random });
  let good: ParsedReservations | undefined;
  let asOf: number | undefined;
  let failure: SourceError | undefined;
  let stopped = false;
  let reading: AbortController | undefined;
  let cancelNext = () => {};

  /** Reads once and plans the next reading. Resolves when this one is over, well or not. */
  async function attempt(): Promise<void> {
    const current = new AbortController();
    reading = current;
    const cancelLimit = clock.schedule(() => {
      const message = `No whole answer within ${LONGEST_POLL_MS / 1_000} s`;
      current.abort(new SourceError("unreachable", message, { hint: "It is tried again." }));
    }, LONGEST_POLL_MS);
    const polled = pollOnce(current.signal);
    const result = await Promise.race([polled, aborted(current.signal)]);
    cancelLimit();
    if (stopped) return;
    settle(result);
    const wait = failure ? delays.afterFailure(failure) : delays.afterSuccess();
    // One that does not heed its signal must still be over before the next begins.
    void polled.then(() => {
      if (!stopped) cancelNext = clock.schedule(() => void attempt(), wait);
    });
  }

  async function pollOnce(signal: AbortSignal): Promise<ParsedReservations | SourceError> {
    try {
      return checked(await poll(signal));
    } catch (error) {
      if (error instanceof SourceError) return error;
      return new SourceError("invalid", String(error), { cause: error });
    }
  }

  function settle(result: ParsedReservations | SourceError): void {
    if (result instanceof SourceError) failure = result;
    else {
      good = result;
      asOf = clock.now();
      failure = undefined;
    }
    for (const listener of listeners) listener();
  }

  function state(): SourceState {
    if (!failure) return good ? "live" : "loading";
    if (good) return "stale";
    return failure.code === "forbidden" ? "forbidden" : "unreachable";
  }

  function status(): SourceStatus {
    return { id, kind: "reservations", state: state(), asOf, error: failure?.toProblem() };
  }

  return {
    start: attempt,
    stop() {
      stopped = true;
      reading?.abort(new SourceError("unreachable", "Stopped"));
      cancelNext();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => ({
      reservations: { known: good !== undefined, items: good?.reservations ?? [] },
      isLive: true,
      supplements: good?.supplements ?? [],
      status: status(),
      issues: good?.issues ?? [],
    }),
  };
}

/** An answer that cannot be read as what it should be is an error of the source. */
function checked(result: ParsedReservations): ParsedReservations | SourceError {
  if (result.problems.length === 0) return result;
  const lines = result.problems.map((problem) => describeProblem("", problem));
  return new SourceError("invalid", `The provider's answer cannot be read: ${lines.join("; ")}`);
}

/** Resolves to the reason once `signal` is aborted. */
function aborted(signal: AbortSignal): Promise<SourceError> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });
}
