import type { ReservationFormat } from "../format.ts";
import { fieldOf } from "./read-records.ts";

const KEYS = ["items", "value", "data"];

/** What every provider prints where nothing is reserved: `[]`, or a page of nothing. */
export const emptyList: ReservationFormat = {
  name: "an empty list",
  recognises: (document) => isEmpty(document) || KEYS.some((key) => isEmpty(fieldOf(document, key))),
  parse: () => ({ reservations: [], problems: [], issues: [] }),
};

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
