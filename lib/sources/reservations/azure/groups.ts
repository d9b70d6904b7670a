import type { Reservation, ReservationMarket } from "../../../model/reservation.ts";
import type { Issue } from "../../../model/snapshot.ts";
import type { ParsedReservations, ParseOptions, ReservationSupplement } from "../format.ts";
import { readRecords } from "../provider/read-records.ts";
import { type AzureGroup, capacityReservationGroup, type Utilization, usedOf } from "./record.ts";
import { normalId, reservationPath } from "./resource-id.ts";

/** A group's type decides how its reservations are bought and matched: only `Open` ones take VMs by themselves. */
const TYPES: Readonly<
  Record<
    string,
    { readonly market?: ReservationMarket; readonly matching: NonNullable<Reservation["matching"]> }
  >
> = {
  targeted: { matching: "targeted" },
  open: { matching: "open" },
  block: { market: "block", matching: "targeted" },
};

/**
 * Groups of reservations. They say the type, and with their instance view how many slots are held and used, but not the
 * VM size: that is in the list of their reservations.
 */
export function parseGroups(records: readonly unknown[], { sourceId }: ParseOptions): ParsedReservations {
  const { good, issues } = readRecords(records, capacityReservationGroup, {
    sourceId,
    what: "capacity reservation group",
  });
  return {
    reservations: [],
    supplements: good.flatMap(supplementsOf),
    problems: [],
    issues: [...issues, ...good.flatMap((group) => unknownType(group, sourceId))],
  };
}

function supplementsOf(group: AzureGroup): ReservationSupplement[] {
  // A group without a type was made before there were others.
  const type = TYPES[(group.reservationType ?? "Targeted").toLowerCase()];
  const views = group.instanceView?.capacityReservations ?? [];
  const viewed = views.map(({ name }) => `${normalId(group.id)}/capacityreservations/${name.toLowerCase()}`);
  const listed = (group.capacityReservations ?? []).map(({ id }) => normalId(id));
  return [...new Set([...listed, ...viewed])]
    .filter((id) => reservationPath(id)?.reservation !== undefined)
    .map((id) => {
      const view = views.find(({ name }) => id.endsWith(`/${name.toLowerCase()}`));
      return { provider: "azure", id, ...type, ...viewOf(view?.utilizationInfo) };
    });
}

/** A reservation that holds nothing has failed, or has not begun: its own record says how many it will have. */
function viewOf(utilization: Utilization | undefined): Omit<ReservationSupplement, "provider" | "id"> {
  const { currentCapacity: held, virtualMachinesAllocated: machines } = utilization ?? {};
  const used = usedOf(utilization);
  return {
    ...(held && { count: held }),
    ...(used !== undefined && { used }),
    ...(machines && { machines: machines.map((machine) => normalId(machine.id)) }),
  };
}

function unknownType({ id, name, reservationType }: AzureGroup, source: string): Issue[] {
  if (reservationType === undefined || TYPES[reservationType.toLowerCase()]) return [];
  const message = `capacity reservation group ${name ?? id}: its type ${reservationType} is not known`;
  return [{ code: "UnknownReservationType", severity: "warning", message, source }];
}
