import type { DeviceRecord, ResourceSliceRecord } from "../model/facts/devices.ts";

/** A device that its driver offers now. */
export interface PooledDevice {
  readonly driver: string;
  readonly pool: string;
  readonly device: DeviceRecord;
  /** undefined: several nodes may use it. */
  readonly nodeName: string | undefined;
  /** The physical device that it is, or is a part of: the same text for all parts of one. */
  readonly physical: string;
  /** A part of a device, and not the whole. */
  readonly isPart: boolean;
  /** False where no scheduler takes it: tainted, or of a pool whose slices are not all there yet. */
  readonly isUsable: boolean;
}

/** By which allocations name a device. */
export function deviceKey(driver: string, pool: string, device: string): string {
  return `${driver}/${pool}/${device}`;
}

/** The devices in force: those of each pool's highest generation. By `deviceKey`. */
export function devicesInForce(slices: readonly ResourceSliceRecord[]): ReadonlyMap<string, PooledDevice> {
  const pools = new Map<string, ResourceSliceRecord[]>();
  for (const slice of slices) {
    const key = `${slice.driver}/${slice.pool.name}`;
    const newest = pools.get(key)?.[0]?.pool.generation ?? Number.NEGATIVE_INFINITY;
    if (slice.pool.generation > newest) pools.set(key, [slice]);
    else if (slice.pool.generation === newest) pools.get(key)?.push(slice);
  }
  const found = new Map<string, PooledDevice>();
  for (const pool of pools.values()) {
    const isWhole = pool.length >= (pool[0]?.pool.sliceCount ?? 1);
    for (const one of poolDevices(pool)) {
      found.set(deviceKey(one.driver, one.pool, one.device.name), {
        ...one,
        isUsable: isWhole && one.device.taint === undefined,
      });
    }
  }
  return found;
}

/** Parts of one device name its UUID, sit on its PCI address or consume its counters. */
function poolDevices(pool: readonly ResourceSliceRecord[]): Omit<PooledDevice, "isUsable">[] {
  const physicalOf = new Map<string, string>();
  return pool.flatMap((slice) =>
    slice.devices.map((device) => {
      const traits = traitsOf(device);
      const known = traits.map((trait) => physicalOf.get(trait)).find((one) => one !== undefined);
      const physical = known ?? deviceKey(slice.driver, slice.pool.name, device.name);
      for (const trait of traits) physicalOf.set(trait, physical);
      return {
        driver: slice.driver,
        pool: slice.pool.name,
        device,
        nodeName: slice.nodeName,
        physical,
        isPart: device.attributes.parentUUID !== undefined || device.attributes.type === "mig",
      };
    }),
  );
}

function traitsOf({ attributes, counterSets }: DeviceRecord): string[] {
  const uuid = attributes.parentUUID ?? attributes.uuid;
  const address = attributes["resource.kubernetes.io/pciBusID"] ?? attributes.pciBusID;
  return [
    ...(uuid ? [`uuid ${uuid}`] : []),
    ...(address ? [`pci ${address}`] : []),
    ...counterSets.map((set) => `counters ${set}`),
  ];
}
