import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuantity } from "./quantity.ts";

describe("parseQuantity", () => {
  test.each([
    ["0", 0],
    ["1", 1],
    ["+1", 1],
    ["-1", -1],
    ["-0", 0],
    ["0.5", 0.5],
    [".5", 0.5],
    ["5.", 5],
    ["100m", 0.1],
    ["16100m", 16.1],
    ["250u", 0.00025],
    ["1n", 1e-9],
    ["1k", 1_000],
    ["1M", 1_000_000],
    ["1E", 1e18],
    ["1e3", 1_000],
    ["1E3", 1_000],
    ["1E-3", 0.001],
    ["1.2e+2", 120],
    ["8Ki", 8_192],
    ["1.5Gi", 1.5 * 2 ** 30],
    ["-2Mi", -(2 ** 21)],
    ["1Ei", 2 ** 60],
  ])("%s is %d", (text, expected) => {
    expect(parseQuantity(text)).toBe(expected);
  });

  test.each([
    "",
    " ",
    ".",
    "-",
    "m",
    "Gi",
    "1 ",
    " 1",
    "1_000",
    "1,5",
    "1.2.3",
    "1K",
    "1ki",
    "1mi",
    "1e",
    "1e3Ki",
    "1e1.5",
    "1Gi1",
    "1GiB",
    "0x10",
    "NaN",
    "Infinity",
    "1e999",
    "٣",
    "eight",
    "<b>1</b>",
  ])("%j is none", (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  test("every integer reads as itself, whatever its suffix", () => {
    const suffixes = { "": 1, k: 1e3, M: 1e6, Ki: 2 ** 10, Mi: 2 ** 20, e3: 1e3 };
    const suffix = fc.constantFrom(...Object.entries(suffixes));
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), suffix, (integer, [text, factor]) => {
        expect(parseQuantity(`${integer}${text}`)).toBe(integer * factor || 0);
      }),
    );
  });

  test("what is read is a finite number, or undefined", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.+-eEmkKMGi") }), (text) => {
        const value = parseQuantity(text);
        expect(value === undefined || Number.isFinite(value)).toBe(true);
      }),
    );
  });
});
