import type { InstanceType } from "../../../model/instance-types.ts";
import { UNKNOWN_RATE } from "../../../model/money.ts";
import type { Reservation, ReservationMarket } from "../../../model/reservation.ts";
import { type CapacityReservation, isCapacityBlock, tagOf } from "./capacity-reservation.ts";
import { usedOf } from "./reservation-size.ts";
import { lifecycleOf } from "./reservation-state.ts";

const MINUTE = 60_000;

/** A capacity reservation of `count` instances in the shape of every provider's. Its price is said elsewhere. */
export function reservationOf(
  record: CapacityReservation,
  { count, listed, sourceId }: { count: number; listed: InstanceType; sourceId: string },
): Reservation {
  const block = isCapacityBlock(record);
  const end = endOf(record);
  const { InstanceMatchCriteria: criteria } = record;
  return {
    id: record.CapacityReservationId,
    provider: "aws",
    name: tagOf(record, "Name") || record.CapacityReservationId,
    instanceType: record.InstanceType,
    gpuModel: listed.gpuModel,
    count,
    broken: 0,
    used: usedOf(record),
    gpusPerInstance: Math.ceil(listed.gpus),
    region: regionOf(record),
    zone: record.AvailabilityZone ?? undefined,
    account: record.OwnerId ?? undefined,
    market: marketOf(record),
    matching: criteria === "open" || criteria === "targeted" ? criteria : undefined,
    start: record.StartDate ?? undefined,
    end,
    rawState: record.State,
    lifecycle: lifecycleOf(record),
    usableUntil: block && end !== undefined ? end - cleanupMinutes(record.InstanceType) * MINUTE : undefined,
    machines: [],
    billing: block ? "upfront" : "continuous",
    rate: UNKNOWN_RATE,
    owner: undefined,
    selector: undefined,
    sourceId,
  };
}

function endOf(record: CapacityReservation): number | undefined {
  const end = record.EndDateType === "unlimited" ? undefined : (record.EndDate ?? undefined);
  if (record.State !== "cancelling") return end;
  return record.CommitmentInfo?.CommitmentEndDate ?? end;
}

/** An absent or empty type is that of reservations from before there were blocks. */
function marketOf(record: CapacityReservation): ReservationMarket {
  if (isCapacityBlock(record)) return "block";
  if (record.ReservationType && record.ReservationType !== "default") return "unknown";
  const future = record.CommitmentInfo || record.OriginalStartDate || record.DeliveryPreference;
  return future ? "future" : "on-demand";
}

/**
 * How long before its end EC2 begins to terminate a block's instances: 30 minutes, 60 of UltraServers.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html
 */
function cleanupMinutes(instanceType: string): number {
  return /^(p6e-|u-|trn2u\.)/.test(instanceType) ? 60 : 30;
}

/** `us-east-2a` and the local zone `us-east-1-dfw-2a` begin with their region; the ARN names it where no zone is given. */
function regionOf({ AvailabilityZone, CapacityReservationArn }: CapacityReservation): string | undefined {
  const [region] = /^[a-z]{2}(?:-[a-z]+)+-\d+/.exec(AvailabilityZone ?? "") ?? [];
  return region ?? (CapacityReservationArn?.split(":")[3] || undefined);
}
