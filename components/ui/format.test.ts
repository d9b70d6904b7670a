import { describe, expect, it } from "vitest";
import type { Figure, Money } from "@/lib/model/money.ts";
import {
  formatAge,
  formatGpus,
  formatMoney,
  formatPercent,
  formatPerHour,
  formatSince,
  formatTime,
} from "./format.ts";

const usd = (amount: number): Money => ({ currency: "USD", micros: Math.round(amount * 1_000_000) });
const figure = (perHour: readonly Money[], certainty: Figure["certainty"] = "=") => ({ perHour, certainty });

describe("formatMoney", () => {
  it.each([
    [usd(1652.4), "$1,652"],
    [usd(100), "$100"],
    [usd(99.96), "$100"],
    [usd(33.04), "$33.0"],
    [usd(9.996), "$10.0"],
    [usd(4.12), "$4.12"],
    [usd(0.004), "$0.00"],
    [usd(0), "$0"],
    [{ currency: "EUR", micros: 12_000_000 }, "€12.0"],
    [{ currency: "CHF", micros: 250_000_000 }, "CHF\u00a0250"],
    [{ currency: "CREDITS", micros: 250_000_000 }, "250 CREDITS"],
  ])("%o is %s", (money, text) => expect(formatMoney(money)).toBe(text));

  it("prints a sign where asked", () => expect(formatMoney(usd(136), { sign: "−" })).toBe("−$136"));
});

describe("formatPerHour", () => {
  it.each([
    [figure([usd(391)]), "$391/h"],
    [figure([usd(391)], "≥"), "≥ $391/h"],
    [figure([usd(391)], "≤"), "≤ $391/h"],
    [figure([usd(391)], "?"), "≈ $391/h"],
    [figure([{ currency: "EUR", micros: 120_000_000 }, usd(391)]), "€120/h + $391/h"],
    [figure([], "?"), "price unknown"],
    [figure([], "≥"), "price unknown"],
    [figure([]), "0/h"],
  ])("%o is %s", (input, text) => expect(formatPerHour(input)).toBe(text));
});

describe("formatGpus", () => {
  it.each([
    [0, "0 GPUs"],
    [1, "1 GPU"],
    [8, "8 GPUs"],
    [19_999, "19,999 GPUs"],
    [null, "? GPUs"],
  ])("%o is %s", (gpus, text) => expect(formatGpus(gpus)).toBe(text));
});

describe("formatAge", () => {
  const minute = 60_000;
  it.each([
    [-5_000, "0 s"],
    [12_900, "12 s"],
    [59_999, "59 s"],
    [41 * minute, "41 m"],
    [59 * minute + 59_000, "59 m"],
    [3 * 60 * minute, "3 h"],
    [192 * minute, "3 h 12 m"],
    [52 * 60 * minute, "2 d 4 h"],
    [48 * 60 * minute + 59 * minute, "2 d"],
  ])("%i ms is %s", (age, text) => expect(formatAge(age)).toBe(text));
});

describe("times", () => {
  const now = Date.parse("2026-12-01T12:00:00Z");
  it("says how long ago", () => expect(formatSince("2026-12-01T11:19:00Z", now)).toBe("41 m"));
  it("does not guess an unknown time", () => expect(formatSince(null, now)).toBe("unknown"));
  it("prints absolute times in UTC", () =>
    expect(formatTime("2026-12-01T12:19:04.250+01:00")).toBe("2026-12-01 11:19:04 UTC"));
  it("prints a time that is none as it came", () => expect(formatTime("soon")).toBe("soon"));
});

describe("formatPercent", () => {
  it.each([
    [0, "0 %"],
    [0.001, "< 1 %"],
    [0.2365, "24 %"],
    [0.999, "> 99 %"],
    [1, "100 %"],
    [null, "–"],
    [Number.NaN, "–"],
  ])("%o is %s", (share, text) => expect(formatPercent(share)).toBe(text));
});
