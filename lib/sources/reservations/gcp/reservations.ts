import { z } from "zod";
import type { Reservation } from "../../../model/reservation.ts";
import type { Issue } from "../../../model/snapshot.ts";
import type { ParsedReservations, ParseOptions } from "../format.ts";
import { count, moment, optional, text } from "../provider/fields.ts";
import { readRecords } from "../provider/read-records.ts";
import { keepReservations, type LeftOut, reservationOf } from "../provider/reservation-of.ts";
import { reservationLifecycle } from "./lifecycle.ts";
import { locationOf } from "./location.ts";
import { aggregateReservation, chipSlots, type GcpSlots, instanceProperties, machineSlot } from "./slots.ts";

/** https://cloud.google.com/compute/docs/reference/rest/v1/reservations */
const fields = z.object({
  name: text,
  selfLink: optional(text),
  zone: optional(text),
  status: optional(text),
  creationTimestamp: optional(moment),
  deleteAtTime: optional(moment),
  specificReservationRequired: optional(z.boolean()),
  specificReservation: optional(
    z.object({
      instanceProperties: optional(instanceProperties),
      count,
      inUseCount: optional(count),
      assuredCount: optional(count),
    }),
  ),
  aggregateReservation: optional(aggregateReservation),
});

type GcpReservation = z.infer<typeof fields>;

const reservation = fields.refine((record) => slotsOf(record) !== undefined, {
  error: "a specificReservation or an aggregateReservation with its family and chips",
});

/** Reservations as `gcloud compute reservations list --format=json` prints them. */
export function parseGcpReservations(
  records: readonly unknown[],
  { sourceId }: ParseOptions,
): ParsedReservations {
  const { good, issues } = readRecords(records, reservation, { sourceId, what: "reservation" });
  const kept = keepReservations(
    good.flatMap((record) => toReservation(record, sourceId) ?? []),
    sourceId,
  );
  return {
    reservations: kept.reservations,
    problems: [],
    issues: [...issues, ...kept.issues, ...kept.reservations.flatMap((r) => overused(r, sourceId))],
  };
}

function toReservation(record: GcpReservation, sourceId: string): Reservation | LeftOut | undefined {
  const slots = slotsOf(record);
  if (!slots) return undefined;
  const { name, status } = record;
  const { gpus, instanceType } = slots;
  if (typeof gpus === "string") return { leftOut: gpus, name, instanceType };
  return reservationOf({
    ...locationOf({ name, selfLink: record.selfLink, zone: record.zone, collection: "reservations" }),
    ...gpus,
    provider: "gcp",
    name,
    instanceType,
    count: slots.count,
    broken: brokenSlots(record),
    used: slots.used,
    market: "on-demand",
    matching: matchingOf(record.specificReservationRequired),
    start: record.creationTimestamp,
    end: record.deleteAtTime,
    rawState: status,
    lifecycle: reservationLifecycle(status),
    billing: "continuous",
    sourceId,
  });
}

/** `true`: only machines that name it use it. https://cloud.google.com/compute/docs/instances/reservations-consume */
export function matchingOf(specificRequired: boolean | undefined): Reservation["matching"] {
  if (specificRequired === undefined) return undefined;
  return specificRequired ? "targeted" : "open";
}

function slotsOf({
  specificReservation: specific,
  aggregateReservation: aggregate,
}: GcpReservation): GcpSlots | undefined {
  if (!specific) return aggregate && chipSlots(aggregate);
  return { ...machineSlot(specific.instanceProperties), count: specific.count, used: specific.inUseCount };
}

/** Slots that are paid but not usable now: `assuredCount` says how many are. While it is made, none are yet. */
function brokenSlots({ status, specificReservation: specific }: GcpReservation): number {
  if (status === "CREATING" || specific?.assuredCount === undefined) return 0;
  return Math.max(0, specific.count - specific.assuredCount);
}

function overused({ name, used, count: slots }: Reservation, source: string): Issue[] {
  if (used === undefined || used <= slots) return [];
  const message = `reservation ${name}: ${used} slots are said to be in use, but it has ${slots}`;
  return [{ code: "MoreUsedThanReserved", severity: "warning", message, source }];
}
