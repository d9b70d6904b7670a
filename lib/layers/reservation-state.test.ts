import { expect, it } from "vitest";
import type { Reservation, ReservationLifecycle, ReservationState } from "../model/reservation.ts";
import { aReservation, NOW } from "../testing/builders.ts";
import { reservationStanding, reservationState } from "./reservation-state.ts";

it.each<[string, Partial<Reservation>, ReservationState]>([
  ["no word, no dates", { start: undefined }, "active"],
  ["from its start on", { start: NOW }, "active"],
  ["before its start", { start: NOW + 1 }, "scheduled"],
  ["up to its end", { end: NOW + 1 }, "active"],
  ["from its end on", { end: NOW }, "ended"],
  ["active, but its end has passed", { rawState: "active", end: NOW }, "ended"],
  ["active, but its start is to come", { rawState: "Active", start: NOW + 1 }, "scheduled"],
  ["scheduled, and its start has passed", { rawState: "scheduled", start: NOW - 1 }, "active"],
  ["scheduled without a start", { rawState: "scheduled", start: undefined }, "scheduled"],
  ["cancelled within its dates", { rawState: "cancelled", end: NOW + 1 }, "ended"],
  ["waiting for the payment within its dates", { rawState: "payment-pending" }, "scheduled"],
  ["failed", { rawState: "payment-failed" }, "failed"],
  ["a word that is not known is never taken for billed", { rawState: "galactic" }, "unknown"],
])("%s", (_, reservation, expected) => {
  expect(reservationState(aReservation(reservation), NOW)).toBe(expected);
});

const means = (
  state: ReservationState,
  billed: boolean | undefined,
  launchable: boolean | undefined,
): ReservationLifecycle => ({ state, billed, launchable, doc: "https://provider.example/billing" });
const ACTIVE = means("active", true, true);

it.each<[string, Partial<Reservation>, ReturnType<typeof reservationStanding>]>([
  [
    "without a provider's word: billed and launchable while active",
    {},
    { state: "active", billed: true, launchable: true, ending: false },
  ],
  [
    "a word of nobody's: nothing is told",
    { rawState: "galactic" },
    { state: "unknown", billed: undefined, launchable: undefined, ending: false },
  ],
  [
    "a provider's word counts, not its spelling",
    { rawState: "expired", lifecycle: ACTIVE },
    { state: "active", billed: true, launchable: true, ending: false },
  ],
  [
    "cancelling: billed, and nothing can be launched",
    { lifecycle: means("active", true, false) },
    { state: "active", billed: true, launchable: false, ending: false },
  ],
  [
    "being provisioned: nobody knows whether it is billed yet",
    { lifecycle: means("scheduled", undefined, undefined) },
    { state: "scheduled", billed: undefined, launchable: false, ending: false },
  ],
  [
    "a word that the provider's documents do not have",
    { lifecycle: means("unknown", undefined, undefined) },
    { state: "unknown", billed: undefined, launchable: undefined, ending: false },
  ],
  [
    "late to start: the provider's word goes before its date",
    { start: NOW - 1, lifecycle: means("scheduled", false, false) },
    { state: "scheduled", billed: false, launchable: false, ending: false },
  ],
  [
    "before its start it is not billed",
    { start: NOW + 1, lifecycle: ACTIVE },
    { state: "scheduled", billed: false, launchable: false, ending: false },
  ],
  [
    "from its end on neither",
    { end: NOW, lifecycle: ACTIVE, usableUntil: NOW - 1 },
    { state: "ended", billed: false, launchable: false, ending: false },
  ],
  [
    "in its last minutes",
    { end: NOW + 1, usableUntil: NOW, lifecycle: ACTIVE },
    { state: "active", billed: true, launchable: true, ending: true },
  ],
  [
    "before its last minutes",
    { end: NOW + 2, usableUntil: NOW + 1, lifecycle: ACTIVE },
    { state: "active", billed: true, launchable: true, ending: false },
  ],
])("%s", (_, reservation, expected) => {
  expect(reservationStanding(aReservation(reservation), NOW)).toEqual(expected);
});
