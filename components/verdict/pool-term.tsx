"use client";

import { providerState } from "@/components/capacity/cell-words.ts";
import { TermSwatch } from "@/components/capacity/term-swatch.tsx";
import { TERM_TONE } from "@/components/capacity/term-words.tsx";
import { reservationTerm } from "@/components/reservation-term.ts";
import { useNow } from "@/lib/client/clock.tsx";
import type { ReservationView } from "@/lib/model/fleet-view.ts";

/** Where a reservation is in its life: our word, the provider's, and the countdown. */
export function PoolTerm({
  reservation,
  isAnnounced,
}: {
  reservation: ReservationView;
  isAnnounced: boolean;
}) {
  const term = reservationTerm(reservation, useNow(), isAnnounced);
  const raw = providerState(reservation);
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-1.5 tabular-nums">
      <TermSwatch state={reservation.state} />
      {!term.text.includes(reservation.state) && <span className="font-[560]">{reservation.state}</span>}
      {raw !== null && <span className="text-ink-2">({raw})</span>}
      <span className="text-ink-2">·</span>
      <span className={`font-[560] ${TERM_TONE[term.tone]}`}>{term.text}</span>
    </p>
  );
}
