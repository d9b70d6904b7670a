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

/** Compute slices of one GPU under MIG. https://docs.nvidia.com/datacenter/tesla/mig-user-guide/ */
export const MIG_SLICES = 7;

/** What `resource` counts; undefined where it is no accelerator. `extra`: names from the configuration. */
export function acceleratorUnit(
  resource: string,
  extra: readonly string[] = [],
): AcceleratorUnit | undefined {
  if (DEVICES.has(resource) || INTEL.test(resource) || extra.includes(resource)) return { kind: "device" };
  if (resource === "nvidia.com/gpu.shared") return { kind: "replica" };
  if (resource === "aws.amazon.com/neuroncore") return { kind: "core", device: "aws.amazon.com/neuron" };
  const mig = MIG.exec(resource);
  return mig ? { kind: "mig", slices: Number(mig[1]) } : undefined;
}

/** The accelerator resources among `resources` with an amount above zero, sorted by name. */
export function acceleratorRequests(
  resources: Readonly<Record<string, number>>,
  extra: readonly string[] = [],
): readonly (readonly [resource: string, units: number])[] {
  return Object.entries(resources)
    .filter(([name, units]) => units > 0 && acceleratorUnit(name, extra) !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
