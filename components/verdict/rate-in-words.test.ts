import { expect, it } from "vitest";
import type { RateView } from "@/lib/model/fleet-view.ts";
import { rateInWords } from "./rate-in-words.ts";

const usd = (amount: number) => ({ currency: "USD", micros: amount * 1_000_000 });

const aRate = (overrides: Partial<RateView> = {}): RateView => ({
  perGpuHour: usd(4.12),
  min: usd(4.12),
  max: usd(4.12),
  source: "contract",
  asOf: null,
  ...overrides,
});

it.each<[string, RateView]>([
  ["$4.12 per GPU-hour, from the contract", aRate()],
  ["$4.12 per GPU-hour, list price of 2026-07-20", aRate({ source: "list", asOf: "2026-07-20" })],
  ["$4.12 per GPU-hour, from the fee paid up front", aRate({ source: "fee" })],
  [
    "$2.00 to $4.12 per GPU-hour, from several sources",
    aRate({ perGpuHour: null, min: usd(2), source: "mixed", asOf: "2026-07-20" }),
  ],
  ["$4.12 where known per GPU-hour, from several sources", aRate({ perGpuHour: null, source: "mixed" })],
  [
    "unknown: neither contract, provider nor price list says one",
    aRate({ perGpuHour: null, min: null, max: null, source: "unknown" }),
  ],
])("%s", (words, rate) => expect(rateInWords(rate)).toBe(words));
