import type { Clock } from "../sources/kubernetes/clock.ts";

/** A clock that stands still until it is moved; timers run as they become due. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export function createManualClock(start: number): ManualClock {
  let now = start;
  const timers = new Set<Timer>();
  return {
    now: () => now,
    schedule: (run, ms) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers.delete(due);
        now = Math.max(now, due.at);
        due.run();
      }
      now = end;
    },
  };
}
