import { type Rate, UNKNOWN_RATE } from "../../../model/money.ts";
import type { GenericRecord } from "./record.ts";

const HOUR = 3_600_000;

/** The rate that a record states, or what is wrong with the way it states it. */
export function rateOf(
  record: GenericRecord,
  gpusPerInstance: number,
): Rate | { path: string; expected: string } {
  const { pricePerGpuHour, pricePerInstanceHour, totalPrice, billing } = record;
  const given = [pricePerGpuHour, pricePerInstanceHour, totalPrice].filter((price) => price !== undefined);
  if (given.length > 1) {
    return {
      path: "pricePerGpuHour",
      expected: "one of pricePerGpuHour, pricePerInstanceHour and totalPrice",
    };
  }
  if (given.length === 0) return billing === "none" ? contract("USD", 0) : UNKNOWN_RATE;
  if (record.currency === undefined) {
    return { path: "currency", expected: "the currency of the price, such as USD" };
  }
  const currency = record.currency.toUpperCase();
  if (billing === "none") return contract(currency, 0);
  if (pricePerGpuHour !== undefined) return contract(currency, pricePerGpuHour);
  if (pricePerInstanceHour !== undefined) return contract(currency, pricePerInstanceHour / gpusPerInstance);
  if (record.start === undefined || record.end === undefined) {
    return { path: "totalPrice", expected: "start and end beside it, to spread it over its hours" };
  }
  const gpuHours = (record.count * gpusPerInstance * (record.end - record.start)) / HOUR;
  return gpuHours > 0 ? contract(currency, (totalPrice ?? 0) / gpuHours) : UNKNOWN_RATE;
}

function contract(currency: string, perGpuHour: number): Rate {
  return {
    perGpuHour: { currency, micros: Math.round(perGpuHour * 1e6) },
    source: "contract",
    bound: "=",
  };
}
