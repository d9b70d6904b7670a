import { billedInWords, MATCHING } from "@/components/capacity/reservation-words.ts";
import { formatAge, formatCount, formatGpus, formatTime } from "@/components/ui/format.ts";
import type { ReservationView } from "@/lib/model/fleet-view.ts";

const BILLING: Readonly<Record<ReservationView["billing"], string>> = {
  continuous: "every slot, used or not, until it is cancelled or ends",
  upfront: "upfront, every slot for the whole time",
  none: "not billed by itself",
};

const MARKET: Readonly<Record<ReservationView["market"], string>> = {
  "on-demand": "on demand, from creation to deletion",
  block: "a block, paid for fixed dates",
  future: "on demand from a future date on",
  unknown: "unknown",
};

/** A name with what is to be said of it; null where there is nothing to say. */
export type Fact = readonly [name: string, value: string | null];

/** Everything that is known of a reservation, in words. `now`: epoch ms. */
export function reservationFacts(reservation: ReservationView, now: number): readonly Fact[] {
  const { id, market, matching, account, region, zone, owner, matchedBy } = reservation;
  return [
    ["reservation", id],
    ["state", stateInWords(reservation)],
    ["next", nextInWords(reservation, now)],
    ["slots", slotsInWords(reservation)],
    ["start", momentInWords(reservation.start, now, "started", "starts")],
    ["usable until", momentInWords(reservation.usableUntil, now, "", "")],
    ["end", momentInWords(reservation.end, now, "ended", "ends") ?? "no end date"],
    ["market", MARKET[market]],
    ["matching", matching === null ? null : MATCHING[matching]],
    ["billing", BILLING[reservation.billing]],
    ["account", account],
    ["place", [...new Set([region, zone])].filter((part) => part !== null).join(", ") || null],
    ["owner", owner],
    ["nodes found by", matchedBy.join(", ") || "no node of it was found"],
  ];
}

/** `active (the provider says PENDING), billed now, can be launched into`. */
function stateInWords({ state, rawState, billed, launchable }: ReservationView): string {
  const raw = rawState === null ? "by its dates" : `the provider says ${rawState}`;
  const launch =
    launchable === null
      ? "not known whether machines can be launched"
      : launchable
        ? "machines can be launched"
        : "no machine can be launched";
  return `${state} (${raw}), ${billedInWords(billed)}, ${launch}`;
}

/** `16 × 8 GPUs: 14 used, 1 free, 1 broken; 13 with a node`. */
function slotsInWords({ slots, gpusPerInstance, used, free, broken, launched }: ReservationView): string {
  const parts = [
    used === null ? "the provider does not say how many are used" : `${formatCount(used)} used`,
    `${formatCount(free)} free`,
    `${formatCount(broken)} broken`,
    `${formatCount(launched)} with a node`,
  ];
  return `${formatCount(slots)} × ${formatGpus(gpusPerInstance)}: ${parts.join(", ")}`;
}

function nextInWords({ nextChange }: ReservationView, now: number): string | null {
  if (nextChange === null) return null;
  const left = Date.parse(nextChange.at) - now;
  return left < 0 ? nextChange.what : `${nextChange.what} in ${formatAge(left)}`;
}

/** `ends in 9 h 20 m (2026-12-01 21:30:00 UTC)`; null where there is no such moment. */
function momentInWords(iso: string | null, now: number, past: string, future: string): string | null {
  if (iso === null) return null;
  const distance = Date.parse(iso) - now;
  const words = distance < 0 ? `${past} ${formatAge(-distance)} ago` : `${future} in ${formatAge(distance)}`;
  return `${words.trim()} (${formatTime(iso)})`;
}
