import { type Rate, UNKNOWN_RATE } from "../../model/money.ts";
import type { Reservation } from "../../model/reservation.ts";
import type { Issue, Sourced } from "../../model/snapshot.ts";
import type { ReservationFee, ReservationSupplement } from "./format.ts";
import type { ReservationState } from "./reservation-source.ts";

/** What all sources together say. */
export interface CombinedReservations {
  readonly reservations: Sourced<Reservation>;
  readonly issues: readonly Issue[];
}

/**
 * Makes one list of what several sources say at `now`: each reservation once, with its fees, its broken slots and its
 * machines, which other documents may tell. Of a reservation that two sources list, a provider's own answer goes before
 * a file, and else the first before the second. Ids are compared without case, since providers change it.
 */
export function combineReservations(states: readonly ReservationState[], now: number): CombinedReservations {
  const listed = uniqueById(states);
  const supplements = groupById(states);
  const issues = [...listed.issues, ...unknownIds(supplements, listed.kept)];
  const items = [...listed.kept]
    .filter(([id]) => !isFulfilled(supplements.get(id) ?? [], listed.kept))
    .map(([id, reservation]) => supplement(reservation, supplements.get(id) ?? [], now));
  return {
    reservations: { known: states.every((state) => state.reservations.known), items },
    issues,
  };
}

/** Lower-case id -> reservation. */
type ById = ReadonlyMap<string, Reservation>;

function uniqueById(states: readonly ReservationState[]): { readonly kept: ById; readonly issues: Issue[] } {
  const kept = new Map<string, Reservation>();
  const issues: Issue[] = [];
  const liveFirst = [...states].sort((a, b) => Number(b.isLive ?? false) - Number(a.isLive ?? false));
  for (const reservation of liveFirst.flatMap((state) => state.reservations.items)) {
    const id = reservation.id.toLowerCase();
    const first = kept.get(id);
    if (first) issues.push(duplicateIssue(reservation, first));
    else kept.set(id, reservation);
  }
  return { kept, issues };
}

/** The same id twice is one reservation written twice: both would be paid for. */
function duplicateIssue({ id, sourceId }: Reservation, first: Reservation): Issue {
  const where = sourceId === first.sourceId ? `twice in ${sourceId}` : `in ${first.sourceId} and ${sourceId}`;
  return {
    code: "DuplicateReservation",
    severity: "error",
    message: `${id} is ${where}: only the one in ${first.sourceId} counts, once`,
    source: sourceId,
  };
}

/** A future reservation whose capacity has been delivered as reservations that are listed themselves. */
function isFulfilled(supplements: readonly ReservationSupplement[], listed: ById): boolean {
  return supplements.some(({ fulfilledBy = [] }) => fulfilledBy.some((id) => listed.has(id.toLowerCase())));
}

function groupById(states: readonly ReservationState[]): Map<string, ReservationSupplement[]> {
  const groups = new Map<string, ReservationSupplement[]>();
  for (const one of states.flatMap((state) => state.supplements ?? [])) {
    const id = one.id.toLowerCase();
    const group = groups.get(id);
    if (group) group.push(one);
    else groups.set(id, [one]);
  }
  return groups;
}

function unknownIds(supplements: ReadonlyMap<string, ReservationSupplement[]>, listed: ById): Issue[] {
  return [...supplements]
    .filter(([id]) => !listed.has(id))
    .map(([, [first]]): Issue => {
      const id = first?.id ?? "";
      const message = `fees, health or machines of ${id} are known, but no source lists that reservation`;
      return { code: "SupplementOfUnknownReservation", severity: "info", message };
    });
}

function supplement(
  reservation: Reservation,
  further: readonly ReservationSupplement[],
  now: number,
): Reservation {
  if (further.length === 0) return reservation;
  const broken = Math.max(reservation.broken, ...further.map((one) => one.broken ?? 0));
  const machines = new Set([...reservation.machines, ...further.flatMap((one) => one.machines ?? [])]);
  const fees = further.flatMap((one) => one.fee ?? []);
  const count = further.find((one) => one.count !== undefined)?.count ?? reservation.count;
  return {
    ...reservation,
    count,
    used: reservation.used ?? further.find((one) => one.used !== undefined)?.used,
    market: further.find((one) => one.market !== undefined)?.market ?? reservation.market,
    matching: further.find((one) => one.matching !== undefined)?.matching ?? reservation.matching,
    start: further.find((one) => one.start !== undefined)?.start ?? reservation.start,
    broken: Math.min(broken, count),
    machines: [...machines],
    rate:
      reservation.rate.perGpuHour === undefined
        ? feeRate({ ...reservation, count }, fees, now)
        : reservation.rate,
  };
}

const HOUR = 3_600_000;

/**
 * What was paid at once, spread over the time that it was paid for: that of `now`, before the start the first, after the
 * end the last. An extension has a fee of its own, so each time has its own rate.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-pricing-billing.html
 */
function feeRate(
  { count, gpusPerInstance }: Reservation,
  fees: readonly ReservationFee[],
  now: number,
): Rate {
  const gpus = count * gpusPerInstance;
  const sorted = fees.filter((fee) => fee.until > fee.from).sort((a, b) => a.from - b.from);
  const fee = sorted.find(({ until }) => now < until) ?? sorted.at(-1);
  if (!fee || gpus <= 0) return UNKNOWN_RATE;
  const gpuHours = (gpus * (fee.until - fee.from)) / HOUR;
  const { currency, micros } = fee.total;
  return { perGpuHour: { currency, micros: Math.round(micros / gpuHours) }, source: "fee", bound: "=" };
}
