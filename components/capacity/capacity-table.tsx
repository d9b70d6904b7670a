import type { CapacitySort, FieldKey } from "./capacity-fields.ts";
import type { CapacityRow } from "./capacity-row.ts";
import { nextSort } from "./capacity-sort.ts";
import { CapacityTableRow } from "./capacity-table-row.tsx";
import { SortHead } from "./sort-head.tsx";

/** What stands in each column, one line a key. */
const COLUMNS: readonly { readonly keys: readonly FieldKey[]; readonly isNumber?: boolean }[] = [
  { keys: ["name", "id"] },
  { keys: ["provider", "zone"] },
  { keys: ["machine", "gpus"] },
  { keys: ["state", "rawState"] },
  { keys: ["market", "matching"] },
  { keys: ["used"], isNumber: true },
  { keys: ["free"], isNumber: true },
  { keys: ["broken"], isNumber: true },
  { keys: ["inUse"], isNumber: true },
  { keys: ["paid"], isNumber: true },
  { keys: ["launched"], isNumber: true },
  { keys: ["schedulable"], isNumber: true },
  { keys: ["requested"], isNumber: true },
  { keys: ["seam", "seamPerHour"], isNumber: true },
  { keys: ["perHour", "price"], isNumber: true },
  { keys: ["term"] },
];

/** One row a reservation, sortable by every line of its heads; drawn where there is room for all of it. */
export function CapacityTable({
  rows,
  announced,
  selected,
  sort,
  onSort,
}: {
  rows: readonly CapacityRow[];
  announced: ReadonlySet<string>;
  /** Id of the pool whose drawer is open. */
  selected: string | null;
  sort: CapacitySort;
  onSort: (sort: CapacitySort) => void;
}) {
  return (
    <table className="w-full @max-7xl:hidden">
      <caption className="sr-only">Reservations</caption>
      <thead className="text-left align-bottom text-xs text-ink-3">
        <tr>
          <td colSpan={5} />
          <th scope="colgroup" colSpan={4} className="px-1.5 text-center font-[500]">
            <span className="block border-b border-line pb-0.5">slots</span>
          </th>
          <th scope="colgroup" colSpan={5} className="px-1.5 text-center font-[500]">
            <span className="block border-b border-line pb-0.5">GPUs</span>
          </th>
          <td colSpan={2} />
        </tr>
        <tr>
          {COLUMNS.map(({ keys, isNumber }) => (
            <SortHead
              key={keys[0]}
              keys={keys}
              isNumber={isNumber === true}
              sort={sort}
              onSort={(by) => onSort(nextSort(sort, by, rows))}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <CapacityTableRow
            key={row.pool.id}
            row={row}
            isOpen={row.pool.id === selected}
            isAnnounced={announced.has(row.pool.id)}
          />
        ))}
      </tbody>
    </table>
  );
}
