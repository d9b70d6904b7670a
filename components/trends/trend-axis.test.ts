import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTick, timeTicks } from "./trend-axis.ts";

const at = (time: string) => Date.parse(`2026-12-01T${time}Z`);
const times = (ticks: readonly number[]) => ticks.map((tick) => new Date(tick).toISOString().slice(11, 19));

it.each([
  ["12:05:00", "12:05"],
  ["12:05:30", "12:05:30"],
])("%s is printed as %s", (time, text) => expect(formatTick(at(time))).toBe(text));

describe("timeTicks", () => {
  it.each([
    ["seconds", "12:00:02", "12:00:31", ["12:00:10", "12:00:20", "12:00:30"]],
    ["minutes", "12:00:30", "12:07:00", ["12:02:00", "12:04:00", "12:06:00"]],
    ["hours", "08:59:00", "17:01:00", ["09:00:00", "12:00:00", "15:00:00"]],
    ["one moment", "12:00:00", "12:00:00", ["12:00:00"]],
  ])("%s", (_, from, to, expected) => {
    expect(times(timeTicks(at(from), at(to), 5))).toEqual(expected);
  });

  it("never gives more than the limit within a fortnight, and stays inside", () => {
    const fortnight = 14 * 86_400_000;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 0, max: fortnight }), (from, span) => {
        const ticks = timeTicks(from, from + span, 15);
        expect(ticks.length).toBeLessThanOrEqual(15);
        expect(ticks.every((tick) => tick >= from && tick <= from + span)).toBe(true);
      }),
    );
  });
});
