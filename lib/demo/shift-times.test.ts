import { describe, expect, it } from "vitest";
import { shiftTimes } from "./shift-times.ts";

describe("shiftTimes", () => {
  it.each([
    ["2026-12-01T12:00:00Z", 90_000, "2026-12-01T12:01:30Z"],
    ["2026-12-01T12:00:00Z", -86_400_000, "2026-11-30T12:00:00Z"],
    ["2026-12-01T12:00:00.123456Z", 1_000, "2026-12-01T12:00:01.123456Z"],
    ["2026-12-01T12:00:00Z", 1_999, "2026-12-01T12:00:01Z"],
    ["2026-12-01T11:30:00+00:00", 90_000, "2026-12-01T11:31:30+00:00"],
    ["2026-11-30T22:03:41.512-07:00", 7_200_000, "2026-12-01T00:03:41.512-07:00"],
    ["2026-11-20T10:00:00.1234567+00:00", 1_000, "2026-11-20T10:00:01.1234567+00:00"],
    ["2026-12-01", 1_000, "2026-12-01"],
    ["at 2026-12-01T12:00:00Z", 1_000, "at 2026-12-01T12:00:00Z"],
    ["2026-99-01T12:00:00Z", 1_000, "2026-99-01T12:00:00Z"],
  ])("%s by %d ms is %s", (time, by, expected) => {
    expect(shiftTimes({ time, deep: [{ time }] }, by)).toEqual({
      time: expected,
      deep: [{ time: expected }],
    });
  });

  it("leaves everything else and the original as they are", () => {
    const value = { n: 1, s: "x", none: null, yes: true, list: [], time: "2026-12-01T12:00:00Z" };
    expect(shiftTimes(value, 1_000)).toEqual({ ...value, time: "2026-12-01T12:00:01Z" });
    expect(value.time).toBe("2026-12-01T12:00:00Z");
  });
});
