import type { TrendFigure, TrendPoint, TrendView } from "@/lib/model/live-view.ts";

/** What the trend counts: GPUs, or money per hour in one currency (`USD`). */
export type TrendUnit = "gpus" | { readonly currency: string };

/** The three figures, from what is paid to what works. */
export const TREND_NAMES = ["paid", "schedulable", "working"] as const;

export type TrendName = (typeof TREND_NAMES)[number];

/** One sample as it is drawn; null is a gap. Amounts in GPUs or in whole units of the currency. */
export interface TrendRow extends Readonly<Record<TrendName, number | null>> {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The seam's lower and upper edge; null where one of them cannot be told. */
  readonly seam: readonly [schedulable: number, paid: number] | null;
}

/** What a figure was over the time that is drawn; `now` is the last sample, null where it could not be told. */
export interface TrendRange {
  readonly now: number | null;
  readonly min: number;
  readonly max: number;
}

/** The currencies that occur, sorted. */
export function trendCurrencies(trend: TrendView): string[] {
  const found = new Set<string>();
  for (const point of trend.points) {
    for (const name of TREND_NAMES) {
      for (const { currency } of point[name].perHour) found.add(currency);
    }
  }
  return [...found].sort();
}

/** The samples in `unit`, oldest first. */
export function trendRows(trend: TrendView, unit: TrendUnit): TrendRow[] {
  return trend.points.map((point) => toRow(point, unit));
}

/** Current, least and largest value of one figure; undefined where it could never be told. */
export function trendRange(rows: readonly TrendRow[], name: TrendName): TrendRange | undefined {
  const values = rows.map((row) => row[name]).filter((value) => value !== null);
  if (values.length === 0) return undefined;
  return { now: rows.at(-1)?.[name] ?? null, min: least(values), max: largest(values) };
}

function toRow(point: TrendPoint, unit: TrendUnit): TrendRow {
  const paid = amount(point.paid, unit);
  const schedulable = amount(point.schedulable, unit);
  const working = amount(point.working, unit);
  const seam = paid === null || schedulable === null ? null : ([schedulable, paid] as const);
  return { at: point.at, paid, schedulable, working, seam };
}

/** GPUs without a price are worth an unknown amount; no GPUs are worth nothing. */
function amount(figure: TrendFigure, unit: TrendUnit): number | null {
  if (unit === "gpus") return figure.gpus;
  const money = figure.perHour.find(({ currency }) => currency === unit.currency);
  if (money) return money.micros / 1_000_000;
  return figure.gpus === 0 ? 0 : null;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function largest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}
