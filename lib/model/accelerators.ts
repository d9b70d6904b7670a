import { memo } from "./memo.ts";
import { oncePer } from "./once-per.ts";

/**
 * Names of extended resources that stand for accelerators, and what one unit of each is.
 * https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/ and each vendor's device plugin.
 */

/** What one unit of an accelerator resource is. */
export type AcceleratorUnit =
  /** One physical device (or one replica of it where the node says that it shares its devices). */
  | { readonly kind: "device" }
  /** A replica of a shared device (`nvidia.com/gpu.shared`). */
  | { readonly kind: "replica" }
  /** A MIG device: `slices` of a GPU's 7 compute slices. */
  | { readonly kind: "mig"; readonly slices: number }
  /** A part of a device that is counted as a whole elsewhere (`nvidia.com/mig.dra`). */
  | { readonly kind: "part" }
  /** A measure of a shared device, such as GiB or percent: how many make a device is not known. */
  | { readonly kind: "measure" }
  /** One of `perDevice` cores of a device that is also advertised as `device`. */
  | { readonly kind: "core"; readonly device: string };

const MIG = /^nvidia\.com\/mig-(\d+)g\.\d+gb/;
const INTEL = /^gpu\.intel\.com\/(?:i915|xe)$/;

const DEVICES = new Set([
  "nvidia.com/gpu",
  "amd.com/gpu",
  "habana.ai/gaudi",
  "aws.amazon.com/neuron",
  "aws.amazon.com/neurondevice",
  "google.com/tpu",
]);

/** Devices that are advertised under the name of their model: `nvidia.com/gtx-1080-ti`, `nvidia.com/a100`. */
const MODEL =
  /^nvidia\.com\/(?:nvidia-)?(?:(?:geforce|gtx|rtx|titan|tesla|quadro)[\w.-]*|(?:gb|gh|[abhlptv])\d{1,3}s?(?:[-_.][\w.-]*)?)$/i;

/**
 * Devices of further vendors, by the names that their plugins and HAMi's have for them, and whole GPUs that virtual
 * machines get. https://project-hami.io/docs/userguide/device-supported and
 * https://kubevirt.io/user-guide/compute/host-devices/
 */
const OTHER_DEVICES =
  /^(?:huawei\.com\/Ascend\w+|cambricon\.com\/v?mlu\w*|hygon\.com\/dcu(?:num)?|iluvatar\.ai\/v?gpu|metax-tech\.com\/s?gpu|mthreads\.com\/v?gpu|enflame\.com\/v?gcu|kunlunxin\.com\/v?xpu|furiosa\.ai\/(?:npu|rngd|warboy)|rebellions\.ai\/ATOM|qualcomm\.com\/qaic|nvidia\.com\/(?:pgpu|G[ABHPV]\d{3}\w*|TU\d{3}\w*|AD\d{3}\w*))$/i;

/** Shares and partitions of devices, each unit of them alike: `volcano.sh/vgpu-number`, `amd.com/cpx_nps4`, `nvidia.com/gpu-10gb`. */
const REPLICAS =
  /^(?:volcano\.sh\/v?gpu-number|k8s\.amazonaws\.com\/vgpu|virtaitech\.com\/gpu|amd\.com\/[sdtqc]px_nps\d|nvidia\.com\/gpu-\d+gb)$/i;

/** Shared devices by a measure of them. https://github.com/AliyunContainerService/gpushare-scheduler-extender */
const MEASURES = new Set([
  "aliyun.com/gpu-mem",
  "tencent.com/vcuda-core",
  "volcano.sh/gpu-memory",
  "koordinator.sh/gpu",
  "koordinator.sh/gpu-core",
  "elasticgpu.io/gpu-core",
]);

/** What HAMi and its like take as a description of the part of a device that is wanted. */
const SHARE_PART =
  /^[\w.-]+\/(?:gpumem|gpumem-percentage|gpucores|vgpu-memory|vgpu-cores|dcumem|dcucores|priority)$/;

/**
 * True for a resource that says how large a part of a device is wanted: an extender of the scheduler reads it, no node
 * advertises it. https://project-hami.io/docs/userguide/nvidia-device/specify-device-memory-allocation
 */
export function isSharePart(resource: string): boolean {
  return SHARE_PART.test(resource);
}

/** Compute slices of one GPU under MIG. https://docs.nvidia.com/datacenter/tesla/mig-user-guide/ */
export const MIG_SLICES = 7;

const CLAIMED = /\/(gpu|tpu|npu|neuron|gaudi|accelerator|mig)\.dra$/;
const DRIVER = /^(?:[\w-]+-)?(gpu|tpu|npu|neuron|gaudi|accelerator)\.(\S+)$/;

/** Drivers whose vendor names its resources otherwise. */
const DRIVER_PREFIXES: Readonly<Record<string, string>> = {
  "gpu.intel.com": "gpu.intel.com",
  "gaudi.intel.com": "habana.ai",
  "neuron.aws.com": "aws.amazon.com",
};

/**
 * The name under which Seamline counts devices that pods get by ResourceClaims, since Kubernetes has none for them:
 * `nvidia.com/gpu.dra` for the driver `gpu.nvidia.com`, `nvidia.com/mig.dra` for parts of its devices. undefined for a
 * driver of no accelerators. https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
 */
export function claimedResource(driver: string, isPart = false): string | undefined {
  const [, device = "", domain = ""] = DRIVER.exec(driver) ?? [];
  if (device === "") return undefined;
  return `${DRIVER_PREFIXES[driver] ?? domain}/${isPart ? "mig" : device}.dra`;
}

/** True for a name that `claimedResource` gives. */
export function isClaimedResource(resource: string): boolean {
  return CLAIMED.test(resource);
}

const NO_NAMES: readonly string[] = [];

/** What `resource` counts; undefined where it is no accelerator. `extra`: names from the configuration. */
export function acceleratorUnit(
  resource: string,
  extra: readonly string[] = NO_NAMES,
): AcceleratorUnit | undefined {
  return extra.includes(resource) ? { kind: "device" } : knownUnit(resource);
}

const knownUnit = memo((resource: string): AcceleratorUnit | undefined => {
  if (DEVICES.has(resource) || INTEL.test(resource)) return { kind: "device" };
  if (MODEL.test(resource)) return { kind: resource.endsWith(".shared") ? "replica" : "device" };
  if (OTHER_DEVICES.test(resource)) return { kind: "device" };
  if (MEASURES.has(resource)) return { kind: "measure" };
  if (resource === "nvidia.com/gpu.shared" || REPLICAS.test(resource)) return { kind: "replica" };
  if (resource === "aws.amazon.com/neuroncore") return { kind: "core", device: "aws.amazon.com/neuron" };
  const claimed = CLAIMED.exec(resource)?.[1];
  if (claimed !== undefined) return { kind: claimed === "mig" ? "part" : "device" };
  const mig = MIG.exec(resource);
  return mig ? { kind: "mig", slices: Number(mig[1]) } : undefined;
});

type Amounts = Readonly<Record<string, number>>;
type Units = readonly (readonly [resource: string, units: number])[];

/** The accelerator resources among `resources` with an amount above zero, sorted by name. */
export function acceleratorRequests(resources: Amounts, extra: readonly string[] = NO_NAMES): Units {
  return requestsBesides(extra)(resources);
}

const requestsBesides = oncePer((extra: readonly string[]) =>
  oncePer(
    (resources: Amounts): Units =>
      Object.entries(resources)
        .filter(([name, units]) => units > 0 && acceleratorUnit(name, extra) !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
);
