import { findInstanceType } from "../../../model/instance-types.ts";
import type { SlotGpus } from "../provider/reservation-of.ts";
import { lastPart } from "./resource-path.ts";

/** GPUs that were chosen for a machine, as the API gives them. */
export interface GuestAccelerator {
  readonly acceleratorType: string;
  readonly acceleratorCount: number;
}

/** https://cloud.google.com/compute/docs/gpus#a4-vms: `a3-highgpu-8g` has 8 GPUs, `ct6e-standard-4t` 4 TPU chips. */
const COUNT_IN_NAME = /^(?:a\d+[a-z]*-[a-z]+-(\d+)g|(?:ct|tpu)\w+-\w+-(\d+)t)$/;

/** https://cloud.google.com/compute/docs/machine-resource: families that have no accelerators of their own. */
const WITHOUT = /^(?:[cefhmntxz]\d|custom-|g1-)/;

/** The GPUs or TPU chips of one machine: by the table, else what was chosen for it, else by its name. */
export function machineGpus(machineType: string, chosen: readonly GuestAccelerator[]): SlotGpus {
  const listed = findInstanceType(machineType);
  if (listed) return { gpuModel: listed.gpuModel, gpusPerInstance: Math.ceil(listed.gpus) };
  const gpus = chosen.reduce((sum, { acceleratorCount }) => sum + acceleratorCount, 0);
  const [first] = chosen;
  if (first && gpus > 0) return { gpuModel: lastPart(first.acceleratorType), gpusPerInstance: gpus };
  const [, named, chips] = COUNT_IN_NAME.exec(machineType) ?? [];
  const counted = Number(named ?? chips ?? 0);
  if (counted > 0) {
    return { gpuModel: chips && tpuModel(machineType), gpusPerInstance: counted };
  }
  return WITHOUT.test(machineType) ? "none" : "unknown";
}

/** The chips' name as GKE labels it: `tpu-v6e-slice` for ct6e. https://cloud.google.com/kubernetes-engine/docs/concepts/plan-tpus */
export function tpuModel(machineType: string): string | undefined {
  return TPU_MODELS[machineType.split("-")[0] ?? ""];
}

const TPU_MODELS: Readonly<Record<string, string>> = {
  ct3: "tpu-v3-device",
  ct3p: "tpu-v3-slice",
  ct4p: "tpu-v4-podslice",
  ct5l: "tpu-v5-lite-device",
  ct5lp: "tpu-v5-lite-podslice",
  ct5p: "tpu-v5p-slice",
  ct6e: "tpu-v6e-slice",
  tpu7x: "tpu7x",
};
