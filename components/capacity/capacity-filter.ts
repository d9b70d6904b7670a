import type { ReservationView } from "@/lib/model/fleet-view.ts";
import type { CapacityRow } from "./capacity-row.ts";
import { RESERVATION_STATES } from "./reservation-words.ts";

/** What the table is narrowed to; null: all, `text`: words that all have to occur. */
export interface CapacityFilter {
  readonly state: ReservationView["state"] | null;
  readonly provider: string | null;
  readonly text: string;
}

export const NO_FILTER: CapacityFilter = { state: null, provider: null, text: "" };

/** The rows that match, in their order. */
export function filterRows(rows: readonly CapacityRow[], filter: CapacityFilter): CapacityRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(
    (row) =>
      (filter.state === null || row.reservation.state === filter.state) &&
      (filter.provider === null || row.pool.provider === filter.provider) &&
      (words.length === 0 || words.every((word) => textOf(row).includes(word))),
  );
}

/** How many rows are in each state that occurs. */
export function countByState(
  rows: readonly CapacityRow[],
): readonly { readonly state: ReservationView["state"]; readonly count: number }[] {
  return RESERVATION_STATES.map((state) => ({
    state,
    count: rows.filter(({ reservation }) => reservation.state === state).length,
  })).filter(({ count }) => count > 0);
}

/** The providers that occur, sorted. */
export function providersOf(rows: readonly CapacityRow[]): string[] {
  return [...new Set(rows.flatMap(({ pool }) => (pool.provider === null ? [] : [pool.provider])))].sort();
}

function textOf({ pool, reservation }: CapacityRow): string {
  const { id, state, rawState, market, matching, region, zone, account, owner } = reservation;
  return [
    pool.name,
    id,
    pool.provider,
    pool.gpuModel,
    ...pool.instanceTypes,
    ...pool.zones,
    state,
    rawState,
    market,
    matching,
    region,
    zone,
    account,
    owner,
  ]
    .join(" ")
    .toLowerCase();
}
