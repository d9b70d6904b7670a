import type { Clock } from "./clock.ts";

/** client-go's manners: https://pkg.go.dev/k8s.io/client-go/tools/cache#Reflector */
const FIRST_MS = 800;
const LONGEST_MS = 30_000;
/** An attempt that lasted this long starts the delays over. */
const GOOD_PERIOD_MS = 60_000;

/** Growing, jittered delays between failing attempts. */
export interface Backoff {
  /** Milliseconds to wait before the next attempt: 0.8 s, doubled each time up to 30 s, each ±10 %. */
  next(): number;
}

/** `random` gives numbers in [0, 1). */
export function createBackoff(clock: Clock, random: () => number): Backoff {
  let delay = FIRST_MS;
  let due = Number.POSITIVE_INFINITY;
  return {
    next: () => {
      if (clock.now() - due > GOOD_PERIOD_MS) delay = FIRST_MS;
      const wait = Math.round(delay * (0.9 + 0.2 * random()));
      due = clock.now() + wait;
      delay = Math.min(delay * 2, LONGEST_MS);
      return wait;
    },
  };
}
