import { z } from "zod";
import { field } from "./rows.ts";

const tags = z.array(z.object({ Key: z.string(), Value: z.string().nullish() }), { error: "a list of tags" });

/**
 * What is read of a capacity reservation.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservation.html
 */
export const capacityReservation = z.object({
  CapacityReservationId: field.text,
  InstanceType: field.text,
  State: field.text,
  OwnerId: field.optionalText,
  CapacityReservationArn: field.optionalText,
  AvailabilityZone: field.optionalText,
  TotalInstanceCount: field.count.nullish(),
  AvailableInstanceCount: z.int({ error: "a whole number" }).nullish(),
  StartDate: field.moment.nullish(),
  EndDate: field.moment.nullish(),
  EndDateType: field.optionalText,
  OriginalStartDate: field.moment.nullish(),
  InstanceMatchCriteria: field.optionalText,
  ReservationType: field.optionalText,
  DeliveryPreference: field.optionalText,
  LaunchStatus: field.optionalText,
  UnusedReservationBillingOwnerId: field.optionalText,
  Interruptible: z.boolean({ error: "true or false" }).nullish(),
  InterruptionInfo: z.object({ SourceCapacityReservationId: field.optionalText }).nullish(),
  Tags: tags.nullish(),
  CapacityAllocations: z.array(z.object({ AllocationType: z.string(), Count: field.count })).nullish(),
  CommitmentInfo: z
    .object({ CommittedInstanceCount: field.count.nullish(), CommitmentEndDate: field.moment.nullish() })
    .nullish(),
});

export type CapacityReservation = z.infer<typeof capacityReservation>;

/** Prepaid for fixed dates. The type is absent from older answers, which then means an on-demand reservation. */
export function isCapacityBlock({ ReservationType }: CapacityReservation): boolean {
  return ReservationType === "capacity-block";
}

/** The value of a tag; undefined where there is none. */
export function tagOf({ Tags }: CapacityReservation, key: string): string | undefined {
  return Tags?.find((tag) => tag.Key === key)?.Value ?? undefined;
}
