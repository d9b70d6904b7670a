import { Button } from "@/components/ui/button.tsx";
import { formatCount } from "@/components/ui/format.ts";
import { SearchBox } from "@/components/ui/search-box.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { CapacitySort } from "./capacity-fields.ts";
import { type CapacityFilter, countByState, providersOf } from "./capacity-filter.ts";
import type { CapacityRow } from "./capacity-row.ts";
import { ExportButtons } from "./export-buttons.tsx";
import { providerInWords } from "./reservation-words.ts";
import { SortChoice } from "./sort-choice.tsx";
import { TermSwatch } from "./term-swatch.tsx";

/** Narrows, orders and takes away the list; each state says beforehand how many reservations are in it. */
export function CapacityFilterBar({
  rows,
  matching,
  asOf,
  filter,
  onFilter,
  sort,
  onSort,
}: {
  rows: readonly CapacityRow[];
  /** What is left of `rows`, in order. */
  matching: readonly CapacityRow[];
  asOf: string;
  filter: CapacityFilter;
  onFilter: (filter: CapacityFilter) => void;
  sort: CapacitySort;
  onSort: (sort: CapacitySort) => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {countByState(rows).map(({ state, count }) => {
        const on = filter.state === state;
        return (
          <Button
            key={state}
            tone={on ? "chosen" : "plain"}
            aria-pressed={on}
            onClick={() => onFilter({ ...filter, state: on ? null : state })}
          >
            <TermSwatch state={state} />
            {state} <span className="text-ink-2 tabular-nums">{formatCount(count)}</span>
          </Button>
        );
      })}
      <Select
        label="Provider"
        all="All providers"
        value={filter.provider}
        options={providersOf(rows).map((value) => ({ value, label: providerInWords(value) }))}
        onChange={(provider) => onFilter({ ...filter, provider })}
      />
      <SearchBox
        label="Filter reservations"
        text={filter.text}
        onText={(text) => onFilter({ ...filter, text })}
      />
      <SortChoice sort={sort} onSort={onSort} />
      <ExportButtons rows={matching} asOf={asOf} />
    </div>
  );
}
