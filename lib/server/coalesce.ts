import type { Clock } from "../sources/kubernetes/clock.ts";

export interface Coalesced {
  /** Asks for a run: soon, and at most one for all who ask until then. */
  trigger(): void;
  stop(): void;
}

/**
 * Runs `run` within `wait` ms of the first trigger, and with at least `gap` ms from one run to the next: a single
 * change is seen at once, a storm of changes a few times a second.
 */
export function coalesce(options: {
  readonly run: () => void;
  readonly wait: number;
  readonly gap: number;
  readonly clock: Clock;
}): Coalesced {
  const { run, wait, gap, clock } = options;
  let lastRun = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  let stopped = false;
  return {
    trigger() {
      if (cancel || stopped) return;
      // Never later than one gap, even where the clock was set back.
      const delay = Math.min(gap, Math.max(wait, lastRun + gap - clock.now()));
      cancel = clock.schedule(() => {
        cancel = undefined;
        lastRun = clock.now();
        run();
      }, delay);
    },
    stop() {
      stopped = true;
      cancel?.();
      cancel = undefined;
    },
  };
}
