import { listPrice } from "../model/instance-types.ts";
import type { NodeRecord } from "../model/kubernetes.ts";
import { type Rate, UNKNOWN_RATE } from "../model/money.ts";
import { contractRate, type PriceRule } from "../model/prices.ts";
import type { Reservation } from "../model/reservation.ts";
import { capacityTypeOf, instanceTypeOf, isFlexStart, providerOf, regionOf } from "./node-labels.ts";

/**
 * What a machine outside every reservation costs: by contract, else the list price of its type in its region, which is
 * an upper bound for spot and flex-start (https://cloud.google.com/kubernetes-engine/docs/concepts/dws).
 */
export function nodeRate(node: NodeRecord, gpus: number, prices: readonly PriceRule[]): Rate {
  const instanceType = instanceTypeOf(node);
  const region = regionOf(node);
  const isSpot = capacityTypeOf(node) === "spot";
  const price = instanceType === undefined ? UNKNOWN_RATE : listPrice(instanceType, region, gpus);
  const isBelow = price.perGpuHour !== undefined && (isSpot || isFlexStart(node));
  const list: Rate = isBelow ? { ...price, bound: "≤" } : price;
  const contract = contractRate(prices, {
    reservation: undefined,
    provider: providerOf(node),
    region,
    instanceType,
    market: isSpot ? "spot" : "on-demand",
    gpusPerInstance: gpus,
    list,
  });
  return firstKnown([contract, list]);
}

/**
 * What a reserved GPU costs an hour: by a contract price for this reservation, by what its own record says of the
 * contract, by a contract price for its kind, by its provider or the fee paid for it, by the list price. Capacity that is
 * bought at once for fixed dates has no list price.
 */
export function reservationRate(record: Reservation, prices: readonly PriceRule[]): Rate {
  const { id, provider, region, instanceType, market, gpusPerInstance, rate } = record;
  const isListed = market === "on-demand" || market === "future";
  const list = isListed ? listPrice(instanceType, region, gpusPerInstance) : UNKNOWN_RATE;
  const what = {
    reservation: id,
    provider,
    region,
    instanceType,
    market: market === "unknown" ? undefined : market,
    gpusPerInstance,
    list,
  };
  const own = prices.filter((price) => price.reservation !== undefined);
  const stated = rate.source === "contract" ? rate : UNKNOWN_RATE;
  return firstKnown([contractRate(own, what), stated, contractRate(prices, what), rate, list]);
}

function firstKnown(rates: readonly Rate[]): Rate {
  return rates.find((rate) => rate.perGpuHour !== undefined) ?? UNKNOWN_RATE;
}
