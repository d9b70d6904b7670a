import type { Fleet } from "../../layers/fleet.ts";
import type { StorageClassRecord, VolumeClaimRecord, VolumeRecord } from "../../model/facts/storage.ts";
import type { Labels, NodeRecord, NodeSelectorTerm, PodRecord } from "../../model/kubernetes.ts";
import { oncePer } from "../../model/once-per.ts";
import { perFleet } from "../per-fleet.ts";
import type { NodeFit } from "./node-fit.ts";
import { selectionMismatch } from "./node-selection.ts";

/** Where one claim of a pod lets it run. */
export type VolumeReach =
  /** Its volume, or what its class may make, can be used on nodes of these terms; none: on every node. */
  | { readonly kind: "terms"; readonly claim: VolumeClaimRecord; readonly terms: readonly NodeSelectorTerm[] }
  /** There is no volume for it, and none is made once the pod has a node. */
  | { readonly kind: "unbound"; readonly claim: VolumeClaimRecord; readonly why: string }
  | { readonly kind: "missing"; readonly name: string };

interface Volumes {
  readonly claims: ReadonlyMap<string, VolumeClaimRecord>;
  readonly volumes: ReadonlyMap<string, VolumeRecord>;
  readonly classes: ReadonlyMap<string, StorageClassRecord>;
}

const volumesOf = perFleet(({ facts }): Volumes => {
  const { volumeClaims, volumes, storageClasses } = facts;
  return {
    claims: new Map(volumeClaims.items.map((one) => [`${one.namespace}/${one.name}`, one])),
    volumes: new Map(volumes.items.map((one) => [one.name, one])),
    classes: new Map(storageClasses.items.map((one) => [one.name, one])),
  };
});

/** Each claim of the pod as far as claims and volumes can be read. */
export function volumeReaches(pod: PodRecord, fleet: Fleet): readonly VolumeReach[] {
  if (!fleet.facts.volumeClaims.known) return [];
  const index = volumesOf(fleet);
  return pod.volumeClaims.flatMap((name): VolumeReach[] => {
    const claim = index.claims.get(`${pod.namespace}/${name}`);
    return claim ? reachOf(claim, index, fleet) : [{ kind: "missing", name }];
  });
}

/** https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode */
function reachOf(claim: VolumeClaimRecord, index: Volumes, fleet: Fleet): VolumeReach[] {
  if (claim.volumeName !== undefined) {
    const volume = index.volumes.get(claim.volumeName);
    if (volume) return [{ kind: "terms", claim, terms: volume.nodeAffinity }];
    const why = `its volume ${claim.volumeName} does not exist`;
    return fleet.facts.volumes.known ? [{ kind: "unbound", claim, why }] : [];
  }
  const made = claim.storageClass === undefined ? undefined : index.classes.get(claim.storageClass);
  const name = claim.storageClass ?? "the default storage class";
  if (!made) {
    const why = `storage class ${name} does not exist`;
    const isTold = claim.storageClass !== undefined && fleet.facts.storageClasses.known;
    return isTold && !hasFreeVolume(claim, fleet) ? [{ kind: "unbound", claim, why }] : [];
  }
  if (!made.waitsForConsumer) return [{ kind: "unbound", claim, why: `${name} has made no volume for it` }];
  if (made.provisioner !== "kubernetes.io/no-provisioner") {
    return [{ kind: "terms", claim, terms: made.allowedTopologies }];
  }
  const free = freeVolumes(claim, fleet);
  if (free.length === 0) return [{ kind: "unbound", claim, why: `${name} has no free volume left for it` }];
  const terms = free.some(({ nodeAffinity }) => nodeAffinity.length === 0)
    ? []
    : free.flatMap(({ nodeAffinity }) => nodeAffinity);
  return [{ kind: "terms", claim, terms }];
}

function freeVolumes(claim: VolumeClaimRecord, { facts }: Fleet): readonly VolumeRecord[] {
  return facts.volumes.items.filter(
    (volume) =>
      volume.phase === "Available" &&
      volume.storageClass === claim.storageClass &&
      (volume.size === undefined || volume.size >= (claim.requested ?? 0)),
  );
}

function hasFreeVolume(claim: VolumeClaimRecord, fleet: Fleet): boolean {
  return freeVolumes(claim, fleet).length > 0;
}

/** True where a node is within the terms. Old names of zone labels are the new ones, as the scheduler reads them. */
export function isWithin(terms: readonly NodeSelectorTerm[], { name, labels }: NodeRecord): boolean {
  return (
    selectionMismatch({ nodeSelector: {}, nodeAffinity: terms }, { name, labels: withOldNames(labels) }) ===
    undefined
  );
}

const withOldNames = oncePer((labels: Labels): Labels => {
  const zone = labels["topology.kubernetes.io/zone"];
  const region = labels["topology.kubernetes.io/region"];
  return {
    ...(zone === undefined ? {} : { "failure-domain.beta.kubernetes.io/zone": zone }),
    ...(region === undefined ? {} : { "failure-domain.beta.kubernetes.io/region": region }),
    ...labels,
  };
});

/** Nodes on which all volumes of the pod that can be read can be used. */
export function withinVolumes(pod: PodRecord, fits: readonly NodeFit[], fleet: Fleet): readonly NodeFit[] {
  const reaches = volumeReaches(pod, fleet).filter((reach) => reach.kind === "terms");
  return fits.filter(({ facts }) => reaches.every(({ terms }) => isWithin(terms, facts.node.record)));
}
