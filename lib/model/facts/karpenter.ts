import type { Labels, NodeSelectorRequirement, Resources, Taint } from "../kubernetes.ts";
import type { FactObject } from "./fact-object.ts";

/** What Karpenter may make nodes of. https://karpenter.sh/docs/concepts/nodepools/ (also Provisioner, its name before v1beta1) */
export interface NodePoolRecord extends FactObject {
  /** Of its nodes: instance types, zones, capacity types. All hold. */
  readonly requirements: readonly NodeSelectorRequirement[];
  /** Labels that every node of it gets. */
  readonly templateLabels: Labels;
  /** Taints that stay on every node of it; startup taints are not among them. */
  readonly taints: readonly Taint[];
  /** Taints that a node of it has only until it is set up. */
  readonly startupTaints: readonly Taint[];
  /** Most that its nodes may have together, `nodes` counts them; a resource that is not there has no limit. */
  readonly limits: Resources;
  /** What its nodes and launches have together; undefined: the status does not say. */
  readonly used: Resources | undefined;
  readonly nodeClass: NodeClassReference | undefined;
  /** True where it keeps a fixed number of nodes, whatever pods wait. */
  readonly isStatic: boolean;
}

export interface NodeClassReference {
  /** Empty where it is not written. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** One machine of Karpenter, from the wish to the node. https://karpenter.sh/docs/concepts/nodeclaims/ (also Machine) */
export interface NodeClaimRecord extends FactObject {
  /** Name of the NodePool or Provisioner that it belongs to; empty: none. */
  readonly nodePool: string;
  /** What the pods that it is made for ask for together. */
  readonly requests: Resources;
  readonly instanceType: string | undefined;
  readonly providerId: string | undefined;
  readonly nodeName: string | undefined;
}

/** EC2NodeClass, AKSNodeClass, EKS NodeClass and those of other providers. https://karpenter.sh/docs/concepts/nodeclasses/ */
export interface NodeClassRecord extends FactObject {
  /** Reservations that it may launch into; empty for providers without. */
  readonly capacityReservations: readonly NodeClassReservation[];
}

/** One of EC2NodeClass `status.capacityReservations`. */
export interface NodeClassReservation {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string | undefined;
  /** `active` or `expiring`. */
  readonly state: string;
}
