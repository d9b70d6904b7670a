"use client";

import type { MouseEvent, ReactNode } from "react";
import { formatCount, formatPercent, formatPerHour } from "@/components/ui/format.ts";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import { openSelection } from "@/lib/client/selection.ts";
import type { CapacityRow } from "./capacity-row.ts";
import { boundedCount, idBelow, providerState, sizeInWords } from "./cell-words.ts";
import { billedInWords, PRICE_SOURCE, providerInWords } from "./reservation-words.ts";
import { TermSwatch } from "./term-swatch.tsx";
import { TermWords } from "./term-words.tsx";

/** One reservation. A click anywhere on it opens its pool, as its link does for keyboards and new tabs. */
export function CapacityTableRow({
  row,
  isOpen,
  isAnnounced,
}: {
  row: CapacityRow;
  isOpen: boolean;
  isAnnounced: boolean;
}) {
  const { pool, reservation, sums, used, inUse } = row;
  const to = { kind: "pool", id: pool.id } as const;
  const onClick = (event: MouseEvent) => {
    const onLink = event.target instanceof Element && event.target.closest("a") !== null;
    if (!onLink && window.getSelection()?.isCollapsed !== false) openSelection(to);
  };
  return (
    <tr
      onClick={onClick}
      aria-current={isOpen ? "true" : undefined}
      className={`cursor-pointer border-t border-line-soft align-top tabular-nums ${isOpen ? "bg-field" : "hover:bg-field/60"}`}
    >
      <Cell below={idBelow(row)} title={reservation.id} className="min-w-44">
        <SelectionLink to={to} className="font-[560] wrap-anywhere">
          {pool.name}
        </SelectionLink>
      </Cell>
      <Cell below={reservation.zone ?? reservation.region} className="min-w-24">
        {providerInWords(pool.provider)}
      </Cell>
      <Cell below={sizeInWords(row)} className="min-w-32">
        {pool.instanceTypes.join(", ") || "unknown machine"}
      </Cell>
      <Cell below={providerState(reservation)} className="min-w-24">
        <span className="flex items-center gap-1.5" title={billedInWords(reservation.billed)}>
          <TermSwatch state={reservation.state} /> {reservation.state}
        </span>
      </Cell>
      <Cell below={reservation.matching} className="whitespace-nowrap">
        {reservation.market}
      </Cell>
      <Count value={formatCount(used)} />
      <Count value={formatCount(reservation.free)} />
      <Count value={formatCount(reservation.broken)} className="text-l1" />
      <Count value={formatPercent(inUse)} />
      <Count value={formatCount(sums.paid.gpus)} />
      <Count value={boundedCount(sums.launched, sums.bounded)} />
      <Count value={boundedCount(sums.schedulable, sums.bounded)} />
      <Count value={boundedCount(sums.requested, sums.bounded)} />
      <Count
        value={boundedCount(sums.seam, sums.bounded)}
        below={sums.seam.gpus === 0 ? null : formatPerHour(sums.seam)}
        className={sums.seam.perHour.length > 0 ? "font-[560] text-l2" : "font-[560]"}
      />
      <Count
        value={formatPerHour(sums.paid)}
        below={pool.rate.source === "unknown" ? null : PRICE_SOURCE[pool.rate.source]}
      />
      <td className="py-2 pr-4 pl-1.5 whitespace-nowrap">
        <TermWords reservation={reservation} isAnnounced={isAnnounced} />
      </td>
    </tr>
  );
}

function Cell({
  children,
  below,
  title,
  className,
}: {
  children: ReactNode;
  below: string | null;
  title?: string;
  className: string;
}) {
  return (
    <td title={title} className={`max-w-48 px-1.5 py-2 wrap-anywhere first:pl-4 ${className}`}>
      {children}
      {below !== null && <span className="block text-xs text-ink-2">{below}</span>}
    </td>
  );
}

const NOTHING: readonly string[] = ["0", "–", "0/h"];

/** A number; nothing at all is less than a word. */
function Count({
  value,
  below = null,
  className = "",
}: {
  value: string;
  below?: string | null;
  className?: string;
}) {
  return (
    <td
      className={`px-1.5 py-2 text-right whitespace-nowrap ${NOTHING.includes(value) ? "text-ink-3" : className}`}
    >
      {value}
      {below !== null && (
        <span className={`block text-xs font-normal ${className === "" ? "text-ink-2" : ""}`}>{below}</span>
      )}
    </td>
  );
}
