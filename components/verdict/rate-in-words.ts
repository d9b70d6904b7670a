import { formatMoney } from "@/components/ui/format.ts";
import type { RateView } from "@/lib/model/fleet-view.ts";

const FROM: Readonly<Record<RateView["source"], string>> = {
  contract: "from the contract",
  provider: "as the provider says",
  fee: "from the fee paid up front",
  list: "list price",
  mixed: "from several sources",
  unknown: "",
};

/** What a GPU-hour costs and who says so: `$4.12 per GPU-hour, list price of 2026-07-20`. */
export function rateInWords(rate: RateView): string {
  const amount = amountInWords(rate);
  if (amount === undefined) return "unknown: neither contract, provider nor price list says one";
  const asOf = rate.source === "list" && rate.asOf !== null ? ` of ${rate.asOf}` : "";
  return `${amount} per GPU-hour, ${FROM[rate.source]}${asOf}`;
}

function amountInWords({ perGpuHour, min, max }: RateView): string | undefined {
  if (perGpuHour) return formatMoney(perGpuHour);
  if (!min || !max) return undefined;
  const same = min.currency === max.currency && min.micros === max.micros;
  return same ? `${formatMoney(min)} where known` : `${formatMoney(min)} to ${formatMoney(max)}`;
}
