import { z } from "zod";
import { count, moment, optional, text } from "../provider/fields.ts";

/** https://docs.oracle.com/en-us/iaas/api/#/en/iaas/latest/ComputeCapacityReservation/ */
export const capacityReservation = z.object({
  id: text,
  displayName: optional(text),
  compartmentId: optional(text),
  availabilityDomain: optional(text),
  lifecycleState: optional(text),
  isDefaultReservation: optional(z.boolean()),
  timeCreated: optional(moment),
  instanceReservationConfigs: z.array(
    z.object({
      instanceShape: text,
      faultDomain: optional(text),
      reservedCount: count,
      usedCount: optional(count),
    }),
    { error: "instanceReservationConfigs (oci compute capacity-reservation get), which lists leave out" },
  ),
});

/** An instance that may say which reservation it runs in. */
export const instance = z.object({ id: text, capacityReservationId: optional(text) });

/** The SDK and the API write camelCase keys, the CLI the same in kebab-case: all become camelCase. */
export function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      camelKeys(child),
    ]),
  );
}
