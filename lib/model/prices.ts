import { type Rate, UNKNOWN_RATE } from "./money.ts";
import type { ReservationMarket } from "./reservation.ts";

/** What was agreed for some machines, as the configuration says: every part that is given has to match. */
export interface PriceRule {
  /** Id of a reservation, whatever its case. */
  readonly reservation: string | undefined;
  readonly provider: string | undefined;
  readonly region: string | undefined;
  readonly instanceType: string | undefined;
  readonly market: PricedMarket | undefined;
  readonly price: AgreedPrice;
}

/** How capacity was bought. Machines outside every reservation are `on-demand` or `spot`. */
export type PricedMarket = Exclude<ReservationMarket, "unknown"> | "spot";

export type AgreedPrice =
  /** Integer micro-units of `currency` an hour, for one GPU or for one instance. */
  | { readonly kind: "per-gpu" | "per-instance"; readonly currency: string; readonly micros: number }
  /** Percent off the list price, such as the effective savings rate of a commitment. */
  | { readonly kind: "discount"; readonly percent: number };

/** The machines that a price is asked for. */
export interface Priced {
  readonly reservation: string | undefined;
  readonly provider: string | undefined;
  readonly region: string | undefined;
  readonly instanceType: string | undefined;
  readonly market: PricedMarket | undefined;
  readonly gpusPerInstance: number;
  /** The list price of the same machines, which discounts are taken from. */
  readonly list: Rate;
}

/**
 * The rate that the configuration says for `what`: by the rule that names the reservation, else by the one that names
 * most; of two that name as much, the first. Unknown where no rule applies, and for a discount on no list price.
 */
export function contractRate(rules: readonly PriceRule[], what: Priced): Rate {
  const best = rules
    .filter((rule) => applies(rule, what))
    .reduce<PriceRule | undefined>(
      (found, rule) => (found === undefined || weight(rule) > weight(found) ? rule : found),
      undefined,
    );
  return best ? rateOf(best.price, what) : UNKNOWN_RATE;
}

const PARTS = ["reservation", "provider", "region", "instanceType", "market"] as const;

function applies(rule: PriceRule, what: Priced): boolean {
  return PARTS.every((part) => rule[part] === undefined || same(rule[part], what[part]));
}

function same(a: string, b: string | undefined): boolean {
  return a.toLowerCase() === b?.toLowerCase();
}

function weight(rule: PriceRule): number {
  const named = PARTS.filter((part) => rule[part] !== undefined).length;
  return named + (rule.reservation === undefined ? 0 : PARTS.length);
}

function rateOf(price: AgreedPrice, { gpusPerInstance, list }: Priced): Rate {
  if (price.kind === "discount") {
    if (list.perGpuHour === undefined) return UNKNOWN_RATE;
    const { currency, micros } = list.perGpuHour;
    const perGpuHour = { currency, micros: Math.round(micros * (1 - price.percent / 100)) };
    return { ...list, perGpuHour, source: "contract" };
  }
  const gpus = price.kind === "per-gpu" ? 1 : gpusPerInstance;
  if (gpus <= 0) return UNKNOWN_RATE;
  const perGpuHour = { currency: price.currency, micros: Math.round(price.micros / gpus) };
  return { perGpuHour, source: "contract", bound: "=" };
}
