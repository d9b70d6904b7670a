import { acceleratorUnit, isClaimedResource, MIG_SLICES } from "../model/accelerators.ts";
import { findInstanceType, shortModel } from "../model/instance-types.ts";
import type { NodeRecord, Resources } from "../model/kubernetes.ts";
import type { NodeGpus } from "./fleet.ts";
import { instanceTypeOf } from "./node-labels.ts";

/** Labels that state the machine's own device count. */
const COUNT_LABELS = [
  "karpenter.k8s.aws/instance-gpu-count",
  "karpenter.k8s.gcp/instance-gpu-count",
  "karpenter.azure.com/sku-gpu-count",
  "eks.amazonaws.com/instance-gpu-count",
  "cloud.google.com/gke-accelerator-count",
];

const MODEL_LABELS = [
  "nvidia.com/gpu.product",
  "cloud.google.com/gke-accelerator",
  "karpenter.k8s.aws/instance-gpu-name",
  "karpenter.k8s.gcp/instance-gpu-name",
  "karpenter.azure.com/sku-gpu-name",
  "amd.com/gpu.product-name",
  "cloud.google.com/gke-tpu-accelerator",
];

/**
 * Counts a node's GPUs in whole physical devices. The machine's own count comes from, in this order: its reservation,
 * the instance-type table, a label, what a sharing plugin has registered, what it advertises. `requested` are the units that bound pods ask for.
 * MIG devices and shared replicas are converted, a part of a device counting as the whole one.
 */
export function countNodeGpus(
  node: NodeRecord,
  requested: Resources,
  perInstance: number | undefined,
  extraNames: readonly string[],
): NodeGpus {
  const capacity = node.capacity ?? {};
  const allocatable = node.allocatable ?? {};
  const stated = statedCount(node, perInstance);
  const unitsPerDevice = unitsByResource(node, capacity, stated?.count, extraNames);
  const advertisedRaw = offered(capacity, unitsPerDevice, Math.ceil);
  const physical = stated?.count ?? advertisedRaw;
  const advertised = Math.min(advertisedRaw, physical);
  const usable = Math.min(offered(allocatable, unitsPerDevice, Math.floor), advertised);
  const held = Math.min(devices(requested, unitsPerDevice, Math.ceil), usable);
  return {
    physical,
    physicalFrom: stated?.from ?? (advertisedRaw > 0 ? "capacity" : "none"),
    model: modelOf(node),
    advertised,
    allocatable: usable,
    requested: held,
    unitsPerDevice,
  };
}

interface Stated {
  readonly count: number;
  readonly from: "reservation" | "instance-type" | "label" | "annotation";
}

function statedCount(node: NodeRecord, perInstance: number | undefined): Stated | undefined {
  if (perInstance !== undefined) return { count: perInstance, from: "reservation" };
  const type = instanceTypeOf(node);
  const row = type === undefined ? undefined : findInstanceType(type);
  if (row) return { count: Math.ceil(row.gpus), from: "instance-type" };
  const keys =
    node.labels["nvidia.com/mig.strategy"] === "single"
      ? COUNT_LABELS
      : [...COUNT_LABELS, "nvidia.com/gpu.count"];
  for (const key of keys) {
    const count = Number(node.labels[key] ?? Number.NaN);
    // 0 is what provisioners write for a fraction of a device: it says nothing of how many there are.
    if (Number.isSafeInteger(count) && count > 0) return { count, from: "label" };
  }
  // What a plugin has written stays behind where it is gone: it is believed where the node offers shares.
  const registered = node.registeredGpus ?? 0;
  const isShared = registered > 0 && (node.capacity?.["nvidia.com/gpu"] ?? 0) > registered;
  return isShared ? { count: registered, from: "annotation" } : undefined;
}

function modelOf(node: NodeRecord): string | undefined {
  const type = instanceTypeOf(node);
  const row = type === undefined ? undefined : findInstanceType(type);
  if (row) return shortModel(row.gpuModel);
  for (const key of MODEL_LABELS) {
    const value = node.labels[key];
    if (value) return shortModel(value);
  }
  return undefined;
}

/** How many units of each accelerator resource one physical device of this node is advertised as. */
function unitsByResource(
  node: NodeRecord,
  capacity: Resources,
  physical: number | undefined,
  extraNames: readonly string[],
): Record<string, number> {
  const units: Record<string, number> = {};
  const replicas = sharedReplicas(node);
  for (const resource of Object.keys({ ...capacity, ...node.allocatable })) {
    const unit = acceleratorUnit(resource, extraNames);
    if (unit === undefined || unit.kind === "part" || unit.kind === "measure") continue;
    const count = capacity[resource] ?? 0;
    if (unit.kind === "mig") units[resource] = Math.max(1, Math.floor(MIG_SLICES / unit.slices));
    // Cores and their devices are advertised side by side: the devices are counted, the cores only where alone.
    else if (unit.kind === "core") units[resource] = coresPerDevice(count, capacity[unit.device], physical);
    else if (physical !== undefined && physical > 0 && count > physical) units[resource] = count / physical;
    else if (unit.kind === "replica" || replicas > 1) units[resource] = replicas;
    else units[resource] = migSingleDevices(node) ?? 1;
  }
  return units;
}

const CORES_PER_NEURON_DEVICE = 2;

function coresPerDevice(cores: number, listed: number | undefined, physical: number | undefined): number {
  const count = listed ?? physical;
  return count && cores > count ? cores / count : CORES_PER_NEURON_DEVICE;
}

/** https://github.com/NVIDIA/k8s-device-plugin#shared-access-to-gpus */
function sharedReplicas(node: NodeRecord): number {
  const strategy = node.labels["nvidia.com/gpu.sharing-strategy"];
  if (strategy === undefined || strategy === "none") return 1;
  const replicas = Number(node.labels["nvidia.com/gpu.replicas"] ?? 1);
  return Number.isSafeInteger(replicas) && replicas > 1 ? replicas : 1;
}

/** Under MIG strategy `single`, nvidia.com/gpu counts equal MIG devices; the product's name says of which size. */
function migSingleDevices(node: NodeRecord): number | undefined {
  if (node.labels["nvidia.com/mig.strategy"] !== "single") return undefined;
  const slices = /MIG-(\d+)g/.exec(node.labels["nvidia.com/gpu.product"] ?? "")?.[1];
  return slices === undefined ? undefined : Math.max(1, Math.floor(MIG_SLICES / Number(slices)));
}

/** Devices that are advertised by a device plugin and offered for claims as well are the same ones. */
function offered(
  resources: Resources,
  unitsPerDevice: Readonly<Record<string, number>>,
  round: (value: number) => number,
): number {
  const units = Object.entries(unitsPerDevice);
  const byClaim = Object.fromEntries(units.filter(([resource]) => isClaimedResource(resource)));
  const byRequest = Object.fromEntries(units.filter(([resource]) => !isClaimedResource(resource)));
  return Math.max(devices(resources, byClaim, round), devices(resources, byRequest, round));
}

/** The physical devices behind amounts of accelerator resources; parts of a device by `round`. */
export function devices(
  resources: Resources,
  unitsPerDevice: Readonly<Record<string, number>>,
  round: (value: number) => number,
): number {
  let whole = 0;
  let parts = 0;
  for (const [resource, perDevice] of Object.entries(unitsPerDevice)) {
    const unit = acceleratorUnit(resource);
    if (
      unit?.kind === "core" &&
      unit.device in unitsPerDevice &&
      !(resources[resource] && !resources[unit.device])
    )
      continue;
    const amount = (resources[resource] ?? 0) / perDevice;
    if (unit?.kind === "mig") parts += amount;
    else whole += round(tidy(amount));
  }
  return whole + round(tidy(parts));
}

/** Takes off the dust of floating-point division, so that 7/7 parts are one device and not two. */
function tidy(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
