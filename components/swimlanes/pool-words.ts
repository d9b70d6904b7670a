import { formatAge, formatCount, formatMoney } from "@/components/ui/format.ts";
import type { PoolView, RateView } from "@/lib/model/fleet-view.ts";

const PROVIDERS: Readonly<Record<string, string>> = { aws: "AWS", gcp: "GCP", azure: "Azure" };
const DAY = 86_400_000;

/** The lines under a pool's name; `soon`: its term ends within a day. */
export interface PoolWords {
  readonly machine: string;
  readonly size: string;
  readonly place: string;
  readonly term: string;
  readonly soon: boolean;
}

/** A pool's machine, size, place and term in words. `now`: epoch ms. */
export function poolWords(pool: PoolView, now: number): PoolWords {
  return {
    machine: firstAndMore(pool.instanceTypes) || "unknown machine",
    size: `${formatCount(pool.paid.gpus)} × ${pool.gpuModel ?? "GPU"} · ${rateText(pool.rate)}`,
    place: [
      pool.provider === null ? "" : (PROVIDERS[pool.provider.toLowerCase()] ?? pool.provider),
      firstAndMore(pool.zones),
    ]
      .filter((part) => part !== "")
      .join(" "),
    ...term(pool, now),
  };
}

function firstAndMore(names: readonly string[]): string {
  const [first = ""] = names;
  return names.length > 1 ? `${first} +${names.length - 1}` : first;
}

function rateText(rate: RateView): string {
  if (rate.perGpuHour) return formatMoney(rate.perGpuHour);
  if (rate.min && rate.max) return `${formatMoney(rate.min)} – ${formatMoney(rate.max)}`;
  return "no price";
}

function term({ reservation, capacityType }: PoolView, now: number): Pick<PoolWords, "term" | "soon"> {
  const calm = (text: string) => ({ term: text, soon: false });
  if (!reservation) {
    return calm(capacityType === "unknown" ? "no reservation" : capacityType);
  }
  const { state, start, end } = reservation;
  switch (state) {
    case "active": {
      if (end === null) return calm("");
      const left = Date.parse(end) - now;
      return { term: `ends in ${formatAge(left)}`, soon: left < DAY };
    }
    case "scheduled":
      return calm(start === null ? "not started" : `starts in ${formatAge(Date.parse(start) - now)}`);
    case "ended":
      return calm(end === null ? "ended" : `ended ${formatAge(now - Date.parse(end))} ago`);
    case "failed":
      return calm("failed, not billed");
    case "unknown":
      return calm("state unknown");
    default:
      return state satisfies never;
  }
}
