import type {
  NodeClaimRecord,
  NodeClassRecord,
  NodeClassReference,
  NodePoolRecord,
} from "../../../model/facts/karpenter.ts";
import type { NodeSelectorRequirement, Taint } from "../../../model/kubernetes.ts";
import {
  addProblem,
  type Problems,
  type RawObject,
  rawLabels,
  rawList,
  rawMap,
  rawObject,
  rawOptionalText,
  rawText,
} from "../raw.ts";
import { rawResources } from "../raw-resources.ts";
import { type FactKind, factObject } from "./fact-kind.ts";

/** NodePool of karpenter.sh v1 and v1beta1: what a node is made of stands in its template. */
function nodePool(value: unknown): NodePoolRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const template = rawMap(spec.template, "spec.template", problems);
  const node = rawMap(template.spec, "spec.template.spec", problems);
  const labels = rawObject(template.metadata).labels;
  return {
    ...factObject(value, "NodePool", problems),
    requirements: requirements(node.requirements, "spec.template.spec.requirements", problems),
    templateLabels: rawLabels(labels, "spec.template.metadata.labels", problems),
    taints: taints(node.taints, "spec.template.spec.taints", problems),
    startupTaints: taints(node.startupTaints, "spec.template.spec.startupTaints", problems),
    limits: rawResources(spec.limits, "spec.limits", problems),
    used: usedResources(raw, problems),
    nodeClass: nodeClassReference(node.nodeClassRef, problems),
    isStatic: typeof spec.replicas === "number",
  };
}

/** Provisioner of v1alpha5: the template's fields stand in the spec itself. */
function provisioner(value: unknown): NodePoolRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  return {
    ...factObject(value, "Provisioner", problems),
    requirements: requirements(spec.requirements, "spec.requirements", problems),
    templateLabels: rawLabels(spec.labels, "spec.labels", problems),
    taints: taints(spec.taints, "spec.taints", problems),
    startupTaints: taints(spec.startupTaints, "spec.startupTaints", problems),
    limits: rawResources(rawObject(spec.limits).resources, "spec.limits.resources", problems),
    used: usedResources(raw, problems),
    nodeClass: nodeClassReference(spec.providerRef, problems, "AWSNodeTemplate"),
    isStatic: false,
  };
}

/** A NodeClaim, or a Machine of v1alpha5: both are alike but for the label that names their pool. */
function nodeClaim(value: unknown, kind: string): NodeClaimRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const object = factObject(value, kind, problems);
  const status = rawMap(raw.status, "status", problems);
  const requests = rawObject(rawObject(rawObject(raw.spec).resources).requests);
  return {
    ...object,
    nodePool: object.labels["karpenter.sh/nodepool"] ?? object.labels["karpenter.sh/provisioner-name"] ?? "",
    requests: rawResources(requests, "spec.resources.requests", problems),
    instanceType: object.labels["node.kubernetes.io/instance-type"],
    providerId: rawOptionalText(status.providerID, "status.providerID", problems),
    nodeName: rawOptionalText(status.nodeName, "status.nodeName", problems),
  };
}

function nodeClass(value: unknown, kind: string): NodeClassRecord {
  const problems: Problems = [];
  const object = factObject(value, kind, problems);
  const field = "status.capacityReservations";
  const { capacityReservations } = rawObject(rawObject(value).status);
  return {
    ...object,
    capacityReservations: rawList(capacityReservations, field, problems).map((entry) => {
      const one = rawObject(entry);
      return {
        id: rawText(one.id, `${field}[].id`, problems),
        instanceType: rawText(one.instanceType, `${field}[].instanceType`, problems),
        zone: rawOptionalText(one.availabilityZone, `${field}[].availabilityZone`, problems),
        state: rawText(one.state, `${field}[].state`, problems),
      };
    }),
  };
}

function usedResources(raw: RawObject, problems: Problems): NodePoolRecord["used"] {
  const { resources } = rawObject(raw.status);
  return resources === undefined ? undefined : rawResources(resources, "status.resources", problems);
}

/** v1 names the group, v1beta1 the apiVersion, v1alpha5 mostly neither. */
function nodeClassReference(
  value: unknown,
  problems: Problems,
  fallback = "",
): NodeClassReference | undefined {
  const raw = rawMap(value, "nodeClassRef", problems);
  const name = rawOptionalText(raw.name, "nodeClassRef.name", problems);
  if (name === undefined) return undefined;
  const apiVersion = rawText(raw.apiVersion, "nodeClassRef.apiVersion", problems);
  const group = rawText(raw.group, "nodeClassRef.group", problems) || apiVersion.split("/")[0] || "";
  return { group, kind: rawText(raw.kind, "nodeClassRef.kind", problems) || fallback, name };
}

function requirements(value: unknown, field: string, problems: Problems): readonly NodeSelectorRequirement[] {
  return rawList(value, field, problems).map((entry) => {
    const one = rawObject(entry);
    return {
      key: rawText(one.key, `${field}[].key`, problems),
      operator: rawText(one.operator, `${field}[].operator`, problems),
      values: rawList(one.values, `${field}[].values`, problems).map((text) =>
        rawText(text, `${field}[].values[]`, problems),
      ),
    };
  });
}

function taints(value: unknown, field: string, problems: Problems): readonly Taint[] {
  return rawList(value, field, problems).flatMap((entry) => {
    const one = rawObject(entry);
    const { effect } = one;
    if (effect !== "NoSchedule" && effect !== "NoExecute" && effect !== "PreferNoSchedule") {
      addProblem(problems, `${field}[].effect`, effect, "NoSchedule, PreferNoSchedule or NoExecute");
      return [];
    }
    const key = rawText(one.key, `${field}[].key`, problems);
    return [{ key, value: rawText(one.value, `${field}[].value`, problems), effect, timeAdded: undefined }];
  });
}

const claim = (kind: string, plural: string, versions: readonly string[]): FactKind<"nodeClaims"> => ({
  fact: "nodeClaims",
  group: "karpenter.sh",
  kind,
  plural,
  versions,
  normalize: (raw) => nodeClaim(raw, kind),
});

const ofProvider = (
  group: string,
  kind: string,
  plural: string,
  versions: readonly string[],
): FactKind<"nodeClasses"> => ({
  fact: "nodeClasses",
  group,
  kind,
  plural,
  versions,
  normalize: (raw) => nodeClass(raw, kind),
});

/** https://karpenter.sh/docs/upgrading/compatibility/ and the CRDs of each provider. */
export const KARPENTER_KINDS: readonly FactKind[] = [
  {
    fact: "nodePools",
    group: "karpenter.sh",
    kind: "NodePool",
    plural: "nodepools",
    versions: ["v1", "v1beta1"],
    normalize: nodePool,
  },
  {
    fact: "nodePools",
    group: "karpenter.sh",
    kind: "Provisioner",
    plural: "provisioners",
    versions: ["v1alpha5"],
    normalize: provisioner,
  },
  claim("NodeClaim", "nodeclaims", ["v1", "v1beta1"]),
  claim("Machine", "machines", ["v1alpha5"]),
  ofProvider("karpenter.k8s.aws", "EC2NodeClass", "ec2nodeclasses", ["v1", "v1beta1"]),
  ofProvider("karpenter.k8s.aws", "AWSNodeTemplate", "awsnodetemplates", ["v1alpha1"]),
  ofProvider("eks.amazonaws.com", "NodeClass", "nodeclasses", ["v1"]),
  ofProvider("karpenter.azure.com", "AKSNodeClass", "aksnodeclasses", ["v1", "v1beta1", "v1alpha2"]),
  ofProvider("karpenter.k8s.gcp", "GCENodeClass", "gcenodeclasses", ["v1", "v1alpha1"]),
  ofProvider("oci.oraclecloud.com", "OCINodeClass", "ocinodeclasses", ["v1", "v1beta1"]),
  ofProvider("karpenter.kwok.sh", "KWOKNodeClass", "kwoknodeclasses", ["v1", "v1alpha1"]),
];
