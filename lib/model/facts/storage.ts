import type { FactObject } from "./fact-object.ts";

/** https://kubernetes.io/docs/concepts/storage/persistent-volumes/ */
export interface VolumeClaimRecord extends FactObject {}

export interface VolumeRecord extends FactObject {}

/** https://kubernetes.io/docs/concepts/storage/storage-classes/ */
export interface StorageClassRecord extends FactObject {}
