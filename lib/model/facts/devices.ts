import type { FactObject } from "./fact-object.ts";

/** https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/ */
export interface ResourceSliceRecord extends FactObject {}

export interface ResourceClaimRecord extends FactObject {}

export interface DeviceClassRecord extends FactObject {}
