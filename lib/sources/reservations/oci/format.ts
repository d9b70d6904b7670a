import type { z } from "zod";
import { findInstanceType } from "../../../model/instance-types.ts";
import type { Reservation } from "../../../model/reservation.ts";
import type { ParsedReservations, ParseOptions, ReservationFormat } from "../format.ts";
import { incomplete } from "../provider/incomplete.ts";
import { fieldOf, readRecords } from "../provider/read-records.ts";
import { keepReservations, type LeftOut, reservationOf, type SlotGpus } from "../provider/reservation-of.ts";
import { ociLifecycle } from "./lifecycle.ts";
import { camelKeys, capacityReservation, instance } from "./record.ts";

/** What `oci compute capacity-reservation get` and `oci compute instance list` print, one or more in `data`. */
export const ociFormat: ReservationFormat = {
  name: "OCI capacity reservations (oci compute capacity-reservation get)",
  recognises: (document) => recordsOf(document).some((record) => kindOf(record) !== undefined),
  parse: parseOci,
};

function parseOci(document: unknown, { sourceId }: ParseOptions): ParsedReservations {
  const records = recordsOf(document).map(camelKeys);
  const isInstance = (record: unknown) => kindOf(record) === "instance";
  const machines = readRecords(records.filter(isInstance), instance, { sourceId, what: "instance" });
  const reservations = readRecords(
    records.filter((record) => !isInstance(record)),
    capacityReservation,
    { sourceId, what: "capacity reservation" },
  );
  const kept = keepReservations(
    reservations.good.flatMap((record) => toReservations(record, sourceId)),
    sourceId,
  );
  return {
    reservations: kept.reservations,
    supplements: machines.good.flatMap(({ id, capacityReservationId }) =>
      capacityReservationId === undefined
        ? []
        : [{ provider: "oci", id: capacityReservationId, machines: [id.toLowerCase()] }],
    ),
    problems: [],
    issues: [...reservations.issues, ...machines.issues, ...kept.issues, ...incomplete(document, sourceId)],
  };
}

/** One reservation can hold several shapes: each is one of ours. */
function toReservations(
  record: z.infer<typeof capacityReservation>,
  sourceId: string,
): (Reservation | LeftOut)[] {
  const { id, instanceReservationConfigs: configs, availabilityDomain } = record;
  const name = record.displayName ?? id;
  const first = configs.findIndex(({ instanceShape }) => typeof shapeGpus(instanceShape) !== "string");
  return configs.map((config, index) => {
    const { instanceShape, faultDomain } = config;
    const gpus = shapeGpus(instanceShape);
    if (typeof gpus === "string") return { leftOut: gpus, name, instanceType: instanceShape };
    return reservationOf({
      ...gpus,
      // Nodes are labelled with the end of the id, instance lists name it whole: all keep that end, the first all of it.
      id: index === first ? id : [instanceShape, faultDomain ?? index, id].join("/"),
      provider: "oci",
      name,
      instanceType: instanceShape,
      count: config.reservedCount,
      used: config.usedCount,
      region: id.split(".")[3] || undefined,
      // Nodes are labelled without the tenancy's prefix: `PHX-AD-1` for `Uocm:PHX-AD-1`.
      zone: availabilityDomain?.slice(availabilityDomain.indexOf(":") + 1),
      account: record.compartmentId,
      market: "on-demand",
      matching: record.isDefaultReservation === true ? "open" : "targeted",
      start: record.timeCreated,
      end: undefined,
      rawState: record.lifecycleState,
      lifecycle: ociLifecycle(record.lifecycleState),
      billing: "continuous",
      sourceId,
    });
  });
}

/** https://docs.oracle.com/en-us/iaas/Content/Compute/References/computeshapes.htm: `BM.GPU.H100.8` has 8 GPUs. */
function shapeGpus(shape: string): SlotGpus {
  const listed = findInstanceType(shape);
  if (listed) return { gpuModel: listed.gpuModel, gpusPerInstance: Math.ceil(listed.gpus) };
  if (!/\bGPU/i.test(shape)) return "none";
  const count = Number(/\.(\d+)$/.exec(shape)?.[1] ?? 0);
  return count > 0 ? { gpuModel: undefined, gpusPerInstance: count } : "unknown";
}

function kindOf(record: unknown): "reservation" | "instance" | undefined {
  const id = fieldOf(record, "id");
  if (typeof id !== "string") return undefined;
  if (id.startsWith("ocid1.capacityreservation.")) return "reservation";
  return id.startsWith("ocid1.instance.") ? "instance" : undefined;
}

/** The records of an array, of the CLI's `data`, or of a list in it. */
function recordsOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const data = fieldOf(document, "data") ?? document;
  const items = fieldOf(data, "items") ?? data;
  return Array.isArray(items) ? items : [items];
}
