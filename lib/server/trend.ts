import type { FleetView } from "../model/fleet-view.ts";
import type { TrendPoint, TrendView } from "../model/live-view.ts";
import type { Figure } from "../model/money.ts";

/** Milliseconds between two samples while the history is short. */
export const FIRST_INTERVAL = 5_000;
/** More points than this are never kept. */
export const MAX_POINTS = 720;
/** What is older than this is forgotten. */
export const MAX_AGE = 86_400_000;

/** The history of a process that begins to look at `now`: no samples yet. */
export function emptyTrend(now: number): TrendView {
  return { since: now, interval: FIRST_INTERVAL, points: [] };
}

/**
 * `trend` with a sample of `totals` at `now`, or `trend` itself where its interval has one already.
 *
 * Time is cut into intervals, counted from 1970, with one sample each. When the points become too many, the interval
 * doubles and of each two points the first stays: the last hour comes at 5 s, a whole day at 160 s in 540 points.
 */
export function sampleTrend(trend: TrendView, totals: FleetView["totals"], now: number): TrendView {
  const last = trend.points.at(-1);
  if (last && slot(now, trend.interval) <= slot(last.at, trend.interval)) return trend;
  const point: TrendPoint = {
    at: now,
    paid: figure(totals.paid),
    schedulable: figure(totals.schedulable),
    working: figure(totals.working),
  };
  const points = [...trend.points.filter(({ at }) => now - at <= MAX_AGE), point];
  if (points.length <= MAX_POINTS) return { ...trend, points };
  const interval = trend.interval * 2;
  return { ...trend, interval, points: firstOfEach(points, interval) };
}

function firstOfEach(points: readonly TrendPoint[], interval: number): TrendPoint[] {
  return points.filter(({ at }, index) => {
    const before = points[index - 1];
    return before === undefined || slot(at, interval) !== slot(before.at, interval);
  });
}

function slot(at: number, interval: number): number {
  return Math.floor(at / interval);
}

function figure({ gpus, perHour }: Figure): TrendPoint["paid"] {
  return { gpus, perHour };
}
