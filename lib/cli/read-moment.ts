import { Unreadable } from "./read-once.ts";

/** A day, or a moment with its offset: a moment without one would mean something else on every machine. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * The value of `--now` in epoch milliseconds.
 * @throws Unreadable where it is no moment
 */
export function readMoment(text: string): number {
  const now = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(now)) return now;
  throw new Unreadable([`--now: expected a time such as 2026-12-01T12:00:00Z, got ${JSON.stringify(text)}`]);
}
