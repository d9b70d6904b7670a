import {
  type Certainty,
  combineCertainty,
  type Figure,
  type Money,
  type Rate,
  sumMoney,
} from "../model/money.ts";

/** A count of GPUs at one rate. */
export interface PricedGpus {
  readonly gpus: number;
  readonly rate: Rate;
}

/**
 * The figure of some GPUs, each at its rate. `more`: there may be further ones that nobody has counted, so the count
 * and the money are lower bounds.
 */
export function figureOf(parts: readonly PricedGpus[], more = false): Figure {
  const counted = parts.filter((part) => part.gpus > 0);
  const gpus = counted.reduce((sum, part) => sum + part.gpus, 0);
  if (gpus === 0 && more) return { gpus: null, perHour: [], certainty: "?" };
  const priced = counted.flatMap(({ gpus: count, rate }): Money[] =>
    rate.perGpuHour === undefined
      ? []
      : [{ currency: rate.perGpuHour.currency, micros: rate.perGpuHour.micros * count }],
  );
  const parts2: Certainty[] = counted.map(({ rate }) => (rate.perGpuHour === undefined ? "?" : rate.bound));
  return { gpus, perHour: sumMoney(priced), certainty: combineCertainty(more ? [...parts2, "≥"] : parts2) };
}
