import { describe, expect, it } from "vitest";
import { capacityCsv, capacityJson } from "./capacity-export.ts";
import { aRow, inDays } from "./row-fixture.ts";

const row = aRow("cr-1", { zone: "z1", end: inDays(2), used: 1 }, { provider: "aws" });
const unknown = { gpus: null, perHour: [], certainty: "?" } as const;
const dark = aRow(
  "=cmd",
  { used: null, launched: 0 },
  { paid: { ...row.pool.paid, perHour: [], certainty: "?" }, seam: unknown, unknown },
);

function cells(csv: string, line: number): Record<string, string | undefined> {
  const [header = "", ...lines] = csv.split("\r\n");
  const values = lines[line]?.split(",") ?? [];
  return Object.fromEntries(header.split(",").map((name, index) => [name, values[index]]));
}

describe("the export", () => {
  it("has the units in its header and numbers without", () =>
    expect(cells(capacityCsv([row]), 0)).toMatchObject({
      reservation: "cr-1",
      provider: "aws",
      slots: "2",
      "slots used": "1",
      "slots free": "1",
      "paid slots in use (%)": "50",
      "paid (GPUs)": "16",
      "launched (GPUs)": "8",
      "requested (GPUs)": "8",
      "in the seam (GPUs)": "8",
      "GPU counts are": "known",
      "in the seam (USD/h)": "16",
      "paid (USD/h)": "32",
      "paid per hour is": "known",
      "price from": "contract",
      "ends (UTC)": inDays(2),
    }));

  it("leaves empty what is not known, says so, and disarms formulas", () =>
    expect(cells(capacityCsv([row, dark]), 1)).toMatchObject({
      reservation: "'=cmd",
      "slots used": "",
      "paid (USD/h)": "",
      "paid per hour is": "unknown",
      "in the seam (GPUs)": "",
      "in the seam per hour is": "unknown",
      "GPU counts are": "at least",
      "ends (UTC)": "",
    }));

  it("keeps currencies apart", () => {
    const euros = aRow(
      "eu",
      {},
      { paid: { ...row.pool.paid, perHour: [{ currency: "EUR", micros: 1_500_000 }] } },
    );
    const csv = capacityCsv([row, euros]);
    expect(cells(csv, 1)).toMatchObject({ "paid (EUR/h)": "1.5", "paid (USD/h)": "" });
  });

  it("has the rows in their order, in JSON as in CSV", () => {
    const { asOf, reservations } = JSON.parse(capacityJson([dark, row], inDays(0)));
    expect(asOf).toBe(inDays(0));
    expect(reservations).toMatchObject([
      { name: "=cmd", seamGpus: null, paidPerHourUSD: null },
      { name: "cr-1", seamGpus: 8, paidPerHourUSD: 32, end: inDays(2) },
    ]);
  });
});
