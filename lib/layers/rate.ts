import { findInstanceType } from "../model/instance-types.ts";
import type { NodeRecord } from "../model/kubernetes.ts";
import { type Rate, UNKNOWN_RATE } from "../model/money.ts";
import { capacityTypeOf, instanceTypeOf, regionOf } from "./node-labels.ts";

/**
 * What a machine outside every reservation costs: the list price of its type in its region, an upper bound for spot
 * and flex-start. A price of another region is no price of this one: unknown.
 */
export function listRate(node: NodeRecord, gpus: number): Rate {
  const type = instanceTypeOf(node);
  const row = type === undefined ? undefined : findInstanceType(type);
  if (row?.usdPerHour === undefined || gpus === 0) return UNKNOWN_RATE;
  if (row.region !== "list" && row.region !== regionOf(node)) return UNKNOWN_RATE;
  return {
    perGpuHour: { currency: "USD", micros: Math.round((row.usdPerHour * 1e6) / gpus) },
    source: "list",
    bound: isBelowList(node) ? "≤" : "=",
    asOf: row.asOf,
  };
}

/** https://cloud.google.com/kubernetes-engine/docs/concepts/dws: flex-start has a lower rate of its own. */
function isBelowList(node: NodeRecord): boolean {
  return capacityTypeOf(node) === "spot" || node.labels["cloud.google.com/gke-flex-start"] === "true";
}
