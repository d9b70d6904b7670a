import type { Reservation, ReservationState } from "../model/reservation.ts";

const ACTIVE = new Set(["active", "ready", "running", "live"]);
const WAITING = new Set(["scheduled", "future", "planned", "committed"]);
const NOT_YET = new Set(["pending", "payment-pending", "creating", "assessing"]);
const ENDED = new Set(["ended", "expired", "cancelled", "canceled", "deleted"]);
const FAILED = new Set(["failed", "payment-failed", "declined", "rejected"]);

/**
 * What a reservation is at `now`. Its dates bound the word that its source uses: nothing is active before its start or
 * from its end on. A word that is not known is never taken for billed.
 */
export function reservationState(reservation: Reservation, now: number): ReservationState {
  const word = reservation.rawState?.trim().toLowerCase();
  if (word !== undefined && FAILED.has(word)) return "failed";
  if (word !== undefined && ENDED.has(word)) return "ended";
  if (word !== undefined && NOT_YET.has(word)) return "scheduled";
  if (word !== undefined && !ACTIVE.has(word) && !WAITING.has(word)) return "unknown";
  if (reservation.end !== undefined && reservation.end <= now) return "ended";
  if (reservation.start !== undefined && reservation.start > now) return "scheduled";
  // "Scheduled" without a start: nothing says that it has begun.
  if (word !== undefined && WAITING.has(word) && reservation.start === undefined) return "scheduled";
  return "active";
}
