import type { ReservationLifecycle } from "../../../model/reservation.ts";

/** What is reserved is charged from creation until deletion, used or not. */
const DOC = "https://docs.oracle.com/en-us/iaas/Content/Compute/Tasks/reserve-capacity.htm";

const STATES: Readonly<Record<string, Omit<ReservationLifecycle, "doc">>> = {
  CREATING: { state: "scheduled", billed: false, launchable: false },
  ACTIVE: { state: "active", billed: true, launchable: true },
  UPDATING: { state: "active", billed: true, launchable: true },
  MOVING: { state: "active", billed: true, launchable: true },
  DELETING: { state: "active", billed: true, launchable: false },
  DELETED: { state: "ended", billed: false, launchable: false },
};

/** What a reservation's lifecycleState means; a word that is not known is never taken for billed. */
export function ociLifecycle(state: string | undefined): ReservationLifecycle {
  const known = STATES[state ?? ""];
  return { ...(known ?? { state: "unknown", billed: undefined, launchable: undefined }), doc: DOC };
}
