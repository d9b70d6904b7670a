import { expect, it } from "vitest";
import { ageOf } from "./human-duration.ts";

const NOW = Date.parse("2026-12-01T08:00:00Z");

it.each([
  [0, "0s"],
  [119, "119s"],
  [125, "2m5s"],
  [180, "3m"],
  [3_600, "60m"],
  [3 * 3_600 + 120, "3h2m"],
  [47 * 3_600, "47h"],
  [3 * 86_400 + 5 * 3_600, "3d5h"],
  [100 * 86_400, "100d"],
  [800 * 86_400, "2y70d"],
  [9 * 365 * 86_400, "9y"],
  [-5, "0s"],
])("%d seconds", (seconds, expected) => {
  expect(ageOf(new Date(NOW - seconds * 1_000).toISOString(), NOW)).toBe(expected);
});

it("says where there is no time", () => {
  expect(ageOf("", NOW)).toBe("<unknown>");
});
