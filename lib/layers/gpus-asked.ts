import { acceleratorRequests, acceleratorUnit, MIG_SLICES } from "../model/accelerators.ts";
import type { PodRecord } from "../model/kubernetes.ts";

/**
 * GPUs that a pod asks for, in whole devices: a part of a device counts as the whole one. How many replicas or cores a
 * device has is the node's to say: without a node each of them counts as one.
 */
export function gpusAsked(pod: PodRecord, extra: readonly string[]): number {
  return acceleratorRequests(pod.requests, extra).reduce((sum, [resource, units]) => {
    const unit = acceleratorUnit(resource, extra);
    if (unit?.kind !== "mig") return sum + units;
    return sum + Math.ceil(units / Math.max(1, Math.floor(MIG_SLICES / unit.slices)));
  }, 0);
}
