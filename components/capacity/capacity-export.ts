import type { Figure } from "@/lib/model/money.ts";
import type { CapacityRow } from "./capacity-row.ts";
import { type CsvValue, toCsv } from "./to-csv.ts";

/** A column of the export: what the table shows, as plain values. */
interface ExportColumn {
  readonly key: string;
  /** With the unit of what is below it. */
  readonly header: string;
  readonly value: (row: CapacityRow) => CsvValue;
}

/** The rows as CSV: the table's columns in its order, numbers plain, what is not known empty. */
export function capacityCsv(rows: readonly CapacityRow[]): string {
  const columns = exportColumns(rows);
  return toCsv(
    columns.map(({ header }) => header),
    rows.map((row) => columns.map(({ value }) => value(row))),
  );
}

/** The same as JSON: `asOf` is the moment that the figures are of. */
export function capacityJson(rows: readonly CapacityRow[], asOf: string): string {
  const columns = exportColumns(rows);
  const reservations = rows.map((row) =>
    Object.fromEntries(columns.map(({ key, value }) => [key, value(row)])),
  );
  return `${JSON.stringify({ asOf, reservations }, null, 2)}\n`;
}

function exportColumns(rows: readonly CapacityRow[]): ExportColumn[] {
  return [
    { key: "name", header: "reservation", value: ({ pool }) => pool.name },
    { key: "id", header: "id", value: ({ reservation }) => reservation.id },
    { key: "provider", header: "provider", value: ({ pool }) => pool.provider },
    { key: "region", header: "region", value: ({ reservation }) => reservation.region },
    { key: "zone", header: "zone", value: ({ reservation }) => reservation.zone },
    { key: "machineType", header: "machine type", value: ({ pool }) => pool.instanceTypes.join(" ") || null },
    { key: "gpuModel", header: "GPU model", value: ({ pool }) => pool.gpuModel },
    { key: "slots", header: "slots", value: ({ reservation }) => reservation.slots },
    { key: "gpusPerSlot", header: "GPUs per slot", value: ({ reservation }) => reservation.gpusPerInstance },
    { key: "state", header: "state", value: ({ reservation }) => reservation.state },
    { key: "providerState", header: "provider's state", value: ({ reservation }) => reservation.rawState },
    { key: "market", header: "market", value: ({ reservation }) => reservation.market },
    { key: "matching", header: "matching", value: ({ reservation }) => reservation.matching },
    { key: "slotsUsed", header: "slots used", value: ({ used }) => used },
    { key: "slotsFree", header: "slots free", value: ({ reservation }) => reservation.free },
    { key: "slotsBroken", header: "slots broken", value: ({ reservation }) => reservation.broken },
    { key: "inUsePercent", header: "paid slots in use (%)", value: ({ inUse }) => percent(inUse) },
    { key: "paidGpus", header: "paid (GPUs)", value: ({ sums }) => sums.paid.gpus },
    { key: "launchedGpus", header: "launched (GPUs)", value: ({ sums }) => sums.launched.gpus },
    { key: "schedulableGpus", header: "schedulable (GPUs)", value: ({ sums }) => sums.schedulable.gpus },
    { key: "requestedGpus", header: "requested (GPUs)", value: ({ sums }) => sums.requested.gpus },
    { key: "seamGpus", header: "in the seam (GPUs)", value: ({ sums }) => sums.seam.gpus },
    { key: "gpusCertainty", header: "GPU counts are", value: ({ sums }) => countCertainty(sums.bounded) },
    ...moneyColumns(rows, "seam", "in the seam", ({ sums }) => sums.seam),
    ...moneyColumns(rows, "paid", "paid", ({ sums }) => sums.paid),
    { key: "priceSource", header: "price from", value: ({ pool }) => pool.rate.source },
    { key: "start", header: "starts (UTC)", value: ({ reservation }) => reservation.start },
    { key: "usableUntil", header: "usable until (UTC)", value: ({ reservation }) => reservation.usableUntil },
    { key: "end", header: "ends (UTC)", value: ({ reservation }) => reservation.end },
  ];
}

/** One column a currency, since currencies are never converted, and how sure the amounts are. */
function moneyColumns(
  rows: readonly CapacityRow[],
  key: string,
  name: string,
  figureOf: (row: CapacityRow) => Figure,
): ExportColumn[] {
  const currencies = [
    ...new Set(rows.flatMap(({ sums }) => sums.paid.perHour.map(({ currency }) => currency))),
  ].sort();
  return [
    ...currencies.map(
      (currency): ExportColumn => ({
        key: `${key}PerHour${currency}`,
        header: `${name} (${currency}/h)`,
        value: (row) => amountIn(figureOf(row), currency),
      }),
    ),
    {
      key: `${key}PerHourCertainty`,
      header: `${name} per hour is`,
      value: (row) => CERTAINTY[figureOf(row).certainty],
    },
  ];
}

const CERTAINTY = { "=": "known", "≥": "at least", "≤": "at most", "?": "unknown" } as const;

function countCertainty(bounded: boolean): string {
  return bounded ? CERTAINTY["≥"] : CERTAINTY["="];
}

/** 0 only where there is nothing to pay for; null where no price is known, or none in this currency. */
function amountIn({ gpus, perHour }: Figure, currency: string): number | null {
  const money = perHour.find((each) => each.currency === currency);
  if (money) return money.micros / 1_000_000;
  return gpus === 0 ? 0 : null;
}

function percent(share: number | null): number | null {
  return share === null ? null : Math.round(share * 1000) / 10;
}
