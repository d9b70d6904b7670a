import { z } from "zod";
import { count, moment, optional, text } from "../provider/fields.ts";
import { fieldOf } from "../provider/read-records.ts";
import { reservationPath } from "./resource-id.ts";

/** REST keeps most fields below `properties`; the az CLI and the SDK lift them up. */
const flat = <T extends z.ZodType>(schema: T) => z.preprocess(flatten, schema);

function flatten(record: unknown): unknown {
  const properties = fieldOf(record, "properties");
  if (typeof record !== "object" || typeof properties !== "object") return record;
  return { ...properties, ...record };
}

const machineList = optional(z.array(z.object({ id: text })));

const utilization = z.object({
  currentCapacity: optional(count),
  virtualMachinesAllocated: machineList,
  usedReservedCountBySubscription: optional(z.record(z.string(), count)),
});
const utilizationInfo = optional(utilization);

/** https://learn.microsoft.com/rest/api/compute/capacity-reservations, its instance view only where it was asked for */
export const capacityReservation = flat(
  z.object({
    id: text.transform((id, context) => {
      const path = reservationPath(id);
      if (path) return path;
      context.addIssue({ code: "custom", message: "the resource id of a capacity reservation" });
      return z.NEVER;
    }),
    name: optional(text),
    location: optional(text),
    zones: optional(z.array(text)),
    sku: z.object({ name: text, capacity: count }),
    provisioningState: optional(text),
    provisioningTime: optional(moment),
    timeCreated: optional(moment),
    scheduleProfile: optional(z.object({ start: optional(moment), end: optional(moment) })),
    instanceView: optional(
      z.object({
        utilizationInfo,
        reservationStateInfo: optional(z.object({ reservationState: optional(text) })),
      }),
    ),
  }),
);

/** https://learn.microsoft.com/rest/api/compute/capacity-reservation-groups */
export const capacityReservationGroup = flat(
  z.object({
    id: text,
    name: optional(text),
    reservationType: optional(text),
    capacityReservations: optional(z.array(z.object({ id: text }))),
    instanceView: optional(
      z.object({
        capacityReservations: optional(z.array(z.object({ name: text, utilizationInfo }))),
      }),
    ),
  }),
);

export type AzureReservation = z.infer<typeof capacityReservation>;
export type AzureGroup = z.infer<typeof capacityReservationGroup>;
export type Utilization = z.infer<typeof utilization>;

/**
 * VMs in its slots, stopped but allocated ones included: more than there are slots where it is overallocated. `Open`
 * reservations count them by subscription, all others list them.
 */
export function usedOf(view: Utilization | undefined): number | undefined {
  const { virtualMachinesAllocated: machines, usedReservedCountBySubscription: counts } = view ?? {};
  if (!machines && !counts) return undefined;
  const counted = Object.values(counts ?? {}).reduce((sum, used) => sum + used, 0);
  return Math.max(machines?.length ?? 0, counted);
}

/** Whether a view is one of those that only `Open` reservations have. */
export function isOpen(view: Utilization | undefined): boolean {
  const { virtualMachinesAllocated: machines, usedReservedCountBySubscription: counts } = view ?? {};
  return counts !== undefined && (machines === undefined || Object.keys(counts).length > 0);
}
