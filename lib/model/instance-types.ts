import table from "./instance-types.json" with { type: "json" };
import { type Rate, UNKNOWN_RATE } from "./money.ts";

/** What is publicly known of one instance type. */
export interface InstanceType {
  readonly provider: string;
  readonly instanceType: string;
  readonly gpuModel: string;
  /** Physical devices; a fraction where an instance gets a part of one. */
  readonly gpus: number;
  /** Memory of one device; absent for accelerators of which no source says it. */
  readonly gpuMemoryMiB?: number;
  /** On-demand Linux list price of one instance in `region`, USD an hour. */
  readonly usdPerHour?: number;
  /** Region of the price; `list` where the provider has one price for all regions. */
  readonly region?: string;
  /** Day of the price, YYYY-MM-DD. */
  readonly asOf: string;
}

/** Every instance type with accelerators that is known. */
export const INSTANCE_TYPES: readonly InstanceType[] = table.instanceTypes;

const byName = new Map(INSTANCE_TYPES.map((row) => [row.instanceType, row]));

/** The table's entry for an instance type, GPUs and price included; undefined for one it does not know. */
export function findInstanceType(name: string): InstanceType | undefined {
  return byName.get(name);
}

/**
 * The on-demand list price of `name` in `region` for each of the `gpus` of one instance. A price of another region is no
 * price of this one: unknown.
 */
export function listPrice(name: string, region: string | undefined, gpus: number): Rate {
  const row = findInstanceType(name);
  if (row?.usdPerHour === undefined || gpus <= 0) return UNKNOWN_RATE;
  if (row.region !== "list" && row.region !== region) return UNKNOWN_RATE;
  return {
    perGpuHour: { currency: "USD", micros: Math.round((row.usdPerHour * 1e6) / gpus) },
    source: "list",
    bound: "=",
    asOf: row.asOf,
  };
}

const MODELS =
  /(GB300|GB200|B300|B200|H200|H100|A100|A10G|A10|L40S|L40|L4|T4G|T4|V100|P100|P4|K80|MI355X|MI325X|MI300X|RTX-PRO-\d+|GAUDI\d?|TRAINIUM\d?|INFERENTIA\d?)(?![0-9])/;

/** A short name for a GPU model as labels and tables spell it: `NVIDIA-H100-80GB-HBM3` is `H100`. */
export function shortModel(raw: string): string {
  const match = MODELS.exec(raw.toUpperCase().replaceAll("_", "-"));
  return match?.[1] ?? raw;
}
