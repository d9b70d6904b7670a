import { formatCount, formatPerHour } from "@/components/ui/format.ts";
import type { Figure, ReservationView } from "@/lib/model/fleet-view.ts";
import type { CapacityRow } from "./capacity-row.ts";
import { PRICE_SOURCE } from "./reservation-words.ts";

/** A count of GPUs; `≥ 8` where some that cannot be told may add to it, `?` where none can be told. */
export function boundedCount({ gpus }: Figure, bounded: boolean): string {
  return `${bounded && gpus !== null ? "≥ " : ""}${formatCount(gpus)}`;
}

/** `16 × 8 H100`: slots times the GPUs of one. */
export function sizeInWords({ pool, reservation }: CapacityRow): string {
  const { slots, gpusPerInstance } = reservation;
  return `${formatCount(slots)} × ${formatCount(gpusPerInstance)} ${pool.gpuModel ?? "GPUs"}`;
}

/** The provider's own word for the state; null where it says none, or the same word as ours. */
export function providerState({ state, rawState }: ReservationView): string | null {
  return rawState?.toLowerCase() === state ? null : rawState;
}

/**
 * What tells a reservation from others of its name: its id, or the account where the id is a path that ends with the name;
 * null where both say no more than the name.
 */
export function idBelow({ pool, reservation: { id, account } }: CapacityRow): string | null {
  if (id === pool.name) return null;
  return id.endsWith(`/${pool.name}`) ? account : id;
}

/** `$48.0/h paid, $32.0/h in the seam · contract`. */
export function costInWords({ pool, sums: { paid, seam } }: CapacityRow): string {
  const source = PRICE_SOURCE[pool.rate.source];
  if (paid.perHour.length === 0) return paid.gpus === 0 ? `0/h paid · ${source}` : "price unknown";
  const lost = seam.gpus === 0 ? "" : `, ${formatPerHour(seam)} in the seam`;
  return `${formatPerHour(paid)} paid${lost} · ${source}`;
}
