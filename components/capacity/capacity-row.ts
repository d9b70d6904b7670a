import type { PoolView, ReservationView } from "@/lib/model/fleet-view.ts";
import { type CapacitySums, ledgerSums } from "./ledger-sums.ts";

/** One reservation as the page counts it. */
export interface CapacityRow {
  readonly pool: PoolView;
  readonly reservation: ReservationView;
  readonly sums: CapacitySums;
  /** Slots in use, by the provider's word or by a node of ours; null where neither can be told. */
  readonly used: number | null;
  /** `used` of all slots, above 1 where machines run beyond them; null where nothing is paid or it cannot be told. */
  readonly inUse: number | null;
}

/** The reservations among `pools`, in every state. */
export function capacityRows(pools: readonly PoolView[]): CapacityRow[] {
  return pools.flatMap((pool) => {
    const { reservation } = pool;
    if (!reservation) return [];
    const sums = ledgerSums(pool);
    const used = usedSlots(reservation, sums.bounded);
    const isPaid = reservation.billed !== false && reservation.slots > 0;
    return [
      { pool, reservation, sums, used, inUse: isPaid && used !== null ? used / reservation.slots : null },
    ];
  });
}

/** The provider may lag behind the cluster: a node of ours is a slot in use, whatever it says. */
function usedSlots({ used, launched }: ReservationView, bounded: boolean): number | null {
  if (used !== null) return Math.max(used, launched);
  return bounded && launched === 0 ? null : launched;
}

/** When its state changes by its dates, in epoch ms: when it starts or ends, or ended; null where no date says. */
export function momentOf({ state, start, end, usableUntil }: ReservationView): number | null {
  const iso = state === "scheduled" ? start : state === "failed" ? null : (end ?? usableUntil);
  const time = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}
