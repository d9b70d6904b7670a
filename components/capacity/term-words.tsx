"use client";

import { type ReservationTerm, reservationTerm } from "@/components/reservation-term.ts";
import { formatTime } from "@/components/ui/format.ts";
import { useNow } from "@/lib/client/clock.tsx";
import type { ReservationView } from "@/lib/model/fleet-view.ts";

/** A term's colour. */
export const TERM_TONE: Readonly<Record<ReservationTerm["tone"], string>> = {
  warn: "text-warn",
  note: "text-l1",
  calm: "",
};

/** A reservation's countdown with the moment that it counts to below it. */
export function TermWords({
  reservation,
  isAnnounced,
}: {
  reservation: ReservationView;
  isAnnounced: boolean;
}) {
  const { state, start, end, usableUntil } = reservation;
  const term = reservationTerm(reservation, useNow(), isAnnounced);
  const moment = state === "scheduled" ? start : end;
  const usable = usableUntil === null ? "" : `, usable until ${formatTime(usableUntil)}`;
  return (
    <>
      <span className={`block ${TERM_TONE[term.tone]} ${term.tone === "warn" ? "font-[560]" : ""}`}>
        {term.text}
      </span>
      {moment !== null && (
        <time className="block text-xs text-ink-2" dateTime={moment} title={`${formatTime(moment)}${usable}`}>
          {formatTime(moment).slice(0, 16)}
        </time>
      )}
    </>
  );
}
