import type { SourceError } from "../../source-error.ts";

const FIRST_MS = 5_000;
const LONGEST_MS = 300_000;

/** How long to wait between the readings of a polled source, in milliseconds. */
export interface RetryDelays {
  afterSuccess(): number;
  /**
   * 5 s, doubled with each failure in a row up to 5 min. Only what may pass by itself is tried again before the usual
   * interval is over, and nothing before the time that the provider asks to wait.
   */
  afterFailure(error: SourceError): number;
}

/** All delays are jittered by ±10 %, those that the provider asks for by +10 %. `random` gives numbers in [0, 1). */
export function createRetryDelays(options: {
  readonly interval: number;
  readonly random: () => number;
}): RetryDelays {
  const { interval, random } = options;
  let failures = 0;
  return {
    afterSuccess: () => {
      failures = 0;
      return Math.round(interval * (0.9 + 0.2 * random()));
    },
    afterFailure: ({ code, retryAfterMs = 0 }) => {
      const growing = Math.min(FIRST_MS * 2 ** failures, LONGEST_MS);
      failures += 1;
      const least = code === "unreachable" ? growing : Math.max(growing, interval);
      return Math.round(Math.max(least * (0.9 + 0.2 * random()), retryAfterMs * (1 + 0.1 * random())));
    },
  };
}
