import { describe, expect, it } from "vitest";
import type { TrendFigure, TrendPoint, TrendView } from "@/lib/model/live-view.ts";
import { trendCurrencies, trendRange, trendRows } from "./trend-series.ts";

const figure = (gpus: number | null, dollars?: number, currency = "USD"): TrendFigure => ({
  gpus,
  perHour: dollars === undefined ? [] : [{ currency, micros: dollars * 1_000_000 }],
});

function aPoint(at: number, figures: Partial<TrendPoint> = {}): TrendPoint {
  return { at, paid: figure(16, 64), schedulable: figure(8, 32), working: figure(4, 16), ...figures };
}

const aTrend = (...points: TrendPoint[]): TrendView => ({ since: 0, interval: 5_000, points });

describe("trendRows", () => {
  it.each([
    ["GPUs", "gpus" as const, { at: 1, paid: 16, schedulable: 8, working: 4, seam: [8, 16] }],
    ["money", { currency: "USD" }, { at: 1, paid: 64, schedulable: 32, working: 16, seam: [32, 64] }],
    [
      "a currency nobody named",
      { currency: "EUR" },
      { at: 1, paid: null, schedulable: null, working: null, seam: null },
    ],
  ])("in %s", (_, unit, expected) => {
    expect(trendRows(aTrend(aPoint(1)), unit)).toEqual([expected]);
  });

  it("draws a gap where a figure cannot be told, and where one edge of the seam cannot", () => {
    const [row] = trendRows(aTrend(aPoint(1, { schedulable: figure(null) })), "gpus");
    expect(row).toMatchObject({ paid: 16, schedulable: null, seam: null });
  });

  it("knows what no GPUs cost, but not what unpriced ones do", () => {
    const trend = aTrend(aPoint(1, { schedulable: figure(8), working: figure(0) }));
    expect(trendRows(trend, { currency: "USD" })[0]).toMatchObject({ schedulable: null, working: 0 });
  });
});

describe("trendRange", () => {
  const rows = trendRows(
    aTrend(
      aPoint(1),
      aPoint(2, { working: figure(9) }),
      aPoint(3, { working: figure(2) }),
      aPoint(4, { paid: figure(null) }),
    ),
    "gpus",
  );

  it("gives the last, the least and the largest value", () => {
    expect(trendRange(rows, "working")).toEqual({ now: 4, min: 2, max: 9 });
  });

  it("does not take an older value for the current one", () => {
    expect(trendRange(rows, "paid")).toEqual({ now: null, min: 16, max: 16 });
  });

  it("is undefined where nothing was ever told", () => {
    expect(trendRange([], "paid")).toBeUndefined();
  });
});

it("lists the currencies that occur", () => {
  const trend = aTrend(aPoint(1), aPoint(2, { paid: figure(1, 2, "EUR") }));
  expect(trendCurrencies(trend)).toEqual(["EUR", "USD"]);
});
