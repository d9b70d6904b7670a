import type { Issue } from "../../model/snapshot.ts";
import { describeProblem, parseReservations } from "./parse-reservations.ts";
import type { ReservationSource } from "./reservation-source.ts";

/** Reservations that come with the program, like a demo's: always live. What is wrong in them is an issue. */
export function createFixedSource(options: {
  readonly document: unknown;
  /** Source id, `reservations/NAME`. */
  readonly id: string;
  readonly now: () => number;
}): ReservationSource {
  const { document, id, now } = options;
  const { reservations, supplements = [], problems, issues } = parseReservations(document, { sourceId: id });
  const wrong = problems.map((problem): Issue => {
    return {
      code: "ReservationsInvalid",
      severity: "error",
      message: describeProblem("", problem),
      source: id,
    };
  });
  return {
    start: async () => {},
    stop: () => {},
    onChange: () => () => {},
    read: () => ({
      reservations: { known: problems.length === 0, items: reservations },
      supplements,
      status: { id, kind: "reservations", state: "live", asOf: now(), error: undefined },
      issues: [...wrong, ...issues],
    }),
  };
}
