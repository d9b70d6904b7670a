import { expect, it } from "vitest";
import type { Reservation, ReservationState } from "../model/reservation.ts";
import { aReservation, NOW } from "../testing/builders.ts";
import { reservationState } from "./reservation-state.ts";

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
