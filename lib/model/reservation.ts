import type { Labels } from "./kubernetes.ts";
import type { Rate } from "./money.ts";

/**
 * Whether its slots are billed and launchable now. `unknown`: its source uses a word that Seamline does not know,
 * so it is never guessed to be billed.
 */
export type ReservationState = "scheduled" | "active" | "ended" | "failed" | "unknown";

/** Paid capacity in one shape, whatever provider it came from: `count` slots of `gpusPerInstance` GPUs. */
export interface Reservation {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly instanceType: string;
  readonly gpuModel: string | undefined;
  /** Slots: instances paid for while active. */
  readonly count: number;
  /** Slots that the provider itself reports as not usable, at most `count`. */
  readonly broken: number;
  /** Slots that the provider reports in use by anyone; undefined where it does not say. */
  readonly used: number | undefined;
  readonly gpusPerInstance: number;
  readonly zone: string | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** As the source writes it; undefined where the dates alone decide. */
  readonly rawState: string | undefined;
  readonly billing: "continuous" | "upfront" | "none";
  readonly rate: Rate;
  /** Who acts for this reservation, as the user wrote it. */
  readonly owner: string | undefined;
  readonly selector: ReservationSelector | undefined;
  /** Id of the source that it was read from. */
  readonly sourceId: string;
}

/** Nodes that run on a reservation by the user's word: every given part has to match. */
export interface ReservationSelector {
  readonly matchLabels: Labels;
  readonly providerIdPrefix: string | undefined;
}
