import { type CapacityReservation, tagOf } from "./capacity-reservation.ts";
import { isUnstarted } from "./reservation-state.ts";

const REQUESTED = "aws:ec2capacityreservation:incrementalRequestedQuantity";

/**
 * Instances that are paid for, or will be; undefined where the record does not say. What has not begun counts 0 instances,
 * and tells its size in a tag (https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-view.html); what is
 * being cancelled counts none either, and is charged for those that it was committed to.
 */
export function sizeOf(record: CapacityReservation): number | undefined {
  const total = record.TotalInstanceCount ?? undefined;
  if (record.State === "cancelling") return largest(total, cancelledCount(record));
  if (!isUnstarted(record)) return total;
  const requested = requestedCount(record);
  if (requested === undefined && total === 0 && mayStart(record)) return undefined;
  return largest(total, requested);
}

/** Instances in use by anyone, which AWS counts only while it is active; undefined where the counts contradict each other. */
export function usedOf({ State, TotalInstanceCount, AvailableInstanceCount }: CapacityReservation) {
  if (State !== "active" || TotalInstanceCount == null || AvailableInstanceCount == null) return undefined;
  const used = TotalInstanceCount - AvailableInstanceCount;
  return used >= 0 && used <= TotalInstanceCount ? used : undefined;
}

function requestedCount(record: CapacityReservation): number | undefined {
  const tag = tagOf(record, REQUESTED);
  if (tag !== undefined && /^\d{1,6}$/.test(tag)) return Number(tag);
  return record.CommitmentInfo?.CommittedInstanceCount ?? undefined;
}

function cancelledCount({ CapacityAllocations, CommitmentInfo }: CapacityReservation): number | undefined {
  const cancelling = (CapacityAllocations ?? []).filter(
    ({ AllocationType }) => AllocationType === "cancelling",
  );
  if (cancelling.length === 0) return CommitmentInfo?.CommittedInstanceCount ?? undefined;
  return cancelling.reduce((sum, { Count }) => sum + Count, 0);
}

function mayStart({ State }: CapacityReservation): boolean {
  return State !== "failed" && State !== "payment-failed" && State !== "unsupported";
}

function largest(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
