import { UNKNOWN_RATE } from "../../../model/money.ts";
import type { Reservation } from "../../../model/reservation.ts";
import type { Issue } from "../../../model/snapshot.ts";

const DEFAULTS = {
  broken: 0,
  usableUntil: undefined,
  machines: [],
  rate: UNKNOWN_RATE,
  owner: undefined,
  selector: undefined,
} satisfies Partial<Reservation>;

/** A provider's reservation: what most providers do not say need not be given. */
export function reservationOf(
  fields: Omit<Reservation, keyof typeof DEFAULTS> & Partial<Pick<Reservation, keyof typeof DEFAULTS>>,
): Reservation {
  return { ...DEFAULTS, ...fields };
}

/** The GPUs of one instance. `none`: it has none. `unknown`: nobody says how many. */
export type SlotGpus = Pick<Reservation, "gpuModel" | "gpusPerInstance"> | "none" | "unknown";

/** A reservation that cannot be shown, and why. */
export interface LeftOut {
  readonly leftOut: "none" | "unknown";
  readonly name: string;
  readonly instanceType: string;
}

/** The reservations, and what has to be said of those that are left out: those without GPUs only in one sum. */
export function keepReservations(
  results: readonly (Reservation | LeftOut)[],
  sourceId: string,
): { readonly reservations: readonly Reservation[]; readonly issues: readonly Issue[] } {
  const reservations: Reservation[] = [];
  const unknown: Issue[] = [];
  const without: string[] = [];
  for (const result of results) {
    if (!("leftOut" in result)) {
      reservations.push(result);
      if (result.lifecycle?.state === "unknown") unknown.push(unknownState(result, sourceId));
    } else if (result.leftOut === "none") without.push(result.instanceType);
    else unknown.push(unknownType(result, sourceId));
  }
  return { reservations, issues: [...unknown, ...withoutGpus(without, sourceId)] };
}

function unknownState({ name, rawState }: Reservation, source: string): Issue {
  const what = rawState === undefined ? "its state is not given" : `its state ${rawState} is not known`;
  const message = `reservation ${name}: ${what}, so it is not counted as billed`;
  return { code: "UnknownReservationState", severity: "warning", message, source };
}

function unknownType({ name, instanceType }: LeftOut, source: string): Issue {
  const message = `reservation ${name} is left out: how many GPUs one ${instanceType} has is not known`;
  return { code: "UnknownInstanceType", severity: "warning", message, source };
}

function withoutGpus(types: readonly string[], source: string): Issue[] {
  if (types.length === 0) return [];
  const named = [...new Set(types)].sort().slice(0, 5).join(", ");
  const message = `${types.length} reservations of machines without GPUs are left out (${named})`;
  return [{ code: "ReservationsWithoutGpus", severity: "info", message, source }];
}
