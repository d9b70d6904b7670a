import { CAPACITY_FIELDS, type CapacitySort, type FieldKey, type SortValue } from "./capacity-fields.ts";
import type { CapacityRow } from "./capacity-row.ts";

/** Columns in which the least is looked for first; in all other ones with numbers it is the most. */
const LEAST_FIRST: readonly FieldKey[] = ["term", "inUse"];

/** The rows in order. What is not known comes last either way; equal ones are in the order of their names. */
export function sortRows(rows: readonly CapacityRow[], { by, descending }: CapacitySort): CapacityRow[] {
  const { value }: { readonly value: (row: CapacityRow) => SortValue } = CAPACITY_FIELDS[by];
  return rows
    .map((row) => ({ row, key: value(row) }))
    .sort((a, b) => {
      if (a.key === null || b.key === null) {
        return Number(a.key === null) - Number(b.key === null) || byName(a.row, b.row);
      }
      return (descending ? compare(b.key, a.key) : compare(a.key, b.key)) || byName(a.row, b.row);
    })
    .map(({ row }) => row);
}

/** The order after a press on the head of `by`: numbers from the largest, words from A, pressed again the other way round. */
export function nextSort(current: CapacitySort, by: FieldKey, rows: readonly CapacityRow[]): CapacitySort {
  if (current.by === by) return { by, descending: !current.descending };
  const { value }: { readonly value: (row: CapacityRow) => SortValue } = CAPACITY_FIELDS[by];
  const isText = rows.every((row) => value(row) === null || typeof value(row) === "string");
  return { by, descending: !isText && !LEAST_FIRST.includes(by) };
}

function compare(a: NonNullable<SortValue>, b: NonNullable<SortValue>): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "object" && typeof b === "object") return words(a[0], b[0]) || a[1] - b[1];
  return words(String(a), String(b));
}

function words(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function byName(a: CapacityRow, b: CapacityRow): number {
  return words(a.pool.name, b.pool.name) || words(a.reservation.id, b.reservation.id);
}
