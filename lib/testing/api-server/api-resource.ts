/** One resource that the server has: the kind, and where its paths lie. */
export interface ApiResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Last part of its path, e.g. `pods`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Kinds without a namespace, built in or of the add-ons that GPU clusters run; every other kind has one. */
const CLUSTER_SCOPED = new Set([
  ..."Node Namespace PersistentVolume StorageClass CSINode CSIDriver VolumeAttachment PriorityClass".split(
    " ",
  ),
  ..."RuntimeClass ClusterRole ClusterRoleBinding CustomResourceDefinition DeviceClass ResourceSlice".split(
    " ",
  ),
  ..."NodePool NodeClaim NodeOverlay EC2NodeClass AKSNodeClass GCENodeClass KWOKNodeClass".split(" "),
  ..."NodeClass OciNodeClass OCINodeClass IBMNodeClass Provisioner AWSNodeTemplate Machine".split(" "),
  ..."ClusterQueue ResourceFlavor Topology AdmissionCheck Cohort WorkloadPriorityClass ClusterPolicy".split(
    " ",
  ),
  ..."MultiKueueConfig MultiKueueCluster ProvisioningRequestConfig Queue HyperNode DeviceTaintRule".split(
    " ",
  ),
  ..."APIService VolumeAttributesClass ValidatingAdmissionPolicy IngressClass ClusterTrainingRuntime".split(
    " ",
  ),
]);

/** The resource of a kind: plural as Kubernetes guesses it, scope by the kind's name. */
export function apiResourceOf(object: { readonly apiVersion: string; readonly kind: string }): ApiResource {
  const slash = object.apiVersion.indexOf("/");
  return {
    group: slash < 0 ? "" : object.apiVersion.slice(0, slash),
    version: object.apiVersion.slice(slash + 1),
    kind: object.kind,
    plural: pluralOf(object.kind.toLowerCase()),
    namespaced: !CLUSTER_SCOPED.has(object.kind),
  };
}

/** `apiVersion` of the resource's objects, e.g. `v1`, `apps/v1`. */
export function apiVersionOf(resource: ApiResource): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/** Key of a resource in maps: API version and plural. */
export function resourceKey(apiVersion: string, plural: string): string {
  return `${apiVersion}/${plural}`;
}

function pluralOf(kind: string): string {
  if (kind === "endpoints") return kind;
  if (/(?:s|x|ch|sh)$/.test(kind)) return `${kind}es`;
  if (/[^aeiou]y$/.test(kind)) return `${kind.slice(0, -1)}ies`;
  return `${kind}s`;
}
