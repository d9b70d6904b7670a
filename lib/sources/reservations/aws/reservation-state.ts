import type { ReservationLifecycle } from "../../../model/reservation.ts";
import { type CapacityReservation, isCapacityBlock } from "./capacity-reservation.ts";

const GUIDE = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide";
const ON_DEMAND_BILLING = `${GUIDE}/capacity-reservations-pricing-billing.html`;
const BLOCK_BILLING = `${GUIDE}/capacity-blocks-pricing-billing.html`;
const CANCELLING =
  "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CancelCapacityReservation.html";

interface StateRule extends Omit<ReservationLifecycle, "doc"> {
  /** It has not begun (or never will): AWS counts 0 instances, and its size is in a tag. */
  readonly unstarted: boolean;
}

/** Whatever was paid before, it has no slots now. */
const NOTHING = { billed: false, launchable: false, unstarted: true } as const;

const RULES: Readonly<Record<string, StateRule>> = {
  /** Being provisioned, which takes up to five minutes, and billed from then on. */
  pending: { state: "scheduled", billed: false, launchable: undefined, unstarted: true },
  active: { state: "active", billed: true, launchable: true, unstarted: false },
  assessing: { state: "scheduled", ...NOTHING },
  scheduled: { state: "scheduled", ...NOTHING },
  delayed: { state: "scheduled", ...NOTHING },
  "payment-pending": { state: "scheduled", ...NOTHING },
  unsupported: { state: "failed", ...NOTHING },
  "payment-failed": { state: "failed", ...NOTHING },
  failed: { state: "failed", ...NOTHING },
  /** Its capacity is gone, but it is charged until the commitment ends. */
  cancelling: { state: "active", billed: true, launchable: false, unstarted: false },
  expired: { state: "ended", billed: false, launchable: false, unstarted: false },
  cancelled: { state: "ended", billed: false, launchable: false, unstarted: false },
  /** A block that AWS does not describe further: its fee was paid, and nothing says that it can be used. */
  unavailable: { state: "active", billed: true, launchable: false, unstarted: true },
};

/** Whether `State` is one of those that AWS documents. */
export function isKnownState(state: string): boolean {
  return Object.hasOwn(RULES, state);
}

/** Whether AWS counts no instances of it yet, so that its size has to be taken from what was asked for. */
export function isUnstarted({ State }: CapacityReservation): boolean {
  return isKnownState(State) && RULES[State]?.unstarted === true;
}

/**
 * What a reservation's `State` means for its use and its bill; a state that is none of AWS' is unknown, never guessed.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservation.html
 */
export function lifecycleOf(record: CapacityReservation): ReservationLifecycle {
  const rule = isKnownState(record.State) ? RULES[record.State] : undefined;
  const doc = docOf(record);
  if (!rule) return { state: "unknown", billed: undefined, launchable: undefined, doc };
  const { state, billed, launchable } = rule;
  return { state, billed, launchable: record.LaunchStatus === "unlaunchable" ? false : launchable, doc };
}

function docOf(record: CapacityReservation): string {
  if (isCapacityBlock(record)) return BLOCK_BILLING;
  return record.State === "cancelling" ? CANCELLING : ON_DEMAND_BILLING;
}
