import type { Issue } from "../../model/snapshot.ts";
import { describeProblem, parseReservations } from "./parse-reservations.ts";
import type { ReservationSource } from "./reservation-source.ts";

/** Reservations that come with the program, like a demo's: always live. What is wrong in them is an issue. */
export function createFixedSource(options: {
  readonly documents: readonly unknown[];
  /** Source id, `reservations/NAME`. */
  readonly id: string;
  readonly now: () => number;
}): ReservationSource {
  const { documents, id, now } = options;
  const parsed = documents.map((document) => parseReservations(document, { sourceId: id }));
  const problems = parsed.flatMap((one) => one.problems);
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
      reservations: { known: problems.length === 0, items: parsed.flatMap((one) => one.reservations) },
      supplements: parsed.flatMap((one) => one.supplements ?? []),
      status: { id, kind: "reservations", state: "live", asOf: now(), error: undefined },
      issues: [...wrong, ...parsed.flatMap((one) => one.issues)],
    }),
  };
}
