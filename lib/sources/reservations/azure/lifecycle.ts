import type { ReservationLifecycle } from "../../../model/reservation.ts";

/** Charged at the rate of its VM size from provisioning until deletion, used or not. */
const DOC =
  "https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-overview#pricing-and-billing";

type Meaning = Omit<ReservationLifecycle, "doc">;

const ACTIVE: Meaning = { state: "active", billed: true, launchable: true };
const WAITING: Meaning = { state: "scheduled", billed: false, launchable: false };
const FAILED: Meaning = { state: "failed", billed: false, launchable: false };
const UNKNOWN: Meaning = { state: "unknown", billed: undefined, launchable: undefined };

/** https://learn.microsoft.com/rest/api/compute/capacity-reservations: what a future reservation has come to. */
const FUTURE: Readonly<Record<string, Meaning>> = {
  pending: WAITING,
  approved: WAITING,
  committed: WAITING,
  declined: FAILED,
  fulfillmentfailed: FAILED,
  live: ACTIVE,
  partiallyfulfilled: ACTIVE,
};

const PROVISIONING: Readonly<Record<string, Meaning>> = {
  creating: WAITING,
  updating: ACTIVE,
  succeeded: ACTIVE,
  failed: FAILED,
  deleting: { state: "active", billed: true, launchable: false },
};

/**
 * What the states of a reservation mean before its dates are looked at. A future one's own state goes before how its
 * resource was provisioned, which is done long before it starts. `capacity`: slots that Azure holds and bills now; where
 * it holds some, a failure was only one to change how many.
 */
export function azureLifecycle(
  provisioningState: string | undefined,
  reservationState: string | undefined,
  capacity: number | undefined,
): ReservationLifecycle {
  const word = (reservationState ?? provisioningState ?? "").toLowerCase();
  const meaning = (reservationState === undefined ? PROVISIONING[word] : FUTURE[word]) ?? UNKNOWN;
  const kept = meaning === FAILED && reservationState === undefined && (capacity ?? 0) > 0;
  return { ...(kept ? ACTIVE : meaning), doc: DOC };
}
