import type { ReservationLifecycle } from "../../../model/reservation.ts";

/** Charged from the moment its machines are allocated until it is deleted, used or not. */
const RESERVATIONS = "https://cloud.google.com/compute/docs/instances/reservations-overview";

/** Free until Compute Engine provisions it, then as any reservation. */
const FUTURE = "https://cloud.google.com/compute/docs/instances/future-reservations-overview";

const STATUS: Readonly<Record<string, Omit<ReservationLifecycle, "doc">>> = {
  // Machines are being allocated: there are none yet.
  CREATING: { state: "scheduled", billed: false, launchable: false },
  READY: { state: "active", billed: true, launchable: true },
  UPDATING: { state: "active", billed: true, launchable: true },
  DELETING: { state: "active", billed: true, launchable: false },
};

const WAITING = { state: "scheduled", billed: false, launchable: false } as const;
const FULFILLED = { state: "active", billed: true, launchable: true } as const;
const FAILED = { state: "failed", billed: false, launchable: false } as const;

const PROCUREMENT: Readonly<Record<string, Omit<ReservationLifecycle, "doc">>> = {
  DRAFTING: WAITING,
  PENDING_APPROVAL: WAITING,
  // What was approved before stands while a change of it is looked at.
  PENDING_AMENDMENT_APPROVAL: WAITING,
  APPROVED: WAITING,
  COMMITTED: WAITING,
  PROCURING: WAITING,
  PROVISIONING: WAITING,
  FULFILLED,
  // What was delivered is a reservation as any other.
  FAILED_PARTIALLY_FULFILLED: FULFILLED,
  FAILED,
  DECLINED: FAILED,
  CANCELLED: { state: "ended", billed: false, launchable: false },
};

const UNKNOWN = { state: "unknown", billed: undefined, launchable: undefined } as const;

/** What a reservation's status means; `INVALID` and words that are not known are never taken for billed. */
export function reservationLifecycle(status: string | undefined): ReservationLifecycle {
  return { ...(STATUS[status ?? ""] ?? UNKNOWN), doc: RESERVATIONS };
}

/** What a future reservation's procurement status means before its dates are looked at. */
export function futureLifecycle(procurementStatus: string | undefined): ReservationLifecycle {
  return { ...(PROCUREMENT[procurementStatus ?? ""] ?? UNKNOWN), doc: FUTURE };
}
