import { describe, expect, it } from "vitest";
import { type ReservationTerm, reservationTerm } from "./reservation-term.ts";

const NOW = Date.parse("2026-12-01T12:00:00Z");
const inHours = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();
type Dates = Parameters<typeof reservationTerm>[0];

describe("reservationTerm", () => {
  it.each<[Dates, ReservationTerm]>([
    [
      { state: "active", start: null, end: null },
      { text: "no end date", tone: "calm" },
    ],
    [
      { state: "active", start: null, end: inHours(9.5) },
      { text: "ends in 9 h 30 m", tone: "warn" },
    ],
    [
      { state: "active", start: null, end: inHours(8 * 24) },
      { text: "ends in 8 d", tone: "calm" },
    ],
    [
      { state: "active", start: null, end: inHours(-1) },
      { text: "end was 1 h ago", tone: "warn" },
    ],
    [
      { state: "scheduled", start: inHours(30), end: null },
      { text: "starts in 1 d 6 h", tone: "note" },
    ],
    [
      { state: "scheduled", start: inHours(240), end: null },
      { text: "starts in 10 d", tone: "calm" },
    ],
    [
      { state: "scheduled", start: null, end: null },
      { text: "not started", tone: "calm" },
    ],
    [
      { state: "ended", start: null, end: inHours(-5) },
      { text: "ended 5 h ago", tone: "calm" },
    ],
    [
      { state: "ended", start: null, end: inHours(5) },
      { text: "ended early", tone: "calm" },
    ],
    [
      { state: "failed", start: null, end: null },
      { text: "failed, not billed", tone: "calm" },
    ],
    [
      { state: "unknown", start: null, end: inHours(5) },
      { text: "state unknown", tone: "calm" },
    ],
  ])("%j", (dates, term) => expect(reservationTerm(dates, NOW)).toEqual(term));

  it("warns earlier where the notice time is longer", () =>
    expect(reservationTerm({ state: "active", start: null, end: inHours(240) }, NOW, true).tone).toBe(
      "warn",
    ));
});
