import type { Labels, NodeSelectorRequirement, PodRecord } from "../../model/kubernetes.ts";

/** A node, or one that could be, as far as selectors look at it. */
export interface Selectable {
  readonly name: string;
  readonly labels: Labels;
  /** What to say of a label that is not among `labels`, where that does not mean that the node lacks it. */
  readonly unlisted?: (requirement: NodeSelectorRequirement) => boolean;
}

/**
 * What of the pod's nodeSelector and required node affinity the node does not satisfy, in words; undefined where it does.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/
 */
export function selectionMismatch(
  pod: Pick<PodRecord, "nodeSelector" | "nodeAffinity">,
  node: Selectable,
): string | undefined {
  for (const [key, value] of Object.entries(pod.nodeSelector)) {
    const requirement = { key, operator: "In", values: [value] };
    if (!satisfies(requirement, node)) return requirementInWords(requirement);
  }
  const terms = pod.nodeAffinity;
  if (terms.length === 0) return undefined;
  let reason = "";
  for (const term of terms) {
    // A term without requirements matches no node.
    if (term.matchExpressions.length + term.matchFields.length === 0) continue;
    const failed =
      term.matchExpressions.find((requirement) => !satisfies(requirement, node)) ??
      term.matchFields.find((requirement) => !satisfiesField(requirement, node));
    if (!failed) return undefined;
    reason ||= requirementInWords(failed);
  }
  return reason || "an affinity term that matches no node";
}

function satisfies(requirement: NodeSelectorRequirement, node: Selectable): boolean {
  const value = labelOf(node.labels, requirement.key);
  if (value === undefined && node.unlisted) return node.unlisted(requirement);
  return holds(requirement, value);
}

/** metadata.name is the only field that node selectors may look at. */
function satisfiesField(requirement: NodeSelectorRequirement, node: Selectable): boolean {
  return requirement.key === "metadata.name" && holds(requirement, node.name);
}

/** True where labels satisfy every requirement. https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/ */
export function selectsLabels(selector: readonly NodeSelectorRequirement[], labels: Labels): boolean {
  return selector.every((requirement) => holds(requirement, labelOf(labels, requirement.key)));
}

/** The value of a label, also of one that is called like what every object has. */
export function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** A selector as kubectl writes it. */
export function selectorInWords(selector: readonly NodeSelectorRequirement[]): string {
  return selector.length === 0 ? "any pod" : selector.map(requirementInWords).join(",");
}

function holds({ operator, values }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return compares(value, values, (a, b) => a > b);
    case "Lt":
      return compares(value, values, (a, b) => a < b);
    default:
      return false;
  }
}

function compares(
  value: string | undefined,
  values: readonly string[],
  ordered: (a: number, b: number) => boolean,
): boolean {
  const bound = values[0];
  const integer = /^-?\d+$/;
  if (value === undefined || bound === undefined || !integer.test(value) || !integer.test(bound))
    return false;
  return ordered(Number(value), Number(bound));
}

/** A requirement as kubectl writes label selectors. */
function requirementInWords({ key, operator, values }: NodeSelectorRequirement): string {
  const [first = ""] = values;
  switch (operator) {
    case "In":
      return values.length === 1 ? `${key}=${first}` : `${key} in (${values.join(", ")})`;
    case "NotIn":
      return values.length === 1 ? `${key}!=${first}` : `${key} notin (${values.join(", ")})`;
    case "Exists":
      return `label ${key}`;
    case "DoesNotExist":
      return `no label ${key}`;
    default:
      return `${key} ${operator} ${first}`;
  }
}
