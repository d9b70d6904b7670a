import type { FindingKind, RateView, ReservationView } from "@/lib/model/fleet-view.ts";
import { providerName } from "@/lib/model/provider-name.ts";

/** All states, in the order in which they are offered. */
export const RESERVATION_STATES: readonly ReservationView["state"][] = [
  "active",
  "scheduled",
  "unknown",
  "failed",
  "ended",
];

/** A provider as it writes itself. */
export function providerInWords(provider: string | null): string {
  return provider === null ? "unknown provider" : providerName(provider);
}

/** Who says the price, in a word or two. */
export const PRICE_SOURCE: Readonly<Record<RateView["source"], string>> = {
  contract: "contract",
  provider: "provider",
  fee: "fee",
  list: "list price",
  mixed: "several sources",
  unknown: "no price",
};

/** What a finding is about, in a word or two. */
export const FINDING_WORD: Readonly<Record<FindingKind, string>> = {
  idle: "idle",
  ending: "ending",
  "ending-with-work": "ending, in use",
  "double-pay": "double pay",
  overallocated: "overallocated",
  "not-consumable": "not usable",
  "ended-still-running": "ended, still runs",
};

/** Whether it costs money now, as far as that can be told. */
export function billedInWords(billed: boolean | null): string {
  if (billed === null) return "not known whether it is billed";
  return billed ? "billed now" : "not billed now";
}

/** How machines get into its slots. */
export const MATCHING: Readonly<Record<"open" | "targeted", string>> = {
  open: "open: machines of its kind take its slots by themselves",
  targeted: "targeted: only machines that name it",
};
