import type { StorageClassRecord, VolumeClaimRecord, VolumeRecord } from "../../../model/facts/storage.ts";
import type { NodeSelectorTerm } from "../../../model/kubernetes.ts";
import { requiredNodeAffinity } from "../normalize-placement.ts";
import { type Problems, rawList, rawMap, rawObject, rawOptionalText, rawText } from "../raw.ts";
import { rawResources } from "../raw-resources.ts";
import { type FactKind, factObject } from "./fact-kind.ts";

function normalizeVolumeClaim(value: unknown): VolumeClaimRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const { requests } = rawObject(spec.resources);
  return {
    ...factObject(raw, "PersistentVolumeClaim", problems),
    phase: rawText(rawObject(raw.status).phase, "status.phase", problems) || "Pending",
    volumeName: rawOptionalText(spec.volumeName, "spec.volumeName", problems),
    storageClass: rawOptionalText(spec.storageClassName, "spec.storageClassName", problems),
    requested: rawResources(requests, "spec.resources.requests", problems).storage,
  };
}

function normalizeVolume(value: unknown): VolumeRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const object = factObject(raw, "PersistentVolume", problems);
  const required = requiredTerms(rawObject(spec.nodeAffinity).required, problems);
  return {
    ...object,
    phase: rawText(rawObject(raw.status).phase, "status.phase", problems),
    storageClass: rawOptionalText(spec.storageClassName, "spec.storageClassName", problems),
    size: rawResources(spec.capacity, "spec.capacity", problems).storage,
    nodeAffinity: required.length > 0 ? required : zoneTerms(object.labels),
  };
}

function requiredTerms(required: unknown, problems: Problems): readonly NodeSelectorTerm[] {
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
  return requiredNodeAffinity({ nodeAffinity }, problems);
}

/** Volumes of old in-tree provisioners are bound to their zone by labels; `__` joins several zones. */
function zoneTerms(labels: VolumeRecord["labels"]): readonly NodeSelectorTerm[] {
  for (const key of ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"]) {
    const zones = labels[key];
    if (!zones) continue;
    return [{ matchExpressions: [{ key, operator: "In", values: zones.split("__") }], matchFields: [] }];
  }
  return [];
}

function normalizeStorageClass(value: unknown): StorageClassRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const terms = rawList(raw.allowedTopologies, "allowedTopologies", problems).map(rawObject);
  return {
    ...factObject(raw, "StorageClass", problems),
    provisioner: rawText(raw.provisioner, "provisioner", problems),
    waitsForConsumer: raw.volumeBindingMode === "WaitForFirstConsumer",
    allowedTopologies: terms.map(({ matchLabelExpressions }) => ({
      matchExpressions: rawList(matchLabelExpressions, "allowedTopologies[].matchLabelExpressions", problems)
        .map(rawObject)
        .map(({ key, values }) => ({
          key: rawText(key, "allowedTopologies[].key", problems),
          operator: "In",
          values: rawList(values, "allowedTopologies[].values", problems).map((one) =>
            rawText(one, "allowedTopologies[].values[]", problems),
          ),
        })),
      matchFields: [],
    })),
  };
}

/** Volumes, for where they pin a pod. */
export const STORAGE_KINDS: readonly FactKind[] = [
  {
    fact: "volumeClaims",
    group: "",
    kind: "PersistentVolumeClaim",
    plural: "persistentvolumeclaims",
    versions: ["v1"],
    normalize: normalizeVolumeClaim,
  },
  {
    fact: "volumes",
    group: "",
    kind: "PersistentVolume",
    plural: "persistentvolumes",
    versions: ["v1"],
    normalize: normalizeVolume,
  },
  {
    fact: "storageClasses",
    group: "storage.k8s.io",
    kind: "StorageClass",
    plural: "storageclasses",
    versions: ["v1"],
    normalize: normalizeStorageClass,
  },
];
