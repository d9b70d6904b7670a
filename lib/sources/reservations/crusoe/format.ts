import { z } from "zod";
import { shortModel } from "../../../model/instance-types.ts";
import { type Rate, UNKNOWN_RATE } from "../../../model/money.ts";
import type { Reservation, ReservationLifecycle } from "../../../model/reservation.ts";
import type { Issue } from "../../../model/snapshot.ts";
import type { ParsedReservations, ParseOptions, ReservationFormat } from "../format.ts";
import { count, moment, optional, text } from "../provider/fields.ts";
import { incomplete } from "../provider/incomplete.ts";
import { fieldOf, itemsOf, readRecords } from "../provider/read-records.ts";
import { keepReservations, type LeftOut, reservationOf } from "../provider/reservation-of.ts";

/** https://docs.crusoecloud.com/api: `GET /organizations/{id}/reservations` */
const reservation = z.object({
  id: text,
  contract_start_date: optional(moment),
  contract_end_date: optional(moment),
  date_delivered: optional(moment),
  locations: optional(z.array(text)),
  price: optional(
    z.union([z.string().regex(/^\d{1,6}(\.\d+)?$/), z.number().nonnegative()], { error: "a price" }),
  ),
  product_line: text,
  quantity: count,
  used_quantity: optional(count),
  reservation_type: optional(text),
  vm_ids: optional(z.array(text)),
});

type CrusoeReservation = z.infer<typeof reservation>;

/** What Crusoe's API gives for an organization's reservations: `{items: [{id, product_line, quantity, price, …}]}`. */
export const crusoeFormat: ReservationFormat = {
  name: "Crusoe reservations (GET /organizations/{id}/reservations)",
  recognises: (document) => itemsOf(document).some((item) => fieldOf(item, "product_line") !== undefined),
  parse: parseCrusoe,
};

function parseCrusoe(document: unknown, { sourceId }: ParseOptions): ParsedReservations {
  const { good, issues } = readRecords(itemsOf(document), reservation, { sourceId, what: "reservation" });
  const kept = keepReservations(
    good.map((record) => toReservation(record, sourceId)),
    sourceId,
  );
  return {
    reservations: kept.reservations,
    problems: [],
    issues: [
      ...issues,
      ...kept.issues,
      ...unitNote(kept.reservations, sourceId),
      ...incomplete(document, sourceId),
    ],
  };
}

function toReservation(record: CrusoeReservation, sourceId: string): Reservation | LeftOut {
  const { id, product_line: line, quantity, locations } = record;
  const gpuModel = shortModel(line);
  // The model is not one that is known, and the line may be one of machines without GPUs.
  if (gpuModel === line)
    return { leftOut: /^(c|s)\d/.test(line) ? "none" : "unknown", name: id, instanceType: line };
  const size = quantity % GPUS_A_MACHINE === 0 && WHOLE_MACHINES.test(line) ? GPUS_A_MACHINE : 1;
  const delivered = record.date_delivered;
  return reservationOf({
    id,
    provider: "crusoe",
    name: id,
    instanceType: size === 1 ? line : `${line}.${size}x`,
    gpuModel,
    gpusPerInstance: size,
    count: quantity / size,
    used: record.used_quantity === undefined ? undefined : Math.ceil(record.used_quantity / size),
    region: undefined,
    zone: locations?.length === 1 ? locations[0] : undefined,
    account: undefined,
    market: "unknown",
    matching: "targeted",
    start: delivered ?? record.contract_start_date,
    end: record.contract_end_date,
    rawState: undefined,
    // Its dates alone decide once it is there.
    lifecycle: delivered === undefined ? NOT_DELIVERED : undefined,
    machines: (record.vm_ids ?? []).map((vm) => vm.toLowerCase()),
    billing: "continuous",
    rate: rateOf(record.price),
    sourceId,
  });
}

/** Quantities are read as GPUs, since the price is one of a GPU: those with NVLink and InfiniBand come as whole machines of 8. */
const GPUS_A_MACHINE = 8;
const WHOLE_MACHINES = /sxm|-ib\b|mi\d{3}/i;

const NOT_DELIVERED: ReservationLifecycle = {
  state: "scheduled",
  billed: false,
  launchable: false,
  doc: "https://docs.crusoecloud.com/",
};

/** USD for one GPU and hour. */
function rateOf(price: string | number | undefined): Rate {
  if (price === undefined) return UNKNOWN_RATE;
  const micros = Math.round(Number(price) * 1e6);
  return { perGpuHour: { currency: "USD", micros }, source: "provider", bound: "=" };
}

function unitNote(reservations: readonly Reservation[], source: string): Issue[] {
  if (reservations.length === 0) return [];
  const message =
    "Crusoe does not say what quantity and price count: they are read as GPUs and USD a GPU-hour";
  return [{ code: "ReservationUnitsAssumed", severity: "info", message, source }];
}
