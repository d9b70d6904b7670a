"use client";

import { formatCount, formatPercent } from "@/components/ui/format.ts";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import type { CapacityRow } from "./capacity-row.ts";
import { boundedCount, costInWords, idBelow, providerState, sizeInWords } from "./cell-words.ts";
import { providerInWords } from "./reservation-words.ts";
import { TermSwatch } from "./term-swatch.tsx";
import { TermWords } from "./term-words.tsx";

/** The rows of the table as cards, where it has no room. */
export function CapacityCards({
  rows,
  announced,
  selected,
}: {
  rows: readonly CapacityRow[];
  announced: ReadonlySet<string>;
  selected: string | null;
}) {
  return (
    <ul className="grid overflow-hidden rounded-b-lg border-t border-line-soft @2xl:grid-cols-2 @5xl:grid-cols-3 @7xl:hidden">
      {rows.map((row) => (
        <li
          key={row.pool.id}
          aria-current={row.pool.id === selected ? "true" : undefined}
          className={`-mr-px -mb-px min-w-0 border-r border-b border-line-soft px-4 py-3 tabular-nums max-md:px-3.5 ${row.pool.id === selected ? "bg-field" : ""}`}
        >
          <CardHead row={row} isAnnounced={announced.has(row.pool.id)} />
          <CardFigures row={row} />
        </li>
      ))}
    </ul>
  );
}

function CardHead({ row, isAnnounced }: { row: CapacityRow; isAnnounced: boolean }) {
  const { pool, reservation } = row;
  const { zone, region, state, market, matching } = reservation;
  const raw = providerState(reservation);
  const below = idBelow(row);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
      <div className="wrap-anywhere">
        <h3>
          <SelectionLink to={{ kind: "pool", id: pool.id }} className="leading-6 font-semibold">
            {pool.name}
          </SelectionLink>
        </h3>
        <p className="text-xs text-ink-2">
          {below !== null && <span className="block">{below}</span>}
          {[providerInWords(pool.provider), zone ?? region].filter(Boolean).join(" ")}
          <br />
          {pool.instanceTypes.join(", ")} · {sizeInWords(row)}
          <br />
          {[market === "unknown" ? "market unknown" : market, matching].filter(Boolean).join(", ")}
        </p>
      </div>
      <div className="text-right">
        <span className="flex items-center justify-end gap-1.5 leading-6">
          <TermSwatch state={state} /> {state}
        </span>
        {raw !== null && <span className="block text-xs text-ink-2">{raw}</span>}
        <TermWords reservation={reservation} isAnnounced={isAnnounced} />
      </div>
    </div>
  );
}

function CardFigures({ row }: { row: CapacityRow }) {
  const { reservation, sums, used, inUse } = row;
  const gpus = [
    ["paid", formatCount(sums.paid.gpus), ""],
    ["launched", boundedCount(sums.launched, sums.bounded), ""],
    ["schedulable", boundedCount(sums.schedulable, sums.bounded), ""],
    ["requested", boundedCount(sums.requested, sums.bounded), ""],
    ["in the seam", boundedCount(sums.seam, sums.bounded), sums.seam.gpus === 0 ? "" : "text-l2"],
  ] as const;
  const facts = [
    `${formatCount(used)} slots used`,
    `${formatCount(reservation.free)} free`,
    `${formatCount(reservation.broken)} broken`,
    ...(inUse === null ? [] : [`${formatPercent(inUse)} in use`]),
  ];
  return (
    <>
      <dl aria-label="GPUs" className="mt-2 flex justify-between gap-x-2 text-2xs text-ink-2">
        {gpus.map(([name, count, tone]) => (
          <div key={name}>
            <dt className="whitespace-nowrap">{name}</dt>
            <dd className={`text-[15px] leading-snug font-[620] ${tone || "text-ink"}`}>{count}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-1.5 text-xs text-ink-2">
        {facts.join(" · ")}
        <br />
        {costInWords(row)}
      </p>
    </>
  );
}
