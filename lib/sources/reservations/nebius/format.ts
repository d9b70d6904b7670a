import { z } from "zod";
import { shortModel } from "../../../model/instance-types.ts";
import type { Reservation, ReservationLifecycle } from "../../../model/reservation.ts";
import type { Issue } from "../../../model/snapshot.ts";
import type { ParsedReservations, ParseOptions, ReservationFormat } from "../format.ts";
import { count, moment, optional, text } from "../provider/fields.ts";
import { incomplete } from "../provider/incomplete.ts";
import { fieldOf, itemsOf, readRecords } from "../provider/read-records.ts";
import { keepReservations, type LeftOut, reservationOf } from "../provider/reservation-of.ts";

/** https://github.com/nebius/api/tree/main/nebius/capacity/v1: CapacityBlockGroup */
const capacityBlockGroup = z.object({
  metadata: z.object({ id: text, name: optional(text), parent_id: optional(text) }),
  status: z.object({
    region: optional(text),
    resource_affinity: z.object({
      compute_v1: z.object({ platform: text, fabric: optional(text) }),
    }),
    state: optional(text),
    current_limit: count,
    usage: optional(count),
    next_change_at: optional(moment),
    next_change_to: optional(count),
    current_continuous_interval: optional(
      z.object({ start_time: optional(moment), end_time: optional(moment) }),
    ),
  }),
});

type CapacityBlockGroup = z.infer<typeof capacityBlockGroup>;

/** What `nebius capacity capacity-block-group list --format json` prints. */
export const nebiusFormat: ReservationFormat = {
  name: "Nebius capacity block groups (nebius capacity capacity-block-group list --format json)",
  recognises: (document) =>
    itemsOf(document).some((item) => fieldOf(fieldOf(item, "status"), "resource_affinity") !== undefined),
  parse: parseNebius,
};

function parseNebius(document: unknown, { sourceId }: ParseOptions): ParsedReservations {
  const { good, issues } = readRecords(itemsOf(document), capacityBlockGroup, {
    sourceId,
    what: "capacity block group",
  });
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
      ...good.flatMap((record) => changes(record, sourceId)),
      ...incomplete(document, sourceId),
    ],
  };
}

function toReservation({ metadata, status }: CapacityBlockGroup, sourceId: string): Reservation | LeftOut {
  const { platform } = status.resource_affinity.compute_v1;
  const name = metadata.name ?? metadata.id;
  if (!platform.startsWith("gpu-")) return { leftOut: "none", name, instanceType: platform };
  const lifecycle = lifecycleOf(status);
  const waiting = lifecycle.state === "scheduled" && status.current_limit === 0;
  const gpus = waiting ? (status.next_change_to ?? 0) : status.current_limit;
  // Limits count GPUs; those with NVLink come as machines of 8.
  const size = gpus % 8 === 0 && /sxm/.test(platform) ? 8 : 1;
  const interval = status.current_continuous_interval;
  return reservationOf({
    id: metadata.id,
    provider: "nebius",
    name,
    instanceType: platform,
    gpuModel: shortModel(platform),
    gpusPerInstance: size,
    count: gpus / size,
    used: status.usage === undefined ? undefined : Math.ceil(status.usage / size),
    region: status.region,
    zone: undefined,
    account: metadata.parent_id,
    market: "block",
    matching: undefined,
    start: waiting ? status.next_change_at : interval?.start_time,
    end: waiting ? undefined : interval?.end_time,
    rawState: status.state,
    lifecycle,
    billing: "continuous",
    sourceId,
  });
}

const DOC = "https://docs.nebius.com/";

/** What a state means. While it is given or taken back, nobody says whether it is billed. */
function lifecycleOf({ state, next_change_to: next }: CapacityBlockGroup["status"]): ReservationLifecycle {
  switch (state?.replace(/^STATE_/, "")) {
    case "ACTIVE":
      return { state: "active", billed: true, launchable: true, doc: DOC };
    case "ALLOCATING":
      return { state: "scheduled", billed: undefined, launchable: false, doc: DOC };
    case "SHUTTING":
      return { state: "active", billed: undefined, launchable: false, doc: DOC };
    case "INACTIVE":
      return { state: (next ?? 0) > 0 ? "scheduled" : "ended", billed: false, launchable: false, doc: DOC };
    default:
      return { state: "unknown", billed: undefined, launchable: undefined, doc: DOC };
  }
}

/** A group's size changes with time, which one reservation cannot show. */
function changes({ metadata, status }: CapacityBlockGroup, source: string): Issue[] {
  const { next_change_at: at, next_change_to: to, current_limit: now } = status;
  if (at === undefined || to === undefined || now === 0 || to === now) return [];
  const when = new Date(at).toISOString();
  const message = `capacity block group ${metadata.name ?? metadata.id} goes from ${now} to ${to} GPUs at ${when}`;
  return [{ code: "ReservationSizeChanges", severity: "info", message, source }];
}
