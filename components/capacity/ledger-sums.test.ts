import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Figure } from "@/lib/model/money.ts";
import { STAGES, UNKNOWN_CODE } from "@/lib/model/stages.ts";
import { aFleetView } from "@/lib/testing/view-fixture.ts";
import { addFigures, capacitySums } from "./ledger-sums.ts";

const USD = (micros: number) => ({ currency: "USD", micros });
const sumsOf = (blocks: readonly string[], micros: number | null = 2_000_000) =>
  capacitySums(aFleetView([{ name: "a", micros, blocks }]).pools);

describe("the sums over reservations", () => {
  it("count what has a machine as launched, and what a pod holds as requested", () => {
    const { paid, launched, schedulable, requested, seam, bounded } = sumsOf([
      STAGES.map(({ code }) => code).join(""),
    ]);
    expect([paid, launched, schedulable, requested, seam].map(({ gpus }) => gpus)).toEqual([13, 10, 5, 2, 8]);
    expect(requested.perHour).toEqual([USD(4_000_000)]);
    expect(bounded).toBe(false);
  });

  it("are lower bounds where GPUs cannot be told", () => {
    const { launched, bounded, paidBounded } = sumsOf(["WWWW", UNKNOWN_CODE.repeat(4)]);
    expect(launched).toMatchObject({ gpus: 4, certainty: "≥" });
    expect([bounded, paidBounded]).toEqual([true, false]);
  });

  it("are unknown, not 0, where nothing can be told", () =>
    expect(sumsOf([UNKNOWN_CODE.repeat(4)]).requested).toEqual({ gpus: null, perHour: [], certainty: "?" }));

  it("never let requested exceed schedulable, nor schedulable launched, nor launched paid", () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...STAGES.map(({ code }) => code)), minLength: 1 })),
        (blocks) => {
          const { paid, launched, schedulable, requested, seam } = sumsOf(blocks);
          const [p = 0, l = 0, s = 0, r = 0] = [paid, launched, schedulable, requested].map(
            ({ gpus }) => gpus ?? Number.NaN,
          );
          expect(r <= s && s <= l && l <= p).toBe(true);
          expect(s + (seam.gpus ?? Number.NaN)).toBe(p);
        },
      ),
    ));
});

describe("addFigures", () => {
  const known: Figure = { gpus: 8, perHour: [USD(16)], certainty: "=" };
  it.each<[string, readonly Figure[], Figure]>([
    ["nothing is 0 GPUs", [], { gpus: 0, perHour: [], certainty: "=" }],
    [
      "currencies stay apart",
      [known, { gpus: 1, perHour: [{ currency: "EUR", micros: 5 }], certainty: "=" }],
      { gpus: 9, perHour: [{ currency: "EUR", micros: 5 }, USD(16)], certainty: "=" },
    ],
    [
      "an unpriced part makes it at least",
      [known, { gpus: 8, perHour: [], certainty: "?" }],
      { gpus: 16, perHour: [USD(16)], certainty: "≥" },
    ],
    [
      "a part of 0 GPUs does not price the others",
      [
        { gpus: 0, perHour: [], certainty: "=" },
        { gpus: 8, perHour: [], certainty: "?" },
      ],
      { gpus: 8, perHour: [], certainty: "?" },
    ],
  ])("%s", (_, parts, sum) => expect(addFigures(parts)).toEqual(sum));
});
