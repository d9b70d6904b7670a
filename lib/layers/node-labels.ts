import type { NodeRecord } from "../model/kubernetes.ts";

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
  return first(node, ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"]);
}

export function regionOf(node: NodeRecord): string | undefined {
  return first(node, ["topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"]);
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

/** The id of the reservation that the node itself names. */
export function reservationLabelOf(node: NodeRecord): string | undefined {
  return first(node, [
    "karpenter.k8s.aws/capacity-reservation-id",
    "eks.amazonaws.com/capacity-reservation-id",
    "cloud.google.com/reservation-name",
    "oci.oraclecloud.com/capacity-reservation-id",
  ]);
}

const PROVIDERS: Readonly<Record<string, string>> = {
  aws: "aws",
  gce: "gcp",
  azure: "azure",
  oci: "oci",
  nebius: "nebius",
  crusoe: "crusoe",
};

/** The provider by the scheme of spec.providerID; the scheme itself where it is no known one. */
export function providerOf(node: NodeRecord): string | undefined {
  const id = node.providerId;
  if (!id) return undefined;
  if (id.startsWith("ocid1.")) return "oci";
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//.exec(id)?.[1];
  return scheme === undefined ? undefined : (PROVIDERS[scheme] ?? scheme);
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
  ])?.toLowerCase();
  if (word === undefined) return undefined;
  if (word === "spot" || word === "preemptible") return "spot";
  if (word === "reserved" || word === "capacity_block") return "reserved";
  return word === "on-demand" || word === "on_demand" || word === "standard" || word === "regular"
    ? "on-demand"
    : undefined;
}
