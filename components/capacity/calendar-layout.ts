import { type CapacityRow, momentOf } from "./capacity-row.ts";

const DAY = 86_400_000;
/** The strip begins a little before today, so that what has just ended is seen. */
const DAYS_BEFORE = 7;
const DAYS_AFTER = 90;
const DAYS_BETWEEN_TICKS = 15;

/** One reservation on the time axis. Places are shares of its width, 0 at the left. */
export interface CalendarBar {
  readonly row: CapacityRow;
  readonly from: number;
  readonly to: number;
  /** It goes on beyond the right edge: with a later end, or with none. */
  readonly goesOn: "later" | "open" | null;
  /** From here on the provider takes its machines back; null where they stay until its end, or beyond. */
  readonly usableTo: number | null;
}

export interface CalendarLayout {
  /** By their next change: what ended first, open ends last. */
  readonly bars: readonly CalendarBar[];
  readonly today: number;
  /** Moments (epoch ms) with their places; the first is today. */
  readonly ticks: readonly { readonly time: number; readonly at: number }[];
  /** Reservations that are not on the strip. */
  readonly left: {
    /** Ended before its left edge. */
    readonly earlier: number;
    /** Start after its right edge. */
    readonly later: number;
    /** Have no date to put them at. */
    readonly undated: number;
    readonly failed: number;
  };
}

type Place = "earlier" | "later" | "undated" | "failed";

/** The reservations on an axis from a week ago to 90 days ahead of `now` (epoch ms). */
export function calendarLayout(rows: readonly CapacityRow[], now: number): CalendarLayout {
  const left = now - DAYS_BEFORE * DAY;
  const right = now + DAYS_AFTER * DAY;
  const at = (time: number) => Math.min(1, Math.max(0, (time - left) / (right - left)));
  const bars: CalendarBar[] = [];
  const leftOut: Record<Place, number> = { earlier: 0, later: 0, undated: 0, failed: 0 };
  for (const row of [...rows].sort(byMoment)) {
    const span = spanOf(row, now);
    const place = typeof span === "string" ? span : placeOf(span, left, right);
    if (typeof span === "string" || place !== null) {
      if (place !== null) leftOut[place] += 1;
      continue;
    }
    bars.push({
      row,
      from: at(span.from),
      to: at(Math.max(span.from, span.to)),
      goesOn: span.to <= right ? null : span.to === Number.POSITIVE_INFINITY ? "open" : "later",
      usableTo: span.usableTo === null || span.usableTo > right ? null : at(span.usableTo),
    });
  }
  const ticks = Array.from({ length: DAYS_AFTER / DAYS_BETWEEN_TICKS + 1 }, (_, index) => {
    const time = now + index * DAYS_BETWEEN_TICKS * DAY;
    return { time, at: at(time) };
  });
  return { bars, today: at(now), ticks, left: leftOut };
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly usableTo: number | null;
}

/** From when to when it is there; without a start it was there before, without an end it stays. */
function spanOf({ reservation }: CapacityRow, now: number): Span | Place {
  const { state, start, end, usableUntil } = reservation;
  const [from, to, usableTo] = [start, end, usableUntil].map((iso) =>
    iso === null ? null : Date.parse(iso),
  );
  if (state === "failed") return "failed";
  if (state === "scheduled" && from == null) return "undated";
  if (state === "unknown" && from == null && to == null) return "undated";
  if (state === "ended" && to == null) return "earlier";
  return {
    from: from ?? Number.NEGATIVE_INFINITY,
    // What was given up before its end is there no more.
    to: state === "ended" ? Math.min(to ?? now, now) : (to ?? Number.POSITIVE_INFINITY),
    usableTo: usableTo ?? null,
  };
}

function placeOf({ from, to }: Span, left: number, right: number): Place | null {
  if (to < left) return "earlier";
  return from > right ? "later" : null;
}

function byMoment(a: CapacityRow, b: CapacityRow): number {
  const [one, other] = [momentOf(a.reservation), momentOf(b.reservation)];
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one - other;
}
