"use client";

import { formatAge, formatCount, formatGpus, formatTime } from "@/components/ui/format.ts";
import { useNow } from "@/lib/client/clock.tsx";
import type { PoolView, ReservationView } from "@/lib/model/fleet-view.ts";
import { Facts } from "./facts.tsx";
import { rateInWords } from "./rate-in-words.ts";

const KINDS: Readonly<Record<PoolView["kind"], string>> = {
  reservation: "reservation",
  "node-pool": "node pool, on no reservation",
  "instance-type": "nodes of one instance type, on no reservation",
};

const BILLING: Readonly<Record<ReservationView["billing"], string>> = {
  continuous: "every slot, used or not, until it is cancelled or ends",
  upfront: "upfront, every slot for the whole time",
  none: "not billed by itself",
};

/** What a pool is paid by and at which rate; a reservation's dates and slots. */
export function PoolFacts({ pool }: { pool: PoolView }) {
  const now = useNow();
  const { reservation } = pool;
  return (
    <Facts
      facts={[
        ["kind", KINDS[pool.kind]],
        ["capacity type", pool.capacityType],
        ["rate", rateInWords(pool.rate)],
        ...(reservation ? reservationFacts(reservation, now) : []),
      ]}
    />
  );
}

function reservationFacts(reservation: ReservationView, now: number): (readonly [string, string | null])[] {
  const { slots, launched, gpusPerInstance, matchedBy } = reservation;
  return [
    ["reservation", reservation.id],
    ["state", reservation.state],
    ["slots", `${formatCount(slots)} × ${formatGpus(gpusPerInstance)}, ${formatCount(launched)} with a node`],
    ["start", momentInWords(reservation.start, now, "started", "starts")],
    ["end", momentInWords(reservation.end, now, "ended", "ends") ?? "no end date"],
    ["billing", BILLING[reservation.billing]],
    ["owner", reservation.owner],
    ["nodes found by", matchedBy.join(", ") || "no node of it was found"],
  ];
}

/** `ends in 9 h 20 m (2026-12-01 21:30:00 UTC)`; null where there is no such moment. */
function momentInWords(iso: string | null, now: number, past: string, future: string): string | null {
  if (iso === null) return null;
  const distance = Date.parse(iso) - now;
  const words = distance < 0 ? `${past} ${formatAge(-distance)} ago` : `${future} in ${formatAge(distance)}`;
  return `${words} (${formatTime(iso)})`;
}
