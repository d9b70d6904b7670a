import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodRecord,
} from "../../model/kubernetes.ts";
import {
  type Problems,
  type RawObject,
  rawInteger,
  rawItems,
  rawLabels,
  rawList,
  rawMap,
  rawObject,
  rawText,
} from "./raw.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

/** Alternatives of the required node affinity. */
export function requiredNodeAffinity(affinity: RawObject, problems: Problems): readonly NodeSelectorTerm[] {
  const field = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  const { nodeSelectorTerms } = rawObject(rawObject(affinity.nodeAffinity)[REQUIRED]);
  return rawItems(nodeSelectorTerms, field, problems, (term) => ({
    matchExpressions: selectorRequirements(
      rawObject(term).matchExpressions,
      `${field}[].matchExpressions`,
      problems,
    ),
    matchFields: selectorRequirements(rawObject(term).matchFields, `${field}[].matchFields`, problems),
  }));
}

function selectorRequirements(
  value: unknown,
  field: string,
  problems: Problems,
): readonly NodeSelectorRequirement[] {
  return rawItems(value, field, problems, (requirement) => {
    const { key, operator, values } = rawObject(requirement);
    return {
      key: rawText(key, `${field}[].key`, problems),
      operator: rawText(operator, `${field}[].operator`, problems),
      values: rawItems(values, `${field}[].values`, problems, (text) =>
        rawText(text, `${field}[].values[]`, problems),
      ),
    };
  });
}

type PodRules = Pick<
  PodRecord,
  "hasPodPlacementRules" | "podAffinity" | "podAntiAffinity" | "topologySpread"
>;

/**
 * What other pods say about a pod's place.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/ and .../topology-spread-constraints/
 */
export function podRules(spec: RawObject, problems: Problems): PodRules {
  const affinity = rawObject(spec.affinity);
  const terms = (kind: string): readonly PodAffinityTerm[] => {
    const field = `spec.affinity.${kind}.${REQUIRED}`;
    return rawItems(rawObject(affinity[kind])[REQUIRED], field, problems, (term) =>
      podAffinityTerm(rawObject(term), field, problems),
    );
  };
  const podAffinity = terms("podAffinity");
  const podAntiAffinity = terms("podAntiAffinity");
  const field = "spec.topologySpreadConstraints";
  const spreads = rawList(spec.topologySpreadConstraints, field, problems).map(rawObject);
  const hard = spreads.filter((spread) => spread.whenUnsatisfiable === "DoNotSchedule");
  const topologySpread = rawItems(hard, field, problems, (value) => {
    const spread = rawObject(value);
    return {
      topologyKey: rawText(spread.topologyKey, `${field}[].topologyKey`, problems),
      maxSkew: rawInteger(spread.maxSkew, `${field}[].maxSkew`, problems, 1),
      ...(spread.minDomains === undefined || spread.minDomains === null
        ? {}
        : { minDomains: rawInteger(spread.minDomains, `${field}[].minDomains`, problems, 1) }),
      selector: labelSelector(spread.labelSelector, `${field}[].labelSelector`, problems),
    };
  });
  return {
    hasPodPlacementRules: podAffinity.length + podAntiAffinity.length + topologySpread.length > 0,
    podAffinity,
    podAntiAffinity,
    topologySpread,
  };
}

function podAffinityTerm(term: RawObject, field: string, problems: Problems): PodAffinityTerm {
  return {
    topologyKey: rawText(term.topologyKey, `${field}[].topologyKey`, problems),
    selector: labelSelector(term.labelSelector, `${field}[].labelSelector`, problems),
    namespaces: rawItems(term.namespaces, `${field}[].namespaces`, problems, (one) =>
      rawText(one, `${field}[].namespaces[]`, problems),
    ),
    ...(term.namespaceSelector === undefined || term.namespaceSelector === null
      ? {}
      : { anyNamespace: true as const }),
  };
}

/** A label selector as requirements, all of which hold. https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/ */
export function labelSelector(
  value: unknown,
  field: string,
  problems: Problems,
): readonly NodeSelectorRequirement[] | undefined {
  if (value === undefined || value === null) return undefined;
  const { matchLabels, matchExpressions } = rawMap(value, field, problems);
  const labels = Object.entries(rawLabels(matchLabels, `${field}.matchLabels`, problems));
  return [
    ...labels.map(([key, one]) => ({ key, operator: "In", values: [one] })),
    ...selectorRequirements(matchExpressions, `${field}.matchExpressions`, problems),
  ];
}
