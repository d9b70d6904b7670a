import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAPACITY_FIELDS, type CapacitySort, FIELD_KEYS } from "./capacity-fields.ts";
import { nextSort, sortRows } from "./capacity-sort.ts";
import { aRow, inDays } from "./row-fixture.ts";

const usd = (dollars: number) => [{ currency: "USD", micros: dollars * 1_000_000 }];
const rows = [
  aRow("b2", { end: inDays(3), zone: "z1", used: 1 }, { provider: "gcp" }),
  aRow("b10", { end: null, zone: null, region: "r1", used: 2 }, { provider: "aws" }),
  aRow("a", { end: inDays(1), zone: "z0", used: 5, slots: 4 }, { provider: null }),
];
const names = (sort: CapacitySort) => sortRows(rows, sort).map(({ pool }) => pool.name);

describe("sortRows", () => {
  it.each<[CapacitySort, string[]]>([
    [{ by: "name", descending: false }, ["a", "b2", "b10"]],
    [{ by: "name", descending: true }, ["b10", "b2", "a"]],
    [{ by: "zone", descending: false }, ["b10", "a", "b2"]],
    [{ by: "term", descending: false }, ["a", "b2", "b10"]],
    [{ by: "term", descending: true }, ["b2", "a", "b10"]],
    [{ by: "provider", descending: true }, ["b2", "b10", "a"]],
    [{ by: "used", descending: true }, ["a", "b10", "b2"]],
    [{ by: "state", descending: true }, ["a", "b2", "b10"]],
  ])("%j", (sort, expected) => expect(names(sort)).toEqual(expected));

  it("sorts money within its currency, nothing lost below what is, and what is unknown last", () => {
    const seam = (name: string, gpus: number, dollars: number | null) =>
      aRow(name, {}, { seam: { gpus, perHour: dollars === null ? [] : usd(dollars), certainty: "=" } });
    const mixed = [seam("none", 0, null), seam("unpriced", 8, null), seam("some", 8, 9), seam("most", 8, 10)];
    expect(sortRows(mixed, { by: "seamPerHour", descending: true }).map(({ pool }) => pool.name)).toEqual([
      "most",
      "some",
      "none",
      "unpriced",
    ]);
  });

  it("loses no row by any column, whichever way", () =>
    fc.assert(
      fc.property(fc.constantFrom(...FIELD_KEYS), fc.boolean(), (by, descending) => {
        expect(new Set(sortRows(rows, { by, descending }))).toEqual(new Set(rows));
      }),
    ));
});

describe("nextSort", () => {
  it.each<[CapacitySort["by"], boolean]>([
    ["name", false],
    ["provider", false],
    ["paid", true],
    ["perHour", true],
    ["term", false],
  ])("begins %s the way that is looked for: descending %s", (by, descending) =>
    expect(nextSort({ by: "id", descending: true }, by, rows)).toEqual({ by, descending }),
  );

  it("turns the order round when pressed again", () =>
    expect(nextSort({ by: "paid", descending: true }, "paid", rows)).toEqual({
      by: "paid",
      descending: false,
    }));

  it("has a title for every column", () =>
    expect(new Set(FIELD_KEYS.map((key) => CAPACITY_FIELDS[key].title)).size).toBe(FIELD_KEYS.length));
});
