"use client";

import { useState } from "react";
import { Card } from "@/components/ui/card.tsx";
import { formatCount } from "@/components/ui/format.ts";
import { ShowMore } from "@/components/verdict/show-more.tsx";
import { useNow } from "@/lib/client/clock.tsx";
import type { ReservationView } from "@/lib/model/fleet-view.ts";
import { type CalendarLayout, calendarLayout } from "./calendar-layout.ts";
import { CalendarRow } from "./calendar-row.tsx";
import type { CapacityRow } from "./capacity-row.ts";
import { TermSwatch } from "./term-swatch.tsx";

const FIRST = 12;
const MINUTE = 60_000;

/** What is there when: a bar a reservation, from a week ago to 90 days ahead. */
export function CalendarCard({
  rows,
  announced,
}: {
  rows: readonly CapacityRow[];
  announced: ReadonlySet<string>;
}) {
  const [all, setAll] = useState(false);
  // A minute is far less than a pixel: the strip need not move every second.
  const now = Math.floor(useNow() / MINUTE) * MINUTE;
  const { bars, ticks, left } = calendarLayout(rows, now);
  const shown = all ? bars : bars.slice(0, FIRST);
  return (
    <Card id="calendar" title="Calendar" note="the next 90 days; what changes next on top">
      <section
        aria-label="Calendar, scrolls sideways"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
        className="scroll-edges overflow-x-auto border-t border-line-soft [--label:204px] max-md:[--label:124px]"
      >
        <div className="relative min-w-[560px] pb-1.5">
          <Axis ticks={ticks} />
          <ul>
            {shown.map((bar) => (
              <CalendarRow key={bar.row.pool.id} bar={bar} isAnnounced={announced.has(bar.row.pool.id)} />
            ))}
          </ul>
        </div>
      </section>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-soft px-4 py-2 text-xs text-ink-2">
        <Legend states={new Set(shown.map(({ row }) => row.reservation.state))} />
        {shown.some(({ usableTo }) => usableTo !== null) && (
          <span>
            <b className="text-l1">▾</b> machines are taken back
          </span>
        )}
        <span className="ml-auto">{leftInWords(left)}</span>
        <ShowMore shown={shown.length} total={bars.length} what="reservations" onMore={() => setAll(true)} />
      </div>
    </Card>
  );
}

/** Dates over lines that run through all rows; today's is the one that stands out. */
function Axis({ ticks }: { ticks: CalendarLayout["ticks"] }) {
  return (
    <div aria-hidden="true" className="h-6">
      <div className="pointer-events-none absolute inset-y-0 right-4 left-(--label)">
        {ticks.map(({ time, at }, index) => (
          <span
            key={time}
            className={`absolute inset-y-0 border-l ${index === 0 ? "z-[1] border-l2" : "border-line-soft"}`}
            style={{ left: `${at * 100}%` }}
          >
            {index < ticks.length - 1 && (
              <span
                className={`absolute top-1 left-1 text-2xs whitespace-nowrap tabular-nums ${index === 0 ? "font-semibold text-l2" : "text-ink-3"}`}
              >
                {index === 0 ? "today" : dayAndMonth(time)}
              </span>
            )}
          </span>
        ))}
      </div>
    </div>
  );
}

/** `16 Dec`, in UTC as all times here are. */
function dayAndMonth(time: number): string {
  return new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

const LEGEND: readonly ReservationView["state"][] = ["active", "scheduled", "ended", "unknown"];

function Legend({ states }: { states: ReadonlySet<ReservationView["state"]> }) {
  return LEGEND.filter((state) => states.has(state)).map((state) => (
    <span key={state} className="flex items-center gap-1.5 whitespace-nowrap">
      <TermSwatch state={state} /> {state === "unknown" ? "state unknown" : state}
    </span>
  ));
}

function leftInWords({ earlier, later, undated, failed }: CalendarLayout["left"]): string {
  const parts = [
    [earlier, "ended before"],
    [later, later === 1 ? "starts after" : "start after"],
    [undated, "without dates"],
    [failed, "failed"],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  return words.length === 0 ? "" : `not shown: ${words.join(", ")}`;
}
