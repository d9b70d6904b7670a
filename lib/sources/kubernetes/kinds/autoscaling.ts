import type { AutoscalerStatusRecord, ProvisioningRequestRecord } from "../../../model/facts/autoscaling.ts";
import { type Problems, rawInteger, rawLabels, rawList, rawMap, rawObject, rawText } from "../raw.ts";
import { parseAutoscalerStatus } from "./autoscaler-status.ts";
import { type FactKind, factObject } from "./fact-kind.ts";

function provisioningRequest(value: unknown): ProvisioningRequestRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const details = rawObject(raw.status).provisioningClassDetails;
  const counts = rawList(spec.podSets, "spec.podSets", problems).map((podSet) =>
    rawInteger(rawObject(podSet).count, "spec.podSets[].count", problems),
  );
  return {
    ...factObject(value, "ProvisioningRequest", problems),
    className: rawText(spec.provisioningClassName, "spec.provisioningClassName", problems),
    pods: counts.reduce((sum, count) => sum + count, 0),
    details: rawLabels(details, "status.provisioningClassDetails", problems),
  };
}

const STATUS_NAME = "cluster-autoscaler-status";

function autoscalerStatus(value: unknown): AutoscalerStatusRecord | undefined {
  const problems: Problems = [];
  const object = factObject(value, "ConfigMap", problems);
  const { status } = rawMap(rawObject(value).data, "data", problems);
  if (object.name !== STATUS_NAME || typeof status !== "string") return undefined;
  return { ...object, ...parseAutoscalerStatus(status, problems) };
}

/** What Cluster Autoscaler serves and writes. */
export const AUTOSCALING_KINDS: readonly FactKind[] = [
  {
    fact: "provisioningRequests",
    group: "autoscaling.x-k8s.io",
    kind: "ProvisioningRequest",
    plural: "provisioningrequests",
    versions: ["v1", "v1beta1"],
    normalize: provisioningRequest,
  },
  {
    fact: "autoscalerStatus",
    group: "",
    kind: "ConfigMap",
    plural: "configmaps",
    versions: ["v1"],
    fieldSelector: `metadata.name=${STATUS_NAME}`,
    namespace: "kube-system",
    normalize: autoscalerStatus,
  },
];
