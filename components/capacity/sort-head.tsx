import { CAPACITY_FIELDS, type CapacitySort, type FieldKey } from "./capacity-fields.ts";

/** A column's head: a button for each line of its cells. */
export function SortHead({
  keys,
  isNumber,
  sort,
  onSort,
}: {
  keys: readonly FieldKey[];
  isNumber: boolean;
  sort: CapacitySort;
  onSort: (by: FieldKey) => void;
}) {
  const isSorted = keys.includes(sort.by);
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.descending ? "descending" : "ascending") : undefined}
      className={`px-1.5 pb-1 font-[500] first:pl-4 last:pr-4 ${isNumber ? "text-right" : ""}`}
    >
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          title={`Sort by: ${CAPACITY_FIELDS[key].title}`}
          onClick={() => onSort(key)}
          className={`block min-h-6 w-full rounded whitespace-nowrap hover:text-ink ${isNumber ? "text-right" : "text-left"} ${key === sort.by ? "font-semibold text-ink" : ""}`}
        >
          {CAPACITY_FIELDS[key].label}
          {key === sort.by && <span aria-hidden="true">{sort.descending ? " ▾" : " ▴"}</span>}
        </button>
      ))}
    </th>
  );
}
