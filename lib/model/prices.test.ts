import { describe, expect, it } from "vitest";
import type { Rate } from "./money.ts";
import { contractRate, type Priced, type PriceRule } from "./prices.ts";

const LIST: Rate = {
  perGpuHour: { currency: "USD", micros: 6_880_000 },
  source: "list",
  bound: "=",
  asOf: "2026-07-20",
};
const MACHINES: Priced = {
  reservation: "cr-1",
  provider: "aws",
  region: "us-east-1",
  instanceType: "p5.48xlarge",
  market: "on-demand",
  gpusPerInstance: 8,
  list: LIST,
};

function rule(parts: Partial<PriceRule>, micros = 1): PriceRule {
  const any = {
    reservation: undefined,
    provider: undefined,
    region: undefined,
    instanceType: undefined,
    market: undefined,
  };
  return { ...any, price: { kind: "per-gpu", currency: "USD", micros }, ...parts };
}

const microsOf = (...rules: PriceRule[]) => contractRate(rules, MACHINES).perGpuHour?.micros;

describe("contractRate", () => {
  it.each<[string, PriceRule[], number | undefined]>([
    ["no rule", [], undefined],
    ["one that names it, whatever the case", [rule({ reservation: "CR-1" })], 1],
    ["one that names another reservation", [rule({ reservation: "cr-2" })], undefined],
    ["one that names its kind", [rule({ provider: "AWS", instanceType: "p5.48xlarge" })], 1],
    ["one that names another market", [rule({ provider: "aws", market: "spot" })], undefined],
    [
      "the one that names more",
      [rule({ provider: "aws" }, 1), rule({ provider: "aws", region: "us-east-1" }, 2)],
      2,
    ],
    [
      "the one that names the reservation before the one that names most",
      [
        rule({ provider: "aws", region: "us-east-1", instanceType: "p5.48xlarge", market: "on-demand" }, 1),
        rule({ reservation: "cr-1" }, 2),
      ],
      2,
    ],
    [
      "of two that name as much the first",
      [rule({ provider: "aws" }, 1), rule({ region: "us-east-1" }, 2)],
      1,
    ],
  ])("takes %s", (_, rules, expected) => {
    expect(microsOf(...rules)).toBe(expected);
  });

  it("spreads the price of an instance over its GPUs", () => {
    const price = { kind: "per-instance", currency: "EUR", micros: 40_000_000 } as const;
    expect(contractRate([rule({ provider: "aws", price })], MACHINES)).toEqual({
      perGpuHour: { currency: "EUR", micros: 5_000_000 },
      source: "contract",
      bound: "=",
    });
  });

  it("takes a discount off the list price, and says of which day that is", () => {
    const price = { kind: "discount", percent: 25 } as const;
    expect(contractRate([rule({ provider: "aws", price })], MACHINES)).toEqual({
      ...LIST,
      perGpuHour: { currency: "USD", micros: 5_160_000 },
      source: "contract",
    });
  });

  it("makes nothing of a discount on no list price", () => {
    const price = { kind: "discount", percent: 25 } as const;
    const list: Rate = { perGpuHour: undefined, source: "unknown", bound: "=" };
    expect(
      contractRate([rule({ provider: "aws", price })], { ...MACHINES, list }).perGpuHour,
    ).toBeUndefined();
  });
});
