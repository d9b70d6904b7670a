import type { CapacityRow } from "./capacity-row.ts";

/** The reservation that starts, or ends, next. */
export interface NextChange {
  readonly what: "starts" | "ends";
  readonly row: CapacityRow;
  /** ISO 8601. */
  readonly at: string;
}

/** What ends next and what starts next after `now` (epoch ms), the sooner first; empty where no date lies ahead. */
export function nextChanges(rows: readonly CapacityRow[], now: number): NextChange[] {
  const ahead = rows.flatMap((row): NextChange[] => {
    const { state, start, end } = row.reservation;
    const [what, at] =
      state === "active"
        ? (["ends", end] as const)
        : (["starts", state === "scheduled" ? start : null] as const);
    return at !== null && Date.parse(at) > now ? [{ what, row, at }] : [];
  });
  const sorted = ahead.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const first = (what: NextChange["what"]) => sorted.filter((change) => change.what === what).slice(0, 1);
  return [...first("ends"), ...first("starts")].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
