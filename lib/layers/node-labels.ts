import type { NodeRecord } from "../model/kubernetes.ts";
import { parseProviderId } from "./provider-id.ts";

/** Label vocabularies of the clouds and their node provisioners. */

const first = (node: NodeRecord, keys: readonly string[]): string | undefined => {
  for (const key of keys) {
    const value = node.labels[key];
    if (value) return value;
  }
  return undefined;
};

/** https://kubernetes.io/docs/reference/labels-annotations-taints/#nodekubernetesioinstance-type */
export function instanceTypeOf(node: NodeRecord): string | undefined {
  return first(node, ["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"]);
}

/** https://kubernetes.io/docs/reference/labels-annotations-taints/#topologykubernetesiozone */
export function zoneOf(node: NodeRecord): string | undefined {
  return (
    first(node, ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"]) ??
    parseProviderId(node.providerId)?.zone
  );
}

export function regionOf(node: NodeRecord): string | undefined {
  return (
    first(node, ["topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"]) ??
    parseProviderId(node.providerId)?.region
  );
}

/** The node pool a node was made by: Karpenter, EKS, GKE or AKS. */
export function nodePoolOf(node: NodeRecord): string | undefined {
  return first(node, [
    "karpenter.sh/nodepool",
    "eks.amazonaws.com/nodegroup",
    "alpha.eksctl.io/nodegroup-name",
    "cloud.google.com/gke-nodepool",
    "kubernetes.azure.com/agentpool",
    "agentpool",
  ]);
}

/** The reservation that a node names itself. */
export interface NamedReservation {
  /** Its id, or the name that the labels give; OCI's is the last part of the id. */
  readonly name: string;
  /** Project of a GCP reservation, whose names are unique only within one and a zone. */
  readonly project: string | undefined;
}

/** https://karpenter.sh/docs/concepts/nodeclasses/, https://docs.aws.amazon.com/eks/latest/userguide/auto-mode.html */
export function namedReservation(node: NodeRecord): NamedReservation | undefined {
  const name = first(node, [
    "karpenter.k8s.aws/capacity-reservation-id",
    "eks.amazonaws.com/capacity-reservation-id",
    "cloud.google.com/reservation-name",
    "oci.oraclecloud.com/capacity-reservation-id",
  ]);
  return name === undefined
    ? undefined
    : { name, project: node.labels["cloud.google.com/reservation-project"] };
}

/**
 * False for machines that no reservation pays for, whatever their type: spot, flex-start, and those whose pool is told to
 * consume none, or only a reservation that it does not name.
 * https://cloud.google.com/kubernetes-engine/docs/how-to/consuming-reservations
 */
export function canBeReserved(node: NodeRecord): boolean {
  if (capacityTypeOf(node) === "spot" || isFlexStart(node)) return false;
  const affinity = node.labels["cloud.google.com/reservation-affinity"]?.toLowerCase();
  return affinity === undefined || affinity.startsWith("any");
}

/** https://cloud.google.com/kubernetes-engine/docs/concepts/dws: at a lower rate of its own, outside reservations. */
export function isFlexStart({ labels }: NodeRecord): boolean {
  return (
    labels["cloud.google.com/gke-flex-start"] === "true" ||
    labels["cloud.google.com/gke-provisioning"]?.toLowerCase() === "flex-start"
  );
}

/** The provider by spec.providerID; the scheme itself where it is no known one. */
export function providerOf(node: NodeRecord): string | undefined {
  return parseProviderId(node.providerId)?.provider;
}

/** How the machine is bought, by its own labels; undefined where they do not say. */
export function capacityTypeOf(node: NodeRecord): "reserved" | "on-demand" | "spot" | undefined {
  if (node.labels["cloud.google.com/gke-spot"] === "true") return "spot";
  if (node.labels["cloud.google.com/gke-preemptible"] === "true") return "spot";
  const word = first(node, [
    "karpenter.sh/capacity-type",
    "eks.amazonaws.com/capacityType",
    "cloud.google.com/gke-provisioning",
    "kubernetes.azure.com/scalesetpriority",
    "kubernetes.azure.com/priority",
  ])?.toLowerCase();
  if (word === undefined) return undefined;
  if (word === "spot" || word === "preemptible") return "spot";
  if (word === "reserved" || word === "capacity_block") return "reserved";
  return word === "on-demand" || word === "on_demand" || word === "standard" || word === "regular"
    ? "on-demand"
    : undefined;
}
