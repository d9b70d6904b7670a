"use client";

import { reservationTerm } from "@/components/reservation-term.ts";
import { formatGpus, formatTime } from "@/components/ui/format.ts";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import { useNow } from "@/lib/client/clock.tsx";
import type { ReservationView } from "@/lib/model/fleet-view.ts";
import type { CalendarBar } from "./calendar-layout.ts";
import { TERM_FILL } from "./term-swatch.tsx";
import { TERM_TONE } from "./term-words.tsx";

/** A reservation's name and what becomes of it, beside its bar; the dates are said in words too. */
export function CalendarRow({ bar, isAnnounced }: { bar: CalendarBar; isAnnounced: boolean }) {
  const { pool, reservation } = bar.row;
  const term = reservationTerm(reservation, useNow(), isAnnounced);
  const dates = datesInWords(reservation);
  return (
    <li className="grid grid-cols-[var(--label)_minmax(0,1fr)] items-center pr-4">
      <div className="sticky left-0 z-[2] min-w-0 bg-panel py-0.5 pr-2 pl-4 max-md:pl-3.5">
        <SelectionLink
          to={{ kind: "pool", id: pool.id }}
          className="block min-h-6 py-0.5 font-[560] wrap-anywhere"
        >
          {pool.name}
        </SelectionLink>
        <p className="-mt-0.5 text-2xs text-ink-2 tabular-nums">
          {formatGpus(reservation.slots * reservation.gpusPerInstance)} ·{" "}
          <span className={TERM_TONE[term.tone]}>{term.text}</span>
          <span className="sr-only">
            , {reservation.state}, {dates}
          </span>
        </p>
      </div>
      <div aria-hidden="true" className="relative h-4" title={`${pool.name}: ${reservation.state}, ${dates}`}>
        <Bar bar={bar} />
        {bar.usableTo !== null && (
          <span
            className="absolute -top-2.5 -translate-x-1/2 text-2xs leading-none text-l1"
            style={{ left: `${bar.usableTo * 100}%` }}
          >
            ▾
          </span>
        )}
      </div>
    </li>
  );
}

function Bar({ bar: { row, from, to, goesOn } }: { bar: CalendarBar }) {
  const edges = `${from === 0 ? "" : "rounded-l-[3px]"} ${goesOn === null ? "rounded-r-[3px]" : ""}`;
  return (
    <span
      className={`absolute inset-y-0 min-w-1 ${TERM_FILL[row.reservation.state]} ${edges} ${goesOn === "open" ? "fades-out" : ""}`}
      style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
    />
  );
}

function datesInWords({ start, end, usableUntil }: ReservationView): string {
  return [
    start === null ? null : `from ${formatTime(start)}`,
    usableUntil === null ? null : `usable until ${formatTime(usableUntil)}`,
    end === null ? "no end date" : `until ${formatTime(end)}`,
  ]
    .filter((part) => part !== null)
    .join(", ");
}
