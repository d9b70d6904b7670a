import table from "./instance-types.json" with { type: "json" };

/** What is publicly known of one instance type. */
export interface InstanceType {
  readonly provider: string;
  readonly instanceType: string;
  readonly gpuModel: string;
  /** Physical devices; a fraction where an instance gets a part of one. */
  readonly gpus: number;
  /** On-demand Linux list price of one instance in `region`, USD an hour. */
  readonly usdPerHour?: number;
  /** Region of the price; `list` where the provider has one price for all regions. */
  readonly region?: string;
  /** Day of the price, YYYY-MM-DD. */
  readonly asOf: string;
}

const byName = new Map<string, InstanceType>(
  (table.instanceTypes as readonly InstanceType[]).map((row) => [row.instanceType, row]),
);

/** The table's entry for an instance type, GPUs and price included; undefined for one it does not know. */
export function findInstanceType(name: string): InstanceType | undefined {
  return byName.get(name);
}

const MODELS =
  /(GB300|GB200|B300|B200|H200|H100|A100|A10G|A10|L40S|L40|L4|T4G|T4|V100|P100|P4|K80|MI355X|MI325X|MI300X|RTX-PRO-\d+|GAUDI\d?|TRAINIUM\d?|INFERENTIA\d?)(?![0-9])/;

/** A short name for a GPU model as labels and tables spell it: `NVIDIA-H100-80GB-HBM3` is `H100`. */
export function shortModel(raw: string): string {
  const match = MODELS.exec(raw.toUpperCase().replaceAll("_", "-"));
  return match?.[1] ?? raw;
}
