"use client";

import { shareOf } from "@/components/seam-strip/figure-words.ts";
import { HeroFigure } from "@/components/seam-strip/hero-figure.tsx";
import { formatAge, formatCount, formatGpus, formatTime } from "@/components/ui/format.ts";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import { useNow } from "@/lib/client/clock.tsx";
import type { CapacityRow } from "./capacity-row.ts";
import { capacitySums } from "./ledger-sums.ts";
import { nextChanges } from "./next-changes.ts";

/** All reservations in one line: what of them is paid, launched, schedulable, requested and lost; what changes next. */
export function CapacitySummary({ rows }: { rows: readonly CapacityRow[] }) {
  const { paid, launched, schedulable, requested, seam, paidBounded, bounded } = capacitySums(
    rows.map(({ pool }) => pool),
  );
  const currencies = paid.perHour.map(({ currency }) => currency);
  const lost = seam.gpus !== null && seam.gpus > 0;
  const common = { currencies, atLeast: bounded };
  return (
    <section
      aria-label="All reservations"
      className="mb-3.5 grid items-end gap-x-9 gap-y-3 xl:grid-cols-[auto_minmax(0,1fr)]"
    >
      <dl className="flex flex-wrap gap-x-[34px] gap-y-3 max-md:grid max-md:grid-cols-2 max-md:gap-x-4">
        <HeroFigure name="Paid" figure={paid} currencies={currencies} atLeast={paidBounded} />
        <HeroFigure name="Launched" figure={launched} {...common} />
        <HeroFigure name="Schedulable" figure={schedulable} {...common} />
        <HeroFigure name="Requested" figure={requested} {...common} />
        <HeroFigure
          name="In the seam"
          figure={seam}
          {...common}
          share={shareOf(seam, paid)}
          className={lost ? "text-l2" : ""}
        />
      </dl>
      <p className="text-ink-2 xl:max-w-[420px] xl:justify-self-end xl:text-right">
        {countInWords(rows)} <NextChanges rows={rows} />
      </p>
    </section>
  );
}

function countInWords(rows: readonly CapacityRow[]): string {
  const billed = rows.filter(({ reservation }) => reservation.billed === true).length;
  const untold = rows.filter(({ reservation }) => reservation.billed === null).length;
  const notKnown = untold > 0 ? `, ${formatCount(untold)} not known` : "";
  return `${formatCount(rows.length)} ${rows.length === 1 ? "reservation" : "reservations"}, ${formatCount(billed)} billed now${notKnown}.`;
}

function NextChanges({ rows }: { rows: readonly CapacityRow[] }) {
  const now = useNow();
  const changes = nextChanges(rows, now);
  if (changes.length === 0) return "No start or end lies ahead.";
  return changes.map(({ what, row: { pool, reservation }, at }, index) => (
    <span key={what}>
      {index === 0 ? "Next: " : ", "}
      <SelectionLink to={{ kind: "pool", id: pool.id }} className="font-semibold text-ink">
        {pool.name}
      </SelectionLink>{" "}
      ({formatGpus(reservation.slots * reservation.gpusPerInstance)}) {what} in{" "}
      <time dateTime={at} title={formatTime(at)} className="font-semibold text-ink tabular-nums">
        {formatAge(Date.parse(at) - now)}
      </time>
      {index === changes.length - 1 ? "." : ""}
    </span>
  ));
}
