import type { ReservationSource } from "../sources/reservations/reservation-source.ts";
import type { ManualClock } from "./manual-clock.ts";

/** Moves the clock by `ms` and waits until the source says something new. */
export async function nextChange(source: ReservationSource, clock: ManualClock, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = source.onChange(resolve);
  clock.advance(ms);
  await promise;
  end();
}
