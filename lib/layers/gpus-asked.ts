import { acceleratorRequests, acceleratorUnit, MIG_SLICES } from "../model/accelerators.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import { gpuShareOf } from "./gpu-share.ts";

/**
 * GPUs that a pod asks for, in whole devices: a part of a device counts as the whole one. How many replicas or cores a
 * device has is the node's to say: without a node each of them counts as one.
 */
export function gpusAsked(
  pod: Pick<PodRecord, "requests" | "annotations" | "labels">,
  extra: readonly string[],
): number {
  const requested = acceleratorRequests(pod.requests, extra);
  if (requested.length === 0) return gpuShareOf(pod)?.devices ?? 0;
  return requested.reduce((sum, [resource, units]) => {
    const unit = acceleratorUnit(resource, extra);
    // Who holds parts of a device has a share of the whole one too.
    if (unit?.kind === "part") return sum > 0 ? sum : units;
    if (unit?.kind === "measure") return Math.max(sum, 1);
    if (unit?.kind !== "mig") return sum + Math.ceil(units);
    return sum + Math.ceil(units / Math.max(1, Math.floor(MIG_SLICES / unit.slices)));
  }, 0);
}
