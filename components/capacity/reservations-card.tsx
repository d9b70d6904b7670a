"use client";

import { useDeferredValue, useState } from "react";
import { Card } from "@/components/ui/card.tsx";
import { formatCount } from "@/components/ui/format.ts";
import { ShowMore } from "@/components/verdict/show-more.tsx";
import { useSelection } from "@/lib/client/selection.ts";
import { CapacityCards } from "./capacity-cards.tsx";
import { type CapacitySort, FIRST_SORT } from "./capacity-fields.ts";
import { type CapacityFilter, filterRows, NO_FILTER } from "./capacity-filter.ts";
import { CapacityFilterBar } from "./capacity-filter-bar.tsx";
import type { CapacityRow } from "./capacity-row.ts";
import { sortRows } from "./capacity-sort.ts";
import { CapacityTable } from "./capacity-table.tsx";

/** More rows are drawn when asked for; the export has them all. */
const FIRST = 200;

/** Every reservation, in every state: a table where there is room, else a card each. */
export function ReservationsCard({
  rows,
  announced,
  asOf,
}: {
  rows: readonly CapacityRow[];
  announced: ReadonlySet<string>;
  /** ISO time of the figures. */
  asOf: string;
}) {
  const { selected } = useSelection();
  const [filter, setFilter] = useState<CapacityFilter>(NO_FILTER);
  const [sort, setSort] = useState<CapacitySort>(FIRST_SORT);
  const [all, setAll] = useState(false);
  const text = useDeferredValue(filter.text);
  const matching = sortRows(filterRows(rows, { ...filter, text }), sort);
  const shown = all ? matching : matching.slice(0, FIRST);
  const common = {
    rows: shown,
    announced,
    selected: selected?.kind === "pool" ? selected.id : null,
  };
  return (
    <Card
      id="reservations"
      title="Reservations"
      note={noteOf(rows.length, matching.length, filter)}
      className="@container mt-4"
      actions={
        <CapacityFilterBar
          rows={rows}
          matching={matching}
          asOf={asOf}
          filter={filter}
          onFilter={setFilter}
          sort={sort}
          onSort={setSort}
        />
      }
    >
      {matching.length === 0 ? (
        <p className="border-t border-line-soft px-4 py-3 text-ink-2">None matches the filter.</p>
      ) : (
        <>
          <CapacityTable {...common} sort={sort} onSort={setSort} />
          <CapacityCards {...common} />
        </>
      )}
      {shown.length < matching.length && (
        <div className="border-t border-line-soft px-4 py-1">
          <ShowMore
            shown={shown.length}
            total={matching.length}
            what="reservations"
            onMore={() => setAll(true)}
          />
        </div>
      )}
    </Card>
  );
}

function noteOf(all: number, matching: number, filter: CapacityFilter): string {
  const text = filter.text.trim();
  const by = [filter.state, filter.provider, text && `“${text}”`].filter(Boolean);
  const count = formatCount(all);
  return by.length === 0 ? count : `${formatCount(matching)} of ${count} (${by.join(", ")})`;
}
