import { describe, expect, it } from "vitest";
import { boundedCount, costInWords, idBelow, providerState, sizeInWords } from "./cell-words.ts";
import { aRow } from "./row-fixture.ts";

describe("the words of a cell", () => {
  it.each([
    [1234, false, "1,234"],
    [8, true, "≥ 8"],
    [null, true, "?"],
  ])("say of %s GPUs, more or not: %s", (gpus, bounded, text) =>
    expect(boundedCount({ gpus, perHour: [], certainty: "?" }, bounded)).toBe(text),
  );

  it("multiply slots by GPUs", () => {
    expect(sizeInWords(aRow("a", { slots: 12 }, { gpuModel: "H100" }))).toBe("12 × 8 H100");
    expect(sizeInWords(aRow("a", {}, { gpuModel: null }))).toBe("2 × 8 GPUs");
  });

  it.each([
    [null, null],
    ["ACTIVE", null],
    ["payment-pending", "payment-pending"],
  ])("repeat no state: the provider says %s", (rawState, text) =>
    expect(providerState(aRow("a", { rawState }).reservation)).toBe(text),
  );

  it.each([
    ["a", null],
    ["cr-1", "cr-1"],
    ["projects/p/zones/z/reservations/a", "project p"],
    ["projects/p/reservations/aa", "projects/p/reservations/aa"],
  ])("tell %s from others of its name by %s", (id, text) =>
    expect(idBelow(aRow("a", { id, account: "project p" }))).toBe(text),
  );

  it("say what it costs, never 0 where nobody knows", () => {
    const row = aRow("a");
    const unpriced = { ...row.pool.paid, perHour: [], certainty: "?" } as const;
    expect(costInWords(row)).toBe("$32.0/h paid, $16.0/h in the seam · contract");
    expect(costInWords(aRow("a", {}, { paid: unpriced, seam: unpriced }))).toBe("price unknown");
  });
});
