import { describe, expect, it } from "vitest";
import { type Rate, UNKNOWN_RATE } from "../model/money.ts";
import type { PriceRule } from "../model/prices.ts";
import type { Reservation } from "../model/reservation.ts";
import { aNode, aReservation } from "../testing/builders.ts";
import { nodeRate, reservationRate } from "./rate.ts";

function rule(parts: Partial<PriceRule>, micros: number): PriceRule {
  const any = { reservation: undefined, provider: undefined, region: undefined, instanceType: undefined };
  return { ...any, market: undefined, price: { kind: "per-gpu", currency: "USD", micros }, ...parts };
}

const BY_ID = rule({ reservation: "cr-1" }, 1);
const BY_KIND = rule({ provider: "aws" }, 2);
const says = (source: Rate["source"], micros: number): Rate => {
  return { perGpuHour: { currency: "USD", micros }, source, bound: "=" };
};
const short = ({ source, perGpuHour, bound }: Rate) => `${source} ${bound} ${perGpuHour?.micros}`;

describe("reservationRate", () => {
  it.each<[string, Partial<Reservation>, PriceRule[], string]>([
    [
      "the contract for it before its own record's",
      { rate: says("contract", 3) },
      [BY_KIND, BY_ID],
      "contract = 1",
    ],
    ["its own record's before that for its kind", { rate: says("contract", 3) }, [BY_KIND], "contract = 3"],
    [
      "that for its kind before the provider's word",
      { rate: says("provider", 4) },
      [BY_KIND],
      "contract = 2",
    ],
    ["the provider's word before the list price", { rate: says("provider", 4) }, [], "provider = 4"],
    ["the fee before the list price", { rate: says("fee", 5) }, [], "fee = 5"],
    ["the list price last", {}, [], "list = 6880000"],
    ["the list price of future capacity too", { market: "future" }, [], "list = 6880000"],
    ["no list price for what is bought at once", { market: "block" }, [], "unknown = undefined"],
    ["no list price where nobody says how it was bought", { market: "unknown" }, [], "unknown = undefined"],
    ["no list price of another region", { region: "eu-west-1" }, [], "unknown = undefined"],
    [
      "the provider's word where a discount has no list price",
      { market: "block", rate: says("fee", 5) },
      [rule({ provider: "aws", price: { kind: "discount", percent: 50 } }, 0)],
      "fee = 5",
    ],
    [
      "a discount off the list price",
      {},
      [rule({ market: "on-demand", price: { kind: "discount", percent: 50 } }, 0)],
      "contract = 3440000",
    ],
  ])("takes %s", (_, rest, prices, expected) => {
    const record = aReservation({
      id: "cr-1",
      provider: "aws",
      instanceType: "p5.48xlarge",
      region: "us-east-1",
      market: "on-demand",
      rate: UNKNOWN_RATE,
      ...rest,
    });
    expect(short(reservationRate(record, prices))).toBe(expected);
  });
});

describe("nodeRate", () => {
  const p5 = (labels: Record<string, string> = {}) =>
    aNode({
      providerId: "aws:///us-east-1a/i-1",
      labels: { "node.kubernetes.io/instance-type": "p5.48xlarge", ...labels },
    });
  const SPOT = { "karpenter.sh/capacity-type": "spot" };
  const HALF = { kind: "discount", percent: 50 } as const;

  it.each<[string, Record<string, string>, PriceRule[], string]>([
    ["the list price in the region of its providerID", {}, [], "list = 6880000"],
    ["at most that for spot", SPOT, [], "list ≤ 6880000"],
    [
      "at most that for flex-start",
      { "cloud.google.com/gke-provisioning": "flex-start" },
      [],
      "list ≤ 6880000",
    ],
    ["the contract", {}, [BY_KIND], "contract = 2"],
    [
      "no contract for on-demand where it is spot",
      SPOT,
      [rule({ market: "on-demand" }, 7)],
      "list ≤ 6880000",
    ],
    ["the contract for spot", SPOT, [rule({ market: "spot" }, 7)], "contract = 7"],
    [
      "a discount on at most the list price is at most that",
      SPOT,
      [rule({ provider: "aws", price: HALF }, 0)],
      "contract ≤ 3440000",
    ],
    ["no contract of a reservation", {}, [BY_ID], "list = 6880000"],
    [
      "nothing for a type that is not known",
      { "node.kubernetes.io/instance-type": "dgx" },
      [],
      "unknown = undefined",
    ],
  ])("is %s", (_, labels, prices, expected) => {
    expect(short(nodeRate(p5(labels), 8, prices))).toBe(expected);
  });
});
