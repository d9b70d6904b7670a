import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReservationView } from "@/lib/model/fleet-view.ts";
import { calendarLayout } from "./calendar-layout.ts";
import { aRow, inDays, VIEW_NOW } from "./row-fixture.ts";

const SPAN = 97;
const layoutOf = (...reservations: Partial<ReservationView>[]) =>
  calendarLayout(
    reservations.map((each, index) => aRow(`r${index}`, { start: null, end: null, ...each })),
    VIEW_NOW,
  );
const barOf = (reservation: Partial<ReservationView>) => layoutOf(reservation).bars[0];

describe("calendarLayout", () => {
  it("has today near its left edge, and a tick there and every 15 days up to the 90th", () => {
    const { today, ticks } = layoutOf();
    expect(today).toBeCloseTo(7 / SPAN);
    expect(ticks.map(({ at }) => Math.round(at * SPAN) - 7)).toEqual([0, 15, 30, 45, 60, 75, 90]);
  });

  it.each<[string, Partial<ReservationView>, { from: number; to: number; goesOn: string | null }]>([
    ["an open end", { start: inDays(-30) }, { from: 0, to: SPAN, goesOn: "open" }],
    ["an end after the strip", { end: inDays(200) }, { from: 0, to: SPAN, goesOn: "later" }],
    [
      "within it",
      { state: "scheduled", start: inDays(3), end: inDays(13) },
      { from: 10, to: 20, goesOn: null },
    ],
    ["just ended", { state: "ended", end: inDays(-2) }, { from: 0, to: 5, goesOn: null }],
    ["given up before its end", { state: "ended", end: inDays(20) }, { from: 0, to: 7, goesOn: null }],
    ["ends before it starts", { start: inDays(3), end: inDays(1) }, { from: 10, to: 10, goesOn: null }],
    ["a state that nobody knows", { state: "unknown", end: inDays(13) }, { from: 0, to: 20, goesOn: null }],
  ])("places %s", (_, reservation, { from, to, goesOn }) => {
    const bar = barOf(reservation);
    expect(bar?.from).toBeCloseTo(from / SPAN);
    expect(bar?.to).toBeCloseTo(to / SPAN);
    expect(bar?.goesOn).toBe(goesOn);
  });

  it("marks from when on its machines are taken back", () =>
    expect(barOf({ usableUntil: inDays(9), end: inDays(10) })?.usableTo).toBeCloseTo(16 / SPAN));

  it.each<[string, Partial<ReservationView>]>([
    ["earlier", { state: "ended", end: inDays(-8) }],
    ["earlier", { state: "ended" }],
    ["later", { state: "scheduled", start: inDays(91) }],
    ["undated", { state: "scheduled" }],
    ["undated", { state: "unknown" }],
    ["failed", { state: "failed", start: inDays(1), end: inDays(2) }],
  ])("counts as %s what is not on it: %j", (place, reservation) => {
    const { bars, left } = layoutOf(reservation);
    expect(bars).toEqual([]);
    expect(left).toEqual({ earlier: 0, later: 0, undated: 0, failed: 0, [place]: 1 });
  });

  it("has what changes next on top and open ends last", () => {
    const { bars } = layoutOf({}, { end: inDays(5) }, { state: "scheduled", start: inDays(2) });
    expect(bars.map(({ row }) => row.pool.name)).toEqual(["r2", "r1", "r0"]);
  });

  it("neither loses nor doubles a reservation, and keeps every bar on the strip", () => {
    const day = fc.option(fc.integer({ min: -400, max: 400 }).map(inDays), { nil: null });
    const reservation = fc.record({
      state: fc.constantFrom<ReservationView["state"][]>("active", "scheduled", "ended", "failed", "unknown"),
      start: day,
      end: day,
      usableUntil: day,
    });
    fc.assert(
      fc.property(fc.array(reservation, { maxLength: 8 }), (reservations) => {
        const { bars, left } = layoutOf(...reservations);
        const rest = Object.values(left).reduce((sum, count) => sum + count, 0);
        expect(bars.length + rest).toBe(reservations.length);
        for (const { from, to } of bars) expect(0 <= from && from <= to && to <= 1).toBe(true);
      }),
    );
  });
});
