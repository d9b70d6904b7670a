import { gpuShareOf } from "../layers/gpu-share.ts";
import { gpusAsked } from "../layers/gpus-asked.ts";
import { acceleratorRequests, isClaimedResource, isSharePart } from "../model/accelerators.ts";
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
  const requested = acceleratorRequests(pod.requests, extra);
  const accelerators = requested.length > 0 ? requested : sharedAmounts(pod);
  const names = new Set(accelerators.map(([resource]) => resource));
  return {
    accelerators,
    others: Object.entries(pod.requests).filter(
      ([resource, amount]) => amount > 0 && !names.has(resource) && !isSharePart(resource),
    ),
    devices: gpusAsked(pod, extra),
    words: accelerators.map(([resource, units]) => unitsInWords(resource, units)).join(" and "),
  };
}

/** What a pod that shares devices takes of them: a part of each, or all where only memory is named. */
function sharedAmounts(pod: PodRecord): readonly Amount[] {
  const share = gpuShareOf(pod);
  return share ? [["nvidia.com/gpu", share.devices * (share.fraction ?? 1)]] : [];
}

/** True where all accelerators are asked for by ResourceClaims. */
export function asksByClaim({ accelerators }: Ask): boolean {
  return accelerators.length > 0 && accelerators.every(([resource]) => isClaimedResource(resource));
}

/** `8 GPUs` for a resource that counts whole ones, else the resource by its name. `model`: `H100`. */
export function unitsInWords(resource: string, units: number, model?: string): string {
  if (/\/(gpu|mig)\.dra$/.test(resource)) {
    const what = resource.endsWith("/mig.dra") ? "GPU part" : model === undefined ? "GPU" : `${model} GPU`;
    return countInWords(Math.ceil(units), what);
  }
  if (!/^(nvidia\.com\/gpu|amd\.com\/gpu|gpu\.intel\.com\/(i915|xe))$/.test(resource)) {
    return `${units} ${resource}`;
  }
  return countInWords(units, model === undefined ? "GPU" : `${model} GPU`);
}
