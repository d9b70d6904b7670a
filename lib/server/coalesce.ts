import type { Clock } from "../sources/kubernetes/clock.ts";

/** Milliseconds, also where the clock was set forward during a run. */
const LONGEST_REST = 5_000;

export interface Coalesced {
  /** Asks for a run: soon, and at most one for all who ask until then. */
  trigger(): void;
  stop(): void;
}

/**
 * Runs `run` within `wait` ms of the first trigger, and with at least `gap` ms from one run to the next: a single
 * change is seen at once, a storm of changes a few times a second. Runs that take longer than half of `gap` are spaced
 * so that they take half of the time, and others get their turn.
 */
export function coalesce(options: {
  readonly run: () => void;
  readonly wait: number;
  readonly gap: number;
  readonly clock: Clock;
}): Coalesced {
  const { run, wait, gap, clock } = options;
  let lastRun = Number.NEGATIVE_INFINITY;
  let rest = gap;
  let cancel: (() => void) | undefined;
  let stopped = false;
  return {
    trigger() {
      if (cancel || stopped) return;
      // Never later than one rest, even where the clock was set back.
      const delay = Math.min(rest, Math.max(wait, lastRun + rest - clock.now()));
      cancel = clock.schedule(() => {
        cancel = undefined;
        lastRun = clock.now();
        run();
        rest = Math.min(LONGEST_REST, Math.max(gap, 2 * (clock.now() - lastRun)));
      }, delay);
    },
    stop() {
      stopped = true;
      cancel?.();
      cancel = undefined;
    },
  };
}
