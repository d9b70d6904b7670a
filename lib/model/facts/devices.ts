import type { Labels, Resources } from "../kubernetes.ts";
import type { FactObject } from "./fact-object.ts";

/**
 * Devices that a driver offers on one node or on many.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
 */
export interface ResourceSliceRecord extends FactObject {
  /** `gpu.nvidia.com`. */
  readonly driver: string;
  /** The node that its devices are in; undefined where several nodes may use them. */
  readonly nodeName: string | undefined;
  readonly pool: DevicePool;
  readonly devices: readonly DeviceRecord[];
}

/** Only slices of a pool's highest generation are in force, and the pool is whole with `sliceCount` of them. */
export interface DevicePool {
  readonly name: string;
  readonly generation: number;
  readonly sliceCount: number;
}

export interface DeviceRecord {
  readonly name: string;
  /** Attributes as text by name, without the driver's own domain: `type`, `uuid`, `parentUUID`. */
  readonly attributes: Labels;
  readonly capacity: Resources;
  /** Sets of counters that it consumes: devices that share one are parts of one device. */
  readonly counterSets: readonly string[];
  /** Key of a taint that keeps it from being allocated; undefined where it has none. */
  readonly taint: string | undefined;
}

/** A ResourceClaim, or (by `kind`) the ResourceClaimTemplate that pods have theirs made from. */
export interface ResourceClaimRecord extends FactObject {
  readonly requests: readonly DeviceRequest[];
  /** Devices that it was given; undefined while it was given none. */
  readonly allocation: readonly AllocatedDevice[] | undefined;
}

export interface DeviceRequest {
  readonly name: string;
  /** What would do, best first; one where the request names no alternatives. */
  readonly alternatives: readonly DeviceWish[];
}

export interface DeviceWish {
  readonly deviceClassName: string;
  /** undefined: all devices of the class on a node. */
  readonly count: number | undefined;
  /** CEL expressions, all of which hold. */
  readonly selectors: readonly string[];
  /** For monitoring: takes nothing away from others. */
  readonly adminAccess: boolean;
}

export interface AllocatedDevice {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess: boolean;
}

export interface DeviceClassRecord extends FactObject {
  /** CEL expressions, all of which hold. */
  readonly selectors: readonly string[];
  /** Pods that request this resource get devices of the class. */
  readonly extendedResourceName: string | undefined;
}
