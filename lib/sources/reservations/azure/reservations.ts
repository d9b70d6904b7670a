import { findInstanceType } from "../../../model/instance-types.ts";
import type { Reservation } from "../../../model/reservation.ts";
import type { Issue } from "../../../model/snapshot.ts";
import type { ParsedReservations, ParseOptions } from "../format.ts";
import { readRecords } from "../provider/read-records.ts";
import { keepReservations, type LeftOut, reservationOf, type SlotGpus } from "../provider/reservation-of.ts";
import { azureLifecycle } from "./lifecycle.ts";
import { type AzureReservation, capacityReservation, isOpen, usedOf } from "./record.ts";
import { normalId } from "./resource-id.ts";

/** Reservations of one or more groups, as REST, the SDK and the az CLI give them. */
export function parseAzureReservations(
  records: readonly unknown[],
  { sourceId }: ParseOptions,
): ParsedReservations {
  const { good, issues } = readRecords(records, capacityReservation, {
    sourceId,
    what: "capacity reservation",
  });
  const kept = keepReservations(
    good.map((record) => toReservation(record, sourceId)),
    sourceId,
  );
  return {
    reservations: kept.reservations,
    problems: [],
    issues: [...issues, ...kept.issues, ...good.flatMap((record) => oddities(record, sourceId))],
  };
}

function toReservation(record: AzureReservation, sourceId: string): Reservation | LeftOut {
  const { id, sku, instanceView, scheduleProfile, location } = record;
  const name = record.name ?? id.reservation ?? id.group;
  const gpus = machineGpus(sku.name);
  if (typeof gpus === "string") return { leftOut: gpus, name, instanceType: sku.name };
  const utilization = instanceView?.utilizationInfo;
  const futureState = instanceView?.reservationStateInfo?.reservationState;
  const lifecycle = azureLifecycle(record.provisioningState, futureState, utilization?.currentCapacity);
  return reservationOf({
    ...gpus,
    ...kindOf(record),
    id: id.id,
    provider: "azure",
    name,
    instanceType: sku.name,
    // What is held is what is billed; where nothing is held yet, what was asked for.
    count: (lifecycle.state === "active" ? utilization?.currentCapacity : undefined) ?? sku.capacity,
    used: usedOf(utilization),
    region: location,
    zone: zoneOf(location, record.zones),
    account: id.subscription,
    start: scheduleProfile?.start ?? record.timeCreated ?? record.provisioningTime,
    end: scheduleProfile?.end,
    rawState: futureState ?? record.provisioningState,
    lifecycle,
    machines: (utilization?.virtualMachinesAllocated ?? []).map((machine) => normalId(machine.id)),
    billing: "continuous",
    sourceId,
  });
}

/** https://learn.microsoft.com/azure/virtual-machines/sizes/overview: sizes with GPUs are those of the N family. */
function machineGpus(size: string): SlotGpus {
  const listed = findInstanceType(size);
  if (listed) return { gpuModel: listed.gpuModel, gpusPerInstance: Math.ceil(listed.gpus) };
  return /^(standard|basic)_n/i.test(size) ? "unknown" : "none";
}

/** What the reservation itself tells of its type; its group tells it outright, but is another document. */
function kindOf({
  scheduleProfile,
  instanceView,
}: AzureReservation): Pick<Reservation, "market" | "matching"> {
  const dated = scheduleProfile?.start === undefined ? "on-demand" : "future";
  return {
    market: scheduleProfile?.end === undefined ? dated : "block",
    matching: isOpen(instanceView?.utilizationInfo) ? "open" : "targeted",
  };
}

/** As nodes are labelled: `eastus2-1`. https://learn.microsoft.com/azure/aks/availability-zones-overview */
function zoneOf(location: string | undefined, zones: readonly string[] | undefined): string | undefined {
  const [zone, second] = zones ?? [];
  return location === undefined || zone === undefined || second !== undefined
    ? undefined
    : `${location}-${zone}`;
}

function oddities(
  { id, name, sku, instanceView, provisioningState }: AzureReservation,
  source: string,
): Issue[] {
  const who = `capacity reservation ${name ?? id.reservation}`;
  const current = instanceView?.utilizationInfo?.currentCapacity;
  if (current === undefined) {
    const message = `${who}: its list has no instance view, so only its group's can tell how many slots are held and used (az capacity reservation group show --instance-view)`;
    return [{ code: "InstanceViewMissing", severity: "info", message, source }];
  }
  if (provisioningState?.toLowerCase() === "failed" && current > 0 && current < sku.capacity) {
    const message = `${who}: ${sku.capacity} slots were asked for, which failed: ${current} are held`;
    return [{ code: "ReservationChangeFailed", severity: "warning", message, source }];
  }
  return [];
}
