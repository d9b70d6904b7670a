import { gpusAsked } from "../layers/gpus-asked.ts";
import { acceleratorRequests } from "../model/accelerators.ts";
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

/** Units as `Resources` counts them. */
export type Amount = readonly [resource: string, units: number];

/** What a GPU pod asks for. `extra`: accelerator names from the configuration. */
export function askOf(pod: PodRecord, extra: readonly string[]): Ask {
  const accelerators = acceleratorRequests(pod.requests, extra);
  const names = new Set(accelerators.map(([resource]) => resource));
  return {
    accelerators,
    others: Object.entries(pod.requests).filter(([resource, amount]) => amount > 0 && !names.has(resource)),
    devices: gpusAsked(pod, extra),
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
