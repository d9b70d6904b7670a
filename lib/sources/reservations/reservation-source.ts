import type { Reservation } from "../../model/reservation.ts";
import type { Issue, Sourced, SourceStatus } from "../../model/snapshot.ts";
import type { ReservationSupplement } from "./format.ts";

/** Something that tells of reservations and says how fresh that is. */
export interface ReservationSource {
  /** Resolves when it was tried once, well or not. */
  start(): Promise<void>;
  stop(): void;
  /** Calls `listener` after each change of what `read` gives; gives the function that ends it. */
  onChange(listener: () => void): () => void;
  read(): ReservationState;
}

export interface ReservationState {
  readonly reservations: Sourced<Reservation>;
  /** True where the provider itself was asked: what a file says of the same reservation is then not used. */
  readonly isLive?: boolean;
  /** What it says about reservations that it, or another source, lists. */
  readonly supplements?: readonly ReservationSupplement[];
  readonly status: SourceStatus;
  readonly issues: readonly Issue[];
}
