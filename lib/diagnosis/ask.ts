import { acceleratorRequests, acceleratorUnit, MIG_SLICES } from "../model/accelerators.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import { countInWords } from "./wording.ts";

/** What a pod asks a node for. */
export interface Ask {
  /** Accelerator resource and units, at least one. */
  readonly accelerators: readonly Amount[];
  /** Everything else that it requests. */
  readonly others: readonly Amount[];
  /** Whole devices behind the accelerators, a part of one counting as the whole. */
  readonly devices: number;
  /** `8 GPUs`, or `2 nvidia.com/mig-1g.10gb` where they are not whole ones. */
  readonly words: string;
}

export type Amount = readonly [resource: string, units: number];

/** `extra`: accelerator names from the configuration. */
export function askOf(pod: PodRecord, extra: readonly string[]): Ask {
  const accelerators = acceleratorRequests(pod.requests, extra);
  const names = new Set(accelerators.map(([resource]) => resource));
  return {
    accelerators,
    others: Object.entries(pod.requests).filter(([resource, amount]) => amount > 0 && !names.has(resource)),
    devices: accelerators.reduce((sum, [resource, units]) => sum + wholeDevices(resource, units, extra), 0),
    words: accelerators.map(([resource, units]) => unitsInWords(resource, units)).join(" and "),
  };
}

/** `8 GPUs` for a resource that counts whole ones, else the resource by its name. `model`: `H100`. */
export function unitsInWords(resource: string, units: number, model?: string): string {
  if (!/^(nvidia\.com\/gpu|amd\.com\/gpu|gpu\.intel\.com\/(i915|xe))$/.test(resource)) {
    return `${units} ${resource}`;
  }
  return countInWords(units, model === undefined ? "GPU" : `${model} GPU`);
}

function wholeDevices(resource: string, units: number, extra: readonly string[]): number {
  const unit = acceleratorUnit(resource, extra);
  // How many replicas or cores a device has is the node's to say: without a node a unit counts as a device.
  return unit?.kind === "mig" ? Math.ceil((units * unit.slices) / MIG_SLICES) : Math.ceil(units);
}
