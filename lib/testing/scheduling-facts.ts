import type { ControllerRecord } from "../model/facts/controllers.ts";
import type {
  DeviceClassRecord,
  DeviceRecord,
  ResourceClaimRecord,
  ResourceSliceRecord,
} from "../model/facts/devices.ts";
import type { FactObject } from "../model/facts/fact-object.ts";
import type { ResourceQuotaRecord } from "../model/facts/quotas.ts";
import type { StorageClassRecord, VolumeClaimRecord, VolumeRecord } from "../model/facts/storage.ts";
import type { NodeSelectorTerm, PodRecord } from "../model/kubernetes.ts";
import { NOW } from "./builders.ts";

let serial = 0;

function anObject(kind: string, apiVersion: string): FactObject {
  const name = `${kind.toLowerCase()}-${++serial}`;
  return {
    apiVersion,
    kind,
    name,
    namespace: "ml",
    uid: `uid-${name}`,
    labels: {},
    createdAt: NOW - 1_800_000,
    deletedAt: undefined,
    problems: [],
    owner: undefined,
    conditions: [],
  };
}

/** A Job that wants one pod with `gpus` of nvidia.com/gpu and has none. */
export function aController(overrides: Partial<ControllerRecord> & { gpus?: number } = {}): ControllerRecord {
  const { gpus = 1, ...rest } = overrides;
  return {
    ...anObject(rest.kind ?? "Job", "batch/v1"),
    replicas: 1,
    present: undefined,
    ready: undefined,
    suspended: false,
    finished: false,
    templates: [
      {
        name: "",
        replicas: 1,
        requests: { pods: 1, ...(gpus > 0 ? { "nvidia.com/gpu": gpus } : {}) },
      },
    ],
    maxSurge: undefined,
    failures: [],
    ...rest,
  };
}

/** A quota without any limit. */
export function aQuota(overrides: Partial<ResourceQuotaRecord> = {}): ResourceQuotaRecord {
  return { ...anObject("ResourceQuota", "v1"), hard: {}, used: {}, isScoped: false, ...overrides };
}

/** The only alternative: a label with one of these values. */
export function within(key: string, ...values: readonly string[]): readonly NodeSelectorTerm[] {
  return [{ matchExpressions: [{ key, operator: "In", values }], matchFields: [] }];
}

/** A claim bound to the volume `NAME-volume`. */
export function aVolumeClaim(overrides: Partial<VolumeClaimRecord> & { name: string }): VolumeClaimRecord {
  return {
    ...anObject("PersistentVolumeClaim", "v1"),
    phase: "Bound",
    volumeName: `${overrides.name}-volume`,
    storageClass: "standard",
    requested: undefined,
    ...overrides,
  };
}

/** A volume that every node can use. */
export function aVolume(overrides: Partial<VolumeRecord> = {}): VolumeRecord {
  return {
    ...anObject("PersistentVolume", "v1"),
    phase: "Bound",
    storageClass: "standard",
    size: undefined,
    nodeAffinity: [],
    ...overrides,
  };
}

/** A class that makes volumes where the pod goes. */
export function aStorageClass(overrides: Partial<StorageClassRecord> = {}): StorageClassRecord {
  return {
    ...anObject("StorageClass", "storage.k8s.io/v1"),
    provisioner: "csi.example.com",
    waitsForConsumer: true,
    allowedTopologies: [],
    ...overrides,
  };
}

/** A whole GPU. */
export function aDevice(overrides: Partial<DeviceRecord> = {}): DeviceRecord {
  const name = overrides.name ?? `gpu-${++serial}`;
  return {
    name,
    attributes: { type: "gpu", uuid: `GPU-${name}` },
    capacity: {},
    counterSets: [],
    taint: undefined,
    ...overrides,
  };
}

/** The only slice of a node's pool, of gpu.nvidia.com: `gpus` whole devices, or those given. */
export function aSlice(
  nodeName: string,
  overrides: Partial<ResourceSliceRecord> & { gpus?: number } = {},
): ResourceSliceRecord {
  const { gpus = 8, ...rest } = overrides;
  return {
    ...anObject("ResourceSlice", "resource.k8s.io/v1"),
    driver: "gpu.nvidia.com",
    nodeName,
    pool: { name: nodeName, generation: 1, sliceCount: 1 },
    devices: Array.from({ length: gpus }, (_, index) =>
      aDevice({ name: `gpu-${index}`, attributes: { type: "gpu", uuid: `GPU-${nodeName}-${index}` } }),
    ),
    ...rest,
  };
}

/** The class of whole NVIDIA GPUs. */
export function aDeviceClass(overrides: Partial<DeviceClassRecord> = {}): DeviceClassRecord {
  return {
    ...anObject("DeviceClass", "resource.k8s.io/v1"),
    name: "gpu.nvidia.com",
    selectors: ["device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"],
    extendedResourceName: undefined,
    ...overrides,
  };
}

/** A claim for `count` whole GPUs; with `devices` (`NODE/DEVICE`) it has been given them. */
export function aClaim(
  overrides: Partial<ResourceClaimRecord> & {
    count?: number;
    deviceClassName?: string;
    devices?: readonly string[];
  } = {},
): ResourceClaimRecord {
  const { count = 1, deviceClassName = "gpu.nvidia.com", devices, ...rest } = overrides;
  return {
    ...anObject("ResourceClaim", "resource.k8s.io/v1"),
    requests: [
      { name: "gpu", alternatives: [{ deviceClassName, count, selectors: [], adminAccess: false }] },
    ],
    allocation: devices?.map((device) => {
      const [pool = "", name = ""] = device.split("/");
      return { driver: "gpu.nvidia.com", pool, device: name, adminAccess: false };
    }),
    ...rest,
  };
}

/** Of a pod that the scheduler has refused with `message` ten minutes ago. */
export function refusedWith(message: string): Pick<PodRecord, "conditions"> {
  return {
    conditions: [
      {
        type: "PodScheduled",
        status: "False",
        reason: "Unschedulable",
        message,
        lastTransitionTime: NOW - 600_000,
      },
    ],
  };
}
