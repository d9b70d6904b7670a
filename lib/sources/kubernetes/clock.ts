/** Time as the sources see it, so that tests can hold it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds; the returned function prevents it. */
  schedule(run: () => void, ms: number): () => void;
}

/** The machine's time. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  schedule: (run, ms) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
