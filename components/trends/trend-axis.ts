const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Distances between marks that read as times of day, in milliseconds. */
const STEPS = [
  5 * SECOND,
  10 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
];

/**
 * At most `limit` round moments (by UTC) between `from` and `to` (epoch milliseconds, inclusive), oldest first.
 */
export function timeTicks(from: number, to: number, limit: number): number[] {
  const step = STEPS.find((candidate) => (to - from) / candidate <= limit - 1) ?? 24 * HOUR;
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}

/** The time of day in UTC at `at` (epoch milliseconds), with seconds where it has some: `12:05`, `12:05:30`. */
export function formatTick(at: number): string {
  const time = new Date(at).toISOString();
  return at % MINUTE === 0 ? time.slice(11, 16) : time.slice(11, 19);
}
