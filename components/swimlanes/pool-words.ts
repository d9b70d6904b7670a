import { type ReservationTerm, reservationTerm } from "@/components/reservation-term.ts";
import { formatCount, formatMoney } from "@/components/ui/format.ts";
import type { PoolView, RateView } from "@/lib/model/fleet-view.ts";
import { providerName } from "@/lib/model/provider-name.ts";

/** The lines under a pool's name. */
export interface PoolWords {
  readonly machine: string;
  readonly size: string;
  readonly place: string;
  readonly term: ReservationTerm;
}

/**
 * A pool's machine, size, place and term in words. `now`: epoch ms. `announced`: it ends within the notice time that the
 * configuration sets.
 */
export function poolWords(pool: PoolView, now: number, announced = false): PoolWords {
  return {
    machine: firstAndMore(pool.instanceTypes) || "unknown machine",
    size: `${formatCount(pool.paid.gpus)} × ${pool.gpuModel ?? "GPU"} · ${rateText(pool.rate)}`,
    place: [pool.provider === null ? "" : providerName(pool.provider), firstAndMore(pool.zones)]
      .filter((part) => part !== "")
      .join(" "),
    term: termOf(pool, now, announced),
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

function termOf({ reservation, capacityType }: PoolView, now: number, announced: boolean): ReservationTerm {
  if (!reservation) {
    return { text: capacityType === "unknown" ? "no reservation" : capacityType, tone: "calm" };
  }
  const term = reservationTerm(reservation, now, announced);
  // What stays as it is needs no line.
  return reservation.state === "active" && reservation.end === null ? { ...term, text: "" } : term;
}
