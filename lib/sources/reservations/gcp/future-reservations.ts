import { z } from "zod";
import type { Reservation } from "../../../model/reservation.ts";
import type { Issue } from "../../../model/snapshot.ts";
import type { ParsedReservations, ParseOptions, ReservationSupplement } from "../format.ts";
import { count, moment, optional, seconds, text } from "../provider/fields.ts";
import { readRecords } from "../provider/read-records.ts";
import { keepReservations, type LeftOut, reservationOf } from "../provider/reservation-of.ts";
import { futureLifecycle } from "./lifecycle.ts";
import { locationOf } from "./location.ts";
import { matchingOf } from "./reservations.ts";
import { resourcePath } from "./resource-path.ts";
import { aggregateReservation, chipSlots, type GcpSlots, instanceProperties, machineSlot } from "./slots.ts";

const duration = optional(z.object({ seconds: optional(seconds) }));

/** https://cloud.google.com/compute/docs/reference/rest/v1/futureReservations */
const fields = z.object({
  name: text,
  selfLink: optional(text),
  zone: optional(text),
  specificReservationRequired: optional(z.boolean()),
  reservationMode: optional(text),
  timeWindow: optional(z.object({ startTime: optional(moment), endTime: optional(moment), duration })),
  specificSkuProperties: optional(
    z.object({ totalCount: count, instanceProperties: optional(instanceProperties) }),
  ),
  aggregateReservation: optional(aggregateReservation),
  autoDeleteAutoCreatedReservations: optional(z.boolean()),
  autoCreatedReservationsDeleteTime: optional(moment),
  autoCreatedReservationsDuration: duration,
  status: optional(
    z.object({
      procurementStatus: optional(text),
      fulfilledCount: optional(count),
      autoCreatedReservations: optional(z.array(z.string())),
    }),
  ),
});

type FutureReservation = z.infer<typeof fields>;

const futureReservation = fields.refine((record) => slotsOf(record) !== undefined, {
  error: "specificSkuProperties with a totalCount, or an aggregateReservation with its family and chips",
});

/**
 * Future reservations as `gcloud compute future-reservations list --format=json` prints them. Those that were turned
 * into reservations say so in a supplement: the slots are the same.
 */
export function parseFutureReservations(
  records: readonly unknown[],
  { sourceId }: ParseOptions,
): ParsedReservations {
  const { good, issues } = readRecords(records, futureReservation, { sourceId, what: "future reservation" });
  const kept = keepReservations(
    good.flatMap((record) => toReservation(record, sourceId) ?? []),
    sourceId,
  );
  return {
    reservations: kept.reservations,
    supplements: good.flatMap(supplementsOf),
    problems: [],
    issues: [...issues, ...kept.issues, ...good.flatMap((record) => partly(record, sourceId))],
  };
}

function toReservation(record: FutureReservation, sourceId: string): Reservation | LeftOut | undefined {
  const slots = slotsOf(record);
  if (!slots) return undefined;
  const { name } = record;
  const { gpus, instanceType } = slots;
  if (typeof gpus === "string") return { leftOut: gpus, name, instanceType };
  const status = record.status?.procurementStatus;
  const lifecycle = futureLifecycle(status);
  return reservationOf({
    ...placeOf(record),
    ...gpus,
    provider: "gcp",
    name,
    instanceType,
    count: (lifecycle.state === "active" ? record.status?.fulfilledCount : undefined) ?? slots.count,
    used: undefined,
    market: marketOf(record),
    matching: matchingOf(record.specificReservationRequired),
    start: record.timeWindow?.startTime,
    end: endOf(record),
    rawState: status,
    lifecycle,
    billing: "continuous",
    sourceId,
  });
}

const placeOf = ({ name, selfLink, zone }: FutureReservation) =>
  locationOf({ name, selfLink, zone, collection: "futureReservations" });

/** https://cloud.google.com/compute/docs/instances/future-reservations-calendar-mode-overview */
const marketOf = ({ reservationMode }: FutureReservation) =>
  reservationMode === "CALENDAR" ? "block" : "future";

function slotsOf({
  specificSkuProperties: machines,
  aggregateReservation: aggregate,
}: FutureReservation): GcpSlots | undefined {
  if (!machines) return aggregate && chipSlots(aggregate);
  return { ...machineSlot(machines.instanceProperties), count: machines.totalCount, used: undefined };
}

/** The reservations that are made stay on after the window unless they are deleted by themselves, as calendar mode always does. */
function endOf(record: FutureReservation): number | undefined {
  if (record.reservationMode !== "CALENDAR" && record.autoDeleteAutoCreatedReservations !== true) {
    return undefined;
  }
  const { startTime, endTime, duration: window } = record.timeWindow ?? {};
  const after = (time: { seconds?: number | undefined } | undefined) =>
    startTime === undefined || time?.seconds === undefined ? undefined : startTime + time.seconds * 1000;
  return (
    record.autoCreatedReservationsDeleteTime ??
    after(record.autoCreatedReservationsDuration) ??
    endTime ??
    after(window)
  );
}

function supplementsOf(record: FutureReservation): ReservationSupplement[] {
  const made = (record.status?.autoCreatedReservations ?? []).map((url) => resourcePath(url)?.id ?? url);
  if (made.length === 0) return [];
  const start = record.timeWindow?.startTime;
  const known = {
    provider: "gcp",
    market: marketOf(record),
    ...(start === undefined ? {} : { start }),
  } as const;
  return [
    { provider: "gcp", id: placeOf(record).id, fulfilledBy: made },
    ...made.map((id) => ({ ...known, id })),
  ];
}

function partly({ name, status, ...record }: FutureReservation, source: string): Issue[] {
  if (status?.procurementStatus !== "FAILED_PARTIALLY_FULFILLED") return [];
  const asked = record.specificSkuProperties?.totalCount ?? "some";
  const message = `future reservation ${name}: ${status.fulfilledCount ?? "some"} of ${asked} machines were delivered`;
  return [{ code: "FutureReservationPartlyFulfilled", severity: "info", message, source }];
}
