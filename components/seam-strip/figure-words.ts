import { formatGpus, formatPercent } from "@/components/ui/format.ts";
import type { Figure } from "@/lib/model/fleet-view.ts";

/** Part of the money where it is in one currency and known; else of the GPUs; null where neither can be told. */
export function shareOf(part: Figure, whole: Figure): number | null {
  const [money] = whole.perHour;
  const sure = part.certainty === "=" && whole.certainty === "=";
  if (sure && whole.perHour.length === 1 && money && money.micros > 0) {
    return (part.perHour[0]?.micros ?? 0) / money.micros;
  }
  return part.gpus === null || !whole.gpus ? null : part.gpus / whole.gpus;
}

/** What stands below a figure. `atLeast`: GPUs that cannot be told may add to it. `share`: its part of what is paid. */
export function figureNotes(figure: Figure, atLeast: boolean, share: number | null): readonly string[] {
  if (figure.gpus === null) return ["cannot be told"];
  const percent = share === null ? [] : [`${atLeast ? "≥ " : ""}${formatPercent(share)}`];
  const isMoney = figure.perHour.length > 0 || figure.gpus === 0;
  return [isMoney ? `${atLeast ? "≥ " : ""}${formatGpus(figure.gpus)}` : "price unknown", ...percent];
}
