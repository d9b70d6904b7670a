import type { PoolView, ReservationView } from "@/lib/model/fleet-view.ts";
import { aFleetView, at, VIEW_NOW } from "@/lib/testing/view-fixture.ts";
import { type CapacityRow, capacityRows } from "./capacity-row.ts";

/** A row for tests: 2 slots of 8 GPUs, one of them launched, at $2 a GPU-hour. */
export function aRow(
  name: string,
  reservation: Partial<ReservationView> = {},
  pool: Partial<PoolView> = {},
): CapacityRow {
  const [view] = aFleetView([{ name, micros: 2_000_000, blocks: ["WWWWWWNN", "LLLLLLLL"] }]).pools;
  if (!view?.reservation) throw new Error("the fixture has no reservation");
  const [row] = capacityRows([{ ...view, ...pool, reservation: { ...view.reservation, ...reservation } }]);
  if (!row) throw new Error("the pool has no row");
  return row;
}

/** ISO time so many days after the fixture's moment. */
export const inDays = (days: number): string => at(-days * 24 * 60);

export { VIEW_NOW };
