import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LedgerView } from "../model/fleet-view.ts";
import type { TrendView } from "../model/live-view.ts";
import { emptyTrend, FIRST_INTERVAL, MAX_AGE, MAX_POINTS, sampleTrend } from "./trend.ts";

const START = Date.parse("2026-12-01T12:00:00Z");

function totals(paid: number | null): LedgerView {
  const figure = (gpus: number | null) => ({ gpus, perHour: [], certainty: "=" as const });
  return {
    paid: figure(paid),
    schedulable: figure(1),
    seam: figure(1),
    working: figure(0),
    unknown: figure(0),
    stages: [],
  };
}

/** Offers a sample each second for `seconds`; `paid` counts them. */
function run(seconds: number): TrendView {
  let trend = emptyTrend(START);
  for (let n = 0; n < seconds; n++) trend = sampleTrend(trend, totals(n), START + n * 1000);
  return trend;
}

describe("sampleTrend", () => {
  it("takes one sample an interval, the first it is offered", () => {
    const { points, since, interval } = run(11);
    expect({ since, interval }).toEqual({ since: START, interval: FIRST_INTERVAL });
    expect(points.map(({ at, paid }) => [at - START, paid.gpus])).toEqual([
      [0, 0],
      [5_000, 5],
      [10_000, 10],
    ]);
  });

  it("keeps what cannot be told as a gap", () => {
    expect(sampleTrend(emptyTrend(START), totals(null), START).points[0]?.paid.gpus).toBeNull();
  });

  it("doubles the interval instead of growing, and keeps the beginning", () => {
    const hour = run(3600);
    expect(hour.points).toHaveLength(MAX_POINTS);
    expect(hour.interval).toBe(FIRST_INTERVAL);
    const longer = run(3601);
    expect(longer.interval).toBe(2 * FIRST_INTERVAL);
    expect(longer.points).toHaveLength(MAX_POINTS / 2 + 1);
    expect(longer.points[0]?.at).toBe(START);
  });

  it("covers a day and forgets what is older", () => {
    const { points, interval } = run(25 * 3600);
    expect(interval).toBe(160_000);
    expect(points.length).toBeGreaterThanOrEqual(MAX_AGE / interval);
    expect(points[0]?.at).toBeGreaterThanOrEqual(START + 3600_000 - interval);
  });

  it("never keeps too many, never goes back, never keeps two of one interval", () => {
    const steps = fc.array(fc.integer({ min: -20_000, max: 400_000 }), { maxLength: 1500 });
    fc.assert(
      fc.property(steps, (offsets) => {
        let trend = emptyTrend(START);
        let now = START;
        for (const offset of offsets) {
          now += offset;
          trend = sampleTrend(trend, totals(1), now);
        }
        const slots = trend.points.map(({ at }) => Math.floor(at / trend.interval));
        expect(slots).toEqual([...new Set(slots)].sort((a, b) => a - b));
        expect(trend.points.length).toBeLessThanOrEqual(MAX_POINTS);
      }),
      { numRuns: 50 },
    );
  });
});
