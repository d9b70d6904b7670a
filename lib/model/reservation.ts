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
  /**
   * Slots that the provider reports in use by anyone; undefined where it does not say. More than `count` where the
   * provider lets machines run beyond it: the excess is on-demand.
   */
  readonly used: number | undefined;
  readonly gpusPerInstance: number;
  readonly region: string | undefined;
  readonly zone: string | undefined;
  /** Account, project or subscription that owns it. */
  readonly account: string | undefined;
  readonly market: ReservationMarket;
  /** `open`: machines of its kind take its slots by themselves. `targeted`: only those that name it. */
  readonly matching: "open" | "targeted" | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** As the source writes it; undefined where the dates alone decide. */
  readonly rawState: string | undefined;
  /** What the provider's own word means; undefined for a source without one: then `rawState` and the dates decide. */
  readonly lifecycle: ReservationLifecycle | undefined;
  /** When the provider begins to take the machines back, before `end`; undefined: they stay until `end`, or beyond. */
  readonly usableUntil: number | undefined;
  /**
   * Ids of machines that the provider says run in its slots, in lower case: the last part of their nodes' providerID, or
   * all that follows its scheme (of Azure the whole resource id, since machines of a scale set are only numbered).
   */
  readonly machines: readonly string[];
  readonly billing: "continuous" | "upfront" | "none";
  readonly rate: Rate;
  /** Who acts for this reservation, as the user wrote it. */
  readonly owner: string | undefined;
  readonly selector: ReservationSelector | undefined;
  /** Id of the source that it was read from. */
  readonly sourceId: string;
}

/** How the capacity was bought, since that decides its price and its end. */
export type ReservationMarket =
  /** At the on-demand rate from creation to deletion, used or not. */
  | "on-demand"
  /** Prepaid for fixed dates (AWS capacity block, GCP calendar mode, Azure block). */
  | "block"
  /** At the on-demand rate from a future date on. */
  | "future"
  | "unknown";

/** The meaning of a provider's state. undefined: the provider uses a word that Seamline does not know, never guessed. */
export interface ReservationLifecycle {
  readonly state: ReservationState;
  /** Its slots cost money now. */
  readonly billed: boolean | undefined;
  /** Machines can be launched into its slots now. */
  readonly launchable: boolean | undefined;
  /** The provider's page with the billing rule. */
  readonly doc: string;
}

/** Nodes that run on a reservation by the user's word: every given part has to match. */
export interface ReservationSelector {
  readonly matchLabels: Labels;
  readonly providerIdPrefix: string | undefined;
}
