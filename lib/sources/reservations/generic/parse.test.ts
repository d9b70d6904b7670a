import { describe, expect, it } from "vitest";
import { genericFormat, parseGenericReservations } from "./parse.ts";

const record = {
  id: "dgx-a",
  provider: "onprem",
  instanceType: "DGX-H100",
  gpuModel: "H100",
  count: 8,
  gpusPerInstance: 8,
  start: "2026-01-01T00:00:00Z",
  end: null,
  pricePerGpuHour: 1.95,
  currency: "USD",
  billing: "continuous",
  selector: { matchLabels: { pool: "dgx-a" } },
};
const parse = (...records: object[]) =>
  parseGenericReservations({ reservations: records }, { sourceId: "s" });

describe("the generic record", () => {
  it("is read whole", () => {
    expect(parse(record)).toEqual({
      problems: [],
      issues: [],
      reservations: [
        {
          id: "dgx-a",
          provider: "onprem",
          name: "dgx-a",
          instanceType: "DGX-H100",
          gpuModel: "H100",
          count: 8,
          broken: 0,
          used: undefined,
          gpusPerInstance: 8,
          region: undefined,
          zone: undefined,
          account: undefined,
          market: "unknown",
          matching: undefined,
          start: Date.UTC(2026, 0, 1),
          end: undefined,
          rawState: undefined,
          lifecycle: undefined,
          usableUntil: undefined,
          machines: [],
          billing: "continuous",
          rate: { perGpuHour: { currency: "USD", micros: 1_950_000 }, source: "contract", bound: "=" },
          owner: undefined,
          selector: { matchLabels: { pool: "dgx-a" }, providerIdPrefix: undefined },
          sourceId: "s",
        },
      ],
    });
  });

  it("takes the GPUs of a known instance type from the table", () => {
    const { gpusPerInstance: _, ...rest } = { ...record, instanceType: "p5.48xlarge" };
    expect(parse(rest).reservations[0]?.gpusPerInstance).toBe(8);
  });

  it.each<[string, object, number | undefined]>([
    ["a GPU-hour", { pricePerGpuHour: 1.95 }, 1_950_000],
    ["an instance-hour", { pricePerGpuHour: undefined, pricePerInstanceHour: 22.4 }, 2_800_000],
    [
      "the whole time",
      {
        pricePerGpuHour: null,
        totalPrice: 125_798.4,
        start: "2026-11-24T00:00:00Z",
        end: "2026-12-08T00:00:00Z",
      },
      5_850_000,
    ],
    ["nothing is unknown, not 0", { pricePerGpuHour: undefined }, undefined],
    ["nothing billed is 0", { pricePerGpuHour: undefined, billing: "none" }, 0],
  ])("its price for %s becomes micros a GPU-hour", (_, price, micros) => {
    expect(parse({ ...record, ...price }).reservations[0]?.rate.perGpuHour?.micros).toBe(micros);
  });

  it.each<[string, object, string, string]>([
    ["a count that is no whole number", { count: 1.5 }, "reservations[0].count", "1.5"],
    ["a negative count", { count: -1 }, "reservations[0].count", "-1"],
    ["a count in words", { count: "eight" }, "reservations[0].count", '"eight"'],
    ["no instance type", { instanceType: undefined }, "reservations[0].instanceType", "nothing"],
    [
      "an unknown type without its GPUs",
      { gpusPerInstance: undefined },
      "reservations[0].gpusPerInstance",
      "nothing",
    ],
    ["0 GPUs an instance", { gpusPerInstance: 0 }, "reservations[0].gpusPerInstance", "0"],
    ["a start that is no time", { start: "yesterday" }, "reservations[0].start", '"yesterday"'],
    ["an end before its start", { end: "2025-01-01" }, "reservations[0].end", '"2025-01-01T00:00:00.000Z"'],
    ["a negative price", { pricePerGpuHour: -1 }, "reservations[0].pricePerGpuHour", "-1"],
    ["two prices", { totalPrice: 5 }, "reservations[0].pricePerGpuHour", "1.95"],
    ["a price without a currency", { currency: undefined }, "reservations[0].currency", "nothing"],
    ["a currency that is none", { currency: "dollars" }, "reservations[0].currency", '"dollars"'],
    [
      "a total without an end",
      { pricePerGpuHour: undefined, totalPrice: 5 },
      "reservations[0].totalPrice",
      "5",
    ],
    ["a billing that is none", { billing: "weekly" }, "reservations[0].billing", '"weekly"'],
    [
      "a label value that is no text",
      { selector: { matchLabels: { pool: 1 } } },
      "reservations[0].selector.matchLabels.pool",
      "1",
    ],
  ])("refuses %s and says where", (_, wrong, path, got) => {
    const parsed = parse({ ...record, ...wrong });
    expect(parsed.reservations).toEqual([]);
    expect(parsed.problems).toEqual([{ path, got, expected: expect.stringMatching(/\S/) }]);
  });

  it("takes a file whole or not at all", () => {
    expect(parse(record, { ...record, id: "" }).reservations).toEqual([]);
  });

  it("says of a field that is none, since a misspelt price is no price", () => {
    expect(parse({ ...record, pricePerGpuhour: 2 }).issues).toMatchObject([
      {
        code: "UnknownReservationField",
        message: expect.stringContaining("reservations[0].pricePerGpuhour"),
      },
    ]);
  });

  it.each([[null], ["text"], [[]], [{}], [{ reservations: "none" }], [{ reservations: [null] }]])(
    "a document that is none (%j) is a problem, not a crash",
    (document) => {
      expect(parseGenericReservations(document, { sourceId: "s" }).problems).toHaveLength(1);
    },
  );

  it("recognises its documents by their shape", () => {
    expect(genericFormat.recognises({ reservations: [] })).toBe(true);
    expect(genericFormat.recognises({ CapacityReservations: [] })).toBe(false);
    expect(genericFormat.recognises([])).toBe(false);
  });
});
