/**
 * What a node's spec.providerID says of the machine behind it. Each cloud controller writes its own form:
 * `aws:///us-east-2a/i-0abc`, `gce://PROJECT/ZONE/NAME`, `azure:///subscriptions/…/virtualMachines/NAME`,
 * `ocid1.instance.oc1.phx.…` (with or without `oci://`), `nebius://ID`, `crusoe://ID`.
 * https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/node-v1/#NodeSpec
 */
export interface ProviderId {
  /** As Seamline names the cloud; the scheme itself where it is no known one. */
  readonly provider: string;
  readonly region: string | undefined;
  readonly zone: string | undefined;
  /** Names under which a provider may list the machine, in lower case: its own id, or its whole path. */
  readonly machines: readonly string[];
}

const PROVIDERS: Readonly<Record<string, string>> = {
  aws: "aws",
  gce: "gcp",
  azure: "azure",
  oci: "oci",
  nebius: "nebius",
  crusoe: "crusoe",
};

/** True for clouds whose machines carry their scheme: two different ones are never the same machine. */
export function isCloud(provider: string): boolean {
  return Object.values(PROVIDERS).includes(provider);
}

/** undefined for an absent providerID and for one without a scheme. */
export function parseProviderId(id: string | undefined): ProviderId | undefined {
  if (!id) return undefined;
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/.exec(id) ?? [];
  if (id.startsWith("ocid1.")) return inOci(id);
  if (scheme === undefined || rest === undefined) return undefined;
  if (scheme === "oci") return inOci(rest);
  const path = rest.replace(/^\/+/, "");
  const parts = path.toLowerCase().split("/");
  const machines = machineNames(parts);
  const provider = PROVIDERS[scheme] ?? scheme;
  const zone = provider === "aws" ? parts[0] : provider === "gcp" ? parts[1] : undefined;
  return { provider, zone, region: zone === undefined ? undefined : regionOfZone(provider, zone), machines };
}

/** https://docs.oracle.com/en-us/iaas/Content/General/Concepts/identifiers.htm: `ocid1.TYPE.REALM.REGION.ID` */
function inOci(ocid: string): ProviderId {
  const region = ocid.split(".")[3];
  return { provider: "oci", region: region || undefined, zone: undefined, machines: [ocid.toLowerCase()] };
}

/**
 * The last part names the machine, but for those of a scale set, where it is only their number in it.
 * https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-instance-ids
 */
function machineNames(parts: readonly string[]): string[] {
  const path = parts.join("/");
  const last = parts.at(-1) ?? "";
  const names = [path, `/${path}`];
  if (parts.includes("virtualmachinescalesets") || last === "") return names;
  return [last, ...names];
}

/** `us-east-2` of `us-east-2a` and of the local zone `us-east-1-bos-1a`, `us-central1` of `us-central1-a`. */
function regionOfZone(provider: string, zone: string): string | undefined {
  return (provider === "aws" ? /^[a-z]+(?:-[a-z]+)+-\d+/ : /^[a-z]+-[a-z]+\d+/).exec(zone)?.[0];
}
