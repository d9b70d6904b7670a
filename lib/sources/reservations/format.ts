import type { Money } from "../../model/money.ts";
import type { Reservation, ReservationMarket } from "../../model/reservation.ts";
import type { Issue } from "../../model/snapshot.ts";

/** One way in which reservations are written down: the generic record, or what a provider's command prints. */
export interface ReservationFormat {
  /** For messages: what such a file is. */
  readonly name: string;
  /** Whether `document` (parsed YAML or JSON) is of this format, by its shape alone. */
  recognises(document: unknown): boolean;
  parse(document: unknown, options: ParseOptions): ParsedReservations;
}

export interface ParseOptions {
  readonly sourceId: string;
}

/** With problems there are no reservations: a file is taken whole or not at all. */
export interface ParsedReservations {
  readonly reservations: readonly Reservation[];
  /** What this document says about reservations that another one lists: their fees, health or machines. */
  readonly supplements?: readonly ReservationSupplement[];
  readonly problems: readonly DocumentProblem[];
  /** Odd, but not wrong. */
  readonly issues: readonly Issue[];
}

/** One further fact about the reservation `id` of `provider` (ids are compared in lower case). */
export interface ReservationSupplement {
  readonly provider: string;
  readonly id: string;
  /** Slots that are held and billed now, and slots in use, where its own record does not say so. */
  readonly count?: number;
  readonly used?: number;
  /** Slots that the provider reports as not usable. */
  readonly broken?: number;
  /** Ids of machines that run in its slots, in lower case. */
  readonly machines?: readonly string[];
  /** A fee that was paid once for all slots over a time. */
  readonly fee?: ReservationFee;
  /** How it was bought and matches, and when it starts, where its own record does not say so: goes before that one. */
  readonly market?: ReservationMarket;
  readonly matching?: NonNullable<Reservation["matching"]>;
  readonly start?: number;
  /**
   * Ids of the reservations that a future reservation was turned into. Where any of them is listed, `id` itself stands
   * for the same slots and is left out.
   */
  readonly fulfilledBy?: readonly string[];
}

/** `total` in integer micro-units of `currency` for `from` to `until` (epoch milliseconds). */
export interface ReservationFee {
  readonly total: Money;
  readonly from: number;
  readonly until: number;
}

/** What is wrong where in a document. */
export interface DocumentProblem {
  /** Path within the document, e.g. `reservations[2].count`. */
  readonly path: string;
  readonly expected: string;
  /** The value that is there, cut at 80 characters. */
  readonly got: string;
}
