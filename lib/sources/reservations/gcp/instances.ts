import { z } from "zod";
import type { ParsedReservations, ParseOptions } from "../format.ts";
import { optional, text } from "../provider/fields.ts";
import { readRecords } from "../provider/read-records.ts";
import { resourcePath } from "./resource-path.ts";

/** https://cloud.google.com/compute/docs/reference/rest/v1/instances */
const instance = z.object({
  name: text,
  resourceStatus: optional(
    z.object({
      reservationConsumptionInfo: optional(z.object({ consumedReservation: optional(text) })),
    }),
  ),
});

/** Instances that say which reservation they consume; all others tell nothing of reservations. */
export function parseInstances(records: readonly unknown[], { sourceId }: ParseOptions): ParsedReservations {
  const { good, issues } = readRecords(records, instance, { sourceId, what: "instance" });
  const consuming = good.flatMap(({ name, resourceStatus }) => {
    const consumed = resourceStatus?.reservationConsumptionInfo?.consumedReservation;
    return consumed === undefined ? [] : { id: resourcePath(consumed)?.id ?? consumed, name };
  });
  const byReservation = Map.groupBy(consuming, ({ id }) => id);
  return {
    reservations: [],
    supplements: [...byReservation].map(([id, instances]) => ({
      provider: "gcp",
      id,
      machines: instances.map(({ name }) => name.toLowerCase()),
    })),
    problems: [],
    issues,
  };
}
