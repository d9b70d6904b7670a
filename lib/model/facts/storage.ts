import type { NodeSelectorTerm } from "../kubernetes.ts";
import type { FactObject } from "./fact-object.ts";

/** https://kubernetes.io/docs/concepts/storage/persistent-volumes/ */
export interface VolumeClaimRecord extends FactObject {
  /** `Pending`, `Bound` or `Lost`. */
  readonly phase: string;
  readonly volumeName: string | undefined;
  /** undefined: the cluster's default. */
  readonly storageClass: string | undefined;
  /** Bytes; undefined where it says none. */
  readonly requested: number | undefined;
}

export interface VolumeRecord extends FactObject {
  readonly phase: string;
  readonly storageClass: string | undefined;
  /** Bytes; undefined where it says none. */
  readonly size: number | undefined;
  /** Alternatives, one of which a node has to match; empty: every node. */
  readonly nodeAffinity: readonly NodeSelectorTerm[];
}

/** https://kubernetes.io/docs/concepts/storage/storage-classes/ */
export interface StorageClassRecord extends FactObject {
  readonly provisioner: string;
  /** True: a volume is made where the pod goes. False: at once, wherever the provisioner likes. */
  readonly waitsForConsumer: boolean;
  /** Alternatives: where it may make volumes; empty: anywhere. */
  readonly allowedTopologies: readonly NodeSelectorTerm[];
}
