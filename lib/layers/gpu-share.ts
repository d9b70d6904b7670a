import type { PodRecord } from "../model/kubernetes.ts";

/** A part of one or more GPUs, asked for by annotations: the pod itself requests no device. */
export interface GpuShare {
  readonly devices: number;
  /** Part of each device, above 0 and below 1; undefined where memory is asked for. */
  readonly fraction: number | undefined;
  /** MiB of each device's memory; undefined where a fraction is asked for. */
  readonly memory: number | undefined;
  /** Which device of the node each part lies on, by a name that its tenants share; empty: none yet. */
  readonly groups: readonly string[];
}

type Shared = Pick<PodRecord, "annotations" | "labels">;

/**
 * What KAI and Run:ai read: `gpu-fraction` or `gpu-memory`, `gpu-fraction-num-devices`, and the labels `runai-gpu-group`
 * that name the devices. https://github.com/NVIDIA/KAI-Scheduler/tree/main/docs/gpu-sharing
 */
export function gpuShareOf({ annotations, labels }: Shared): GpuShare | undefined {
  const fraction = positive(annotations["gpu-fraction"]);
  const memory = positive(annotations["gpu-memory"]);
  if ((fraction === undefined || fraction >= 1) && memory === undefined) return undefined;
  const devices = positive(annotations["gpu-fraction-num-devices"]) ?? 1;
  return {
    devices: Math.max(1, Math.ceil(devices)),
    fraction: memory === undefined ? fraction : undefined,
    memory,
    groups: gpuGroupsOf(labels),
  };
}

/** The devices that a sharing pod, or a pod that reserves one for such pods, lies on. */
export function gpuGroupsOf(labels: PodRecord["labels"]): readonly string[] {
  const several = Object.keys(labels).flatMap((key) =>
    key.startsWith("runai-gpu-group/") ? [key.slice("runai-gpu-group/".length)] : [],
  );
  const one = labels["runai-gpu-group"];
  return one === undefined ? several : [one, ...several.filter((name) => name !== one)];
}

/**
 * True for the pods with which KAI and Run:ai hold a device whose parts they give to others: they hold it in the
 * ledger, but are nobody's workload.
 */
export function isGpuReservation({ namespace, annotations, labels }: PodRecord): boolean {
  return (
    namespace === "kai-resource-reservation" ||
    namespace === "runai-reservation" ||
    "run.ai/reserve_for_gpu_index" in annotations ||
    "app.runai.resource.reservation" in labels
  );
}

function positive(text: string | undefined): number | undefined {
  const value = text === undefined || text === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
