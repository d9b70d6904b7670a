import type { NodeSelectorRequirement } from "../../model/kubernetes.ts";
import { selectionMismatch } from "../placement/node-selection.ts";

/** `unknown`: nobody says what the label will be, and the provider may give it a value that is asked for. */
export type Meets = "yes" | "no" | "unknown";

/**
 * Whether a node that keeps to `rules` can have a label as `asked`. Labels of a domain that Karpenter fills by itself
 * may have any value where no rule speaks of them; any other label is absent then.
 * https://karpenter.sh/docs/concepts/scheduling/#well-known-labels
 */
export function requirementsMeet(
  rules: readonly NodeSelectorRequirement[],
  asked: NodeSelectorRequirement,
): Meets {
  const spoken = rules.filter(({ key }) => key === asked.key);
  if (spoken.length === 0) {
    if (asked.operator === "NotIn" || asked.operator === "DoesNotExist") return "yes";
    return isFilledIn(asked.key) ? "unknown" : "no";
  }
  const listed = spoken.find(({ operator }) => operator === "In");
  if (listed) {
    const values = listed.values.filter((value) => spoken.every((rule) => selects(rule, value)));
    return values.some((value) => selects(asked, value)) ? "yes" : "no";
  }
  if (asked.operator === "In") {
    const possible = asked.values.some((value) => spoken.every((rule) => selects(rule, value)));
    return possible ? "yes" : "no";
  }
  const isAbsent = spoken.some(({ operator }) => operator === "DoesNotExist");
  if (asked.operator === "DoesNotExist") return isAbsent ? "yes" : "no";
  return isAbsent && asked.operator !== "NotIn" ? "no" : "yes";
}

/** Whether a label of this value satisfies the requirement. */
export function selects(requirement: NodeSelectorRequirement, value: string): boolean {
  const labels = { [requirement.key]: value };
  const term = { matchExpressions: [requirement], matchFields: [] };
  return selectionMismatch({ nodeSelector: {}, nodeAffinity: [term] }, { name: "", labels }) === undefined;
}

const FILLED_IN =
  /^(topology\.kubernetes\.io\/|failure-domain\.beta\.kubernetes\.io\/|topology\.k8s\.aws\/|(beta\.)?kubernetes\.io\/(arch|os)$|node\.kubernetes\.io\/(instance-type|windows-build)|karpenter\.(sh|k8s\.\w+|azure\.com)\/|eks\.amazonaws\.com\/|kubernetes\.azure\.com\/|cloud\.google\.com\/|oci\.oraclecloud\.com\/|nvidia\.com\/|feature\.node\.kubernetes\.io\/)/;

const CLOUDS: readonly (readonly [domain: RegExp, provider: string])[] = [
  [/^(eks\.amazonaws\.com|karpenter\.k8s\.aws|topology\.k8s\.aws)\//, "aws"],
  [/^(kubernetes\.azure\.com|karpenter\.azure\.com)\//, "azure"],
  [/^(cloud\.google\.com|karpenter\.k8s\.gcp)\//, "gcp"],
  [/^oci\.oraclecloud\.com\//, "oci"],
];

/** Whether a label is one that only machines of a cloud other than `provider` get; false where that is not known. */
export function isOfOtherCloud(key: string, provider: string | undefined): boolean {
  const cloud = CLOUDS.find(([domain]) => domain.test(key))?.[1];
  return provider !== undefined && cloud !== undefined && cloud !== provider;
}

/** Labels that the provider, or an operator on the node, adds to what the pool says. */
function isFilledIn(key: string): boolean {
  return FILLED_IN.test(key) && !/^karpenter\.sh\/(nodepool|provisioner-name)$/.test(key);
}
