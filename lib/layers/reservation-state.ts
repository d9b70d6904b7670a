import type { Reservation, ReservationState } from "../model/reservation.ts";

const ACTIVE = new Set(["active", "ready", "running", "live"]);
const WAITING = new Set(["scheduled", "future", "planned", "committed"]);
const NOT_YET = new Set(["pending", "payment-pending", "creating", "assessing"]);
const ENDED = new Set(["ended", "expired", "cancelled", "canceled", "deleted"]);
const FAILED = new Set(["failed", "payment-failed", "declined", "rejected"]);

/** What a reservation is at some moment. */
export interface ReservationStanding {
  readonly state: ReservationState;
  /** Its slots cost money now; undefined where its source uses a word that is not known. */
  readonly billed: boolean | undefined;
  /** Machines can be launched into its slots now. */
  readonly launchable: boolean | undefined;
  /** Its last minutes: still paid, but the provider takes the machines back. */
  readonly ending: boolean;
}

/**
 * What a reservation is at `now`. Its dates bound what its source says: nothing is active before its start or from its
 * end on. A word that is not known is never taken for billed.
 */
export function reservationStanding(reservation: Reservation, now: number): ReservationStanding {
  const state = reservationState(reservation, now);
  const { lifecycle, usableUntil, end } = reservation;
  const outside = isOutside(reservation, now);
  const isActive = state === "unknown" ? undefined : state === "active";
  const billed = outside ? false : lifecycle ? lifecycle.billed : isActive;
  const ending = usableUntil !== undefined && usableUntil <= now && (end === undefined || now < end);
  return {
    state,
    billed: state === "unknown" ? undefined : billed,
    launchable: isActive === false ? false : lifecycle ? lifecycle.launchable : isActive,
    ending: ending && billed !== false,
  };
}

/** The state alone of what a reservation is at `now`. */
export function reservationState(reservation: Reservation, now: number): ReservationState {
  const { lifecycle, start, end } = reservation;
  if (!lifecycle) return stateByWord(reservation, now);
  const { state } = lifecycle;
  if (state !== "active" && state !== "scheduled") return state;
  if (end !== undefined && end <= now) return "ended";
  return start !== undefined && start > now ? "scheduled" : state;
}

function isOutside({ start, end }: Reservation, now: number): boolean {
  return (end !== undefined && end <= now) || (start !== undefined && start > now);
}

/** For sources whose words nobody has defined: the dates decide wherever the word allows it. */
function stateByWord({ rawState, start, end }: Reservation, now: number): ReservationState {
  const word = rawState?.trim().toLowerCase();
  if (word !== undefined && FAILED.has(word)) return "failed";
  if (word !== undefined && ENDED.has(word)) return "ended";
  if (word !== undefined && NOT_YET.has(word)) return "scheduled";
  if (word !== undefined && !ACTIVE.has(word) && !WAITING.has(word)) return "unknown";
  if (end !== undefined && end <= now) return "ended";
  if (start !== undefined && start > now) return "scheduled";
  // "Scheduled" without a start: nothing says that it has begun.
  if (word !== undefined && WAITING.has(word) && start === undefined) return "scheduled";
  return "active";
}
