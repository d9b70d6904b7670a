import { expect, test } from "vitest";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createBackoff } from "./backoff.ts";

test("waits 0.8 s, doubled up to 30 s", () => {
  const backoff = createBackoff(createManualClock(0), () => 0.5);
  expect(Array.from({ length: 8 }, () => backoff.next())).toEqual([
    800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000,
  ]);
});

test.each([
  [0, 720],
  [0.999, 880],
])("jitters by a tenth: random %d gives %d", (random, expected) => {
  expect(createBackoff(createManualClock(0), () => random).next()).toBe(expected);
});

test("starts over after an attempt that lasted a good while, and not before", () => {
  const clock = createManualClock(0);
  const backoff = createBackoff(clock, () => 0.5);
  clock.advance(backoff.next() + 60_000);
  expect(backoff.next()).toBe(1_600);
  clock.advance(1_600 + 60_001);
  expect(backoff.next()).toBe(800);
});
