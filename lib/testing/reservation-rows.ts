import { readFileSync } from "node:fs";
import type { Reservation } from "../model/reservation.ts";
import type { ParsedReservations } from "../sources/reservations/format.ts";
import { parseReservations, parseReservationText } from "../sources/reservations/parse-reservations.ts";

/** Reservations of a JSON file beside a test, recognised as any file is. */
export function parseSample(url: URL): ParsedReservations {
  return parseReservationText(readFileSync(url, "utf8"), "sample.json", { sourceId: "s" });
}

/** Reservations of a document that a test has made. */
export function parseDocument(document: unknown): ParsedReservations {
  return parseReservations(document, { sourceId: "s" });
}

/** What a table expects of a reservation, in words short enough for a row. */
export function reservationRow(reservation: Reservation) {
  const { name, instanceType, count, gpusPerInstance, broken, used, market, matching, lifecycle } =
    reservation;
  const { start, end } = reservation;
  return {
    name,
    instanceType,
    slots: `${count} × ${gpusPerInstance}`,
    broken,
    used,
    bought: `${market}, ${matching}`,
    state: `${reservation.rawState}: ${lifecycle?.state}`,
    billed: lifecycle?.billed,
    launchable: lifecycle?.launchable,
    time: `${day(start)} to ${day(end)}`,
  };
}

function day(time: number | undefined): string {
  return time === undefined ? "-" : new Date(time).toISOString().slice(0, 16).replace("T00:00", "");
}

/** Code and severity of each issue, the same ones once. */
export function issueCodes({ issues }: Pick<ParsedReservations, "issues">): string[] {
  return [...new Set(issues.map(({ severity, code }) => `${severity} ${code}`))];
}
