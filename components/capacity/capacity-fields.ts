import { type CapacityRow, momentOf } from "./capacity-row.ts";
import type { SumKey } from "./ledger-sums.ts";

/** A value that rows are sorted by; null where it is not known. Money is sorted within its currency. */
export type SortValue = string | number | readonly [currency: string, micros: number] | null;

/** One thing that is shown of each reservation. */
export interface CapacityField {
  /** As the table's head has it. */
  readonly label: string;
  /** In full: for tooltips and for the choice of what to sort by. */
  readonly title: string;
  readonly value: (row: CapacityRow) => SortValue;
}

const gpus = (key: SumKey) => (row: CapacityRow) => row.sums[key].gpus;

const perHour =
  (key: "paid" | "seam") =>
  ({ sums }: CapacityRow): SortValue => {
    const { gpus, perHour: amounts } = sums[key];
    const [first] = amounts;
    if (first) return [first.currency, first.micros];
    return gpus === 0 ? ["", 0] : null;
  };

/** All that is shown of a reservation, in the order of the table. */
export const CAPACITY_FIELDS = {
  name: { label: "Reservation", title: "Name", value: ({ pool }) => pool.name },
  id: { label: "Id", title: "Id", value: ({ reservation }) => reservation.id },
  provider: { label: "Provider", title: "Provider", value: ({ pool }) => pool.provider },
  zone: {
    label: "Zone",
    title: "Zone, or region",
    value: ({ reservation }) => reservation.zone ?? reservation.region,
  },
  machine: {
    label: "Machine",
    title: "Machine type",
    value: ({ pool }) => pool.instanceTypes.join(" ") || null,
  },
  gpus: {
    label: "Slots × GPUs",
    title: "GPUs, over all its slots",
    value: ({ reservation }) => reservation.slots * reservation.gpusPerInstance,
  },
  state: { label: "State", title: "State", value: ({ reservation }) => reservation.state },
  rawState: {
    label: "Provider says",
    title: "Provider’s state",
    value: ({ reservation }) => reservation.rawState,
  },
  market: { label: "Market", title: "Market", value: ({ reservation }) => reservation.market },
  matching: { label: "Matching", title: "Matching", value: ({ reservation }) => reservation.matching },
  used: { label: "used", title: "Slots used", value: ({ used }) => used },
  free: { label: "free", title: "Slots free", value: ({ reservation }) => reservation.free },
  broken: {
    label: "broken",
    title: "Slots broken at the provider",
    value: ({ reservation }) => reservation.broken,
  },
  inUse: { label: "in use", title: "Share of the paid slots in use", value: ({ inUse }) => inUse },
  paid: { label: "paid", title: "GPUs paid", value: gpus("paid") },
  launched: { label: "launched", title: "GPUs launched", value: gpus("launched") },
  schedulable: { label: "schedulable", title: "GPUs schedulable", value: gpus("schedulable") },
  requested: { label: "requested", title: "GPUs requested", value: gpus("requested") },
  seam: { label: "in the seam", title: "GPUs in the seam", value: gpus("seam") },
  seamPerHour: { label: "per hour", title: "In the seam, per hour", value: perHour("seam") },
  perHour: { label: "Per hour", title: "Paid per hour", value: perHour("paid") },
  price: { label: "Price from", title: "Source of the price", value: ({ pool }) => pool.rate.source },
  term: {
    label: "Starts or ends",
    title: "Starts or ends",
    value: ({ reservation }) => momentOf(reservation),
  },
} as const satisfies Record<string, CapacityField>;

export type FieldKey = keyof typeof CAPACITY_FIELDS;

/** All keys, in the order of the table. */
export const FIELD_KEYS = Object.keys(CAPACITY_FIELDS) as readonly FieldKey[];

/** What the rows are sorted by. */
export interface CapacitySort {
  readonly by: FieldKey;
  readonly descending: boolean;
}

/** What loses most comes first, priced or not. */
export const FIRST_SORT: CapacitySort = { by: "seam", descending: true };
