import type {
  LimitRangeRecord,
  PriorityClassRecord,
  ResourceQuotaRecord,
} from "../../../model/facts/quotas.ts";
import type { Resources } from "../../../model/kubernetes.ts";
import { type Problems, rawInteger, rawList, rawMap, rawObject, rawText } from "../raw.ts";
import { rawResources } from "../raw-resources.ts";
import { type FactKind, factObject } from "./fact-kind.ts";

function normalizeResourceQuota(value: unknown): ResourceQuotaRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const status = rawMap(raw.status, "status", problems);
  const scopes = rawList(spec.scopes, "spec.scopes", problems);
  return {
    ...factObject(raw, "ResourceQuota", problems),
    hard: quotaAmounts(status.hard ?? spec.hard, "status.hard", problems),
    used: quotaAmounts(status.used, "status.used", problems),
    isScoped: scopes.length > 0 || spec.scopeSelector !== undefined,
  };
}

/** The unit is that of the resource behind the prefix: `requests.cpu` counts in millicores as `cpu` does. */
function quotaAmounts(value: unknown, field: string, problems: Problems): Resources {
  return Object.fromEntries(
    Object.entries(rawMap(value, field, problems)).flatMap(([name, amount]) => {
      const resource = name.replace(/^(requests|limits)\./, "");
      const read = rawResources({ [resource]: amount }, field, problems)[resource];
      return read === undefined ? [] : [[name, read] as const];
    }),
  );
}

function normalizeLimitRange(value: unknown): LimitRangeRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const limits = rawList(rawObject(raw.spec).limits, "spec.limits", problems).map(rawObject);
  return {
    ...factObject(raw, "LimitRange", problems),
    limits: limits.map((limit) => ({
      type: rawText(limit.type, "spec.limits[].type", problems),
      defaults: {
        ...rawResources(limit.max, "spec.limits[].max", problems),
        ...rawResources(limit.default, "spec.limits[].default", problems),
        ...rawResources(limit.defaultRequest, "spec.limits[].defaultRequest", problems),
      },
    })),
  };
}

function normalizePriorityClass(value: unknown): PriorityClassRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  return {
    ...factObject(raw, "PriorityClass", problems),
    value: rawInteger(raw.value, "value", problems),
    preemptionPolicy: rawText(raw.preemptionPolicy, "preemptionPolicy", problems) || "PreemptLowerPriority",
  };
}

/** What namespaces may use, and who goes first. */
export const QUOTA_KINDS: readonly FactKind[] = [
  {
    fact: "resourceQuotas",
    group: "",
    kind: "ResourceQuota",
    plural: "resourcequotas",
    versions: ["v1"],
    normalize: normalizeResourceQuota,
  },
  {
    fact: "limitRanges",
    group: "",
    kind: "LimitRange",
    plural: "limitranges",
    versions: ["v1"],
    normalize: normalizeLimitRange,
  },
  {
    fact: "priorityClasses",
    group: "scheduling.k8s.io",
    kind: "PriorityClass",
    plural: "priorityclasses",
    versions: ["v1"],
    normalize: normalizePriorityClass,
  },
];
