import type { Fleet } from "../../layers/fleet.ts";
import type { NodeRecord, PodAffinityTerm, PodRecord } from "../../model/kubernetes.ts";
import { perFleet } from "../per-fleet.ts";
import { listInWords, topologyInWords } from "../wording.ts";
import { selectionMismatch, selectorInWords, selectsLabels } from "./node-selection.ts";

/** A rule between pods that rules a node out, in words: `no pod app=helper runs there`. */
export type Neighbour = string;

interface Repelling {
  readonly term: PodAffinityTerm;
  /** One of the pods whose rule it is. */
  readonly owner: PodRecord;
  /** Domain -> a pod in it that keeps others away. */
  readonly places: ReadonlyMap<string, string>;
}

interface Index {
  /** Rule and topology key -> domain -> pods that match. */
  readonly counts: Map<string, ReadonlyMap<string, number>>;
  readonly repelling: readonly Repelling[];
  readonly placed: readonly PodRecord[];
}

const indexOf = perFleet((fleet): Index => {
  const placed = [...fleet.nodes.values()].flatMap(({ pods }) => pods);
  return { counts: new Map(), placed, repelling: repellingRules(placed, fleet) };
});

/** Says of a node which required rule about other pods keeps the pod away from it; undefined: none. */
export type NeighbourCheck = (node: NodeRecord) => Neighbour | undefined;

/**
 * The pod's required rules about other pods, and theirs about it, with the pods that are placed now.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity
 * https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/
 */
export function neighbourCheck(pod: PodRecord, fleet: Fleet): NeighbourCheck {
  const checks = [
    ...friends(pod, fleet),
    ...foes(pod, fleet),
    ...repelled(pod, fleet),
    ...spread(pod, fleet),
  ];
  return (node) => {
    for (const check of checks) {
      const broken = check(node);
      if (broken !== undefined) return broken;
    }
    return undefined;
  };
}

function friends(pod: PodRecord, fleet: Fleet): NeighbourCheck[] {
  return pod.podAffinity.flatMap((term): NeighbourCheck[] => {
    const { selector, topologyKey } = term;
    if (selector === undefined) return [];
    const counts = countsOf(term, pod, fleet);
    // The first of a group of pods that attract each other may go anywhere.
    const isFirst = counts.size === 0 && selects(term, pod, pod);
    const kind = topologyInWords(topologyKey);
    const where =
      counts.size === 0 ? "there is none" : `such pods run only ${placesInWords(kind, [...counts.keys()])}`;
    const broken = `it has to share a ${kind} with a pod ${selectorInWords(selector)}, and ${where}`;
    return [
      ({ labels }) => {
        const domain = labels[topologyKey];
        return domain !== undefined && (isFirst || counts.has(domain)) ? undefined : broken;
      },
    ];
  });
}

/** `on node-a`, `in zone east-a`. */
function placesInWords(kind: string, domains: readonly string[]): string {
  return kind === "node" ? `on ${listInWords(domains)}` : `in ${kind} ${listInWords(domains)}`;
}

function foes(pod: PodRecord, fleet: Fleet): NeighbourCheck[] {
  return pod.podAntiAffinity.map((term): NeighbourCheck => {
    const counts = countsOf(term, pod, fleet);
    const kind = topologyInWords(term.topologyKey);
    return ({ labels }) => {
      const domain = labels[term.topologyKey];
      if (domain === undefined || !counts.has(domain)) return undefined;
      return `it must not share a ${kind} with a pod ${selectorInWords(term.selector ?? [])}, and one runs ${placesInWords(kind, [domain])}`;
    };
  });
}

function repelled(pod: PodRecord, fleet: Fleet): NeighbourCheck[] {
  return indexOf(fleet)
    .repelling.filter(({ term, owner }) => selects(term, owner, pod))
    .map(({ term: { topologyKey }, places }): NeighbourCheck => {
      return ({ labels }) => {
        const domain = labels[topologyKey];
        const by = domain === undefined ? undefined : places.get(domain);
        return by && `${by} keeps such pods away from its ${topologyInWords(topologyKey)} ${domain}`;
      };
    });
}

/** The rules by which placed pods keep others away, alike ones once. */
function repellingRules(placed: readonly PodRecord[], fleet: Fleet): readonly Repelling[] {
  const rules = new Map<string, Repelling & { readonly places: Map<string, string> }>();
  for (const owner of placed) {
    const node = fleet.nodes.get(owner.nodeName ?? "")?.record;
    for (const term of owner.podAntiAffinity) {
      const key = JSON.stringify([term, namespacesOf(term, owner)]);
      const rule = rules.get(key) ?? { term, owner, places: new Map() };
      rules.set(key, rule);
      const domain = node?.labels[term.topologyKey];
      if (domain !== undefined) rule.places.set(domain, `${owner.namespace}/${owner.name}`);
    }
  }
  return [...rules.values()];
}

function spread(pod: PodRecord, fleet: Fleet): NeighbourCheck[] {
  return pod.topologySpread.map(({ topologyKey, maxSkew, minDomains = 1, selector = [] }): NeighbourCheck => {
    const counts = countsOf({ topologyKey, selector, namespaces: [] }, pod, fleet);
    const domains = domainsFor(pod, topologyKey, fleet);
    const least = domains.length < minDomains ? 0 : Math.min(...domains.map((one) => counts.get(one) ?? 0));
    const own = selectsLabels(selector, pod.labels) ? 1 : 0;
    const kind = topologyInWords(topologyKey);
    return ({ labels }) => {
      const domain = labels[topologyKey];
      if (domain === undefined) return `it is spread over ${kind}, a label that the node has not`;
      const here = (counts.get(domain) ?? 0) + own;
      if (here - least <= maxSkew) return undefined;
      return `${kind} ${domain} would have ${here} pods ${selectorInWords(selector)} and another one ${least}, with a maxSkew of ${maxSkew}`;
    };
  });
}

/** Domains over which the pod is spread: those of the nodes that it selects, whatever their taints. */
function domainsFor(pod: PodRecord, topologyKey: string, fleet: Fleet): string[] {
  const { counts } = indexOf(fleet);
  const key = JSON.stringify(["domains", topologyKey, pod.nodeSelector, pod.nodeAffinity]);
  const known = counts.get(key);
  if (known) return [...known.keys()];
  const domains = new Map<string, number>();
  for (const { record } of fleet.nodes.values()) {
    const domain = record.labels[topologyKey];
    if (domain !== undefined && selectionMismatch(pod, record) === undefined) domains.set(domain, 1);
  }
  counts.set(key, domains);
  return [...domains.keys()];
}

/** Matching pods by domain; worked out once for all pods that ask the same. */
function countsOf(term: PodAffinityTerm, pod: PodRecord, fleet: Fleet): ReadonlyMap<string, number> {
  const { counts, placed } = indexOf(fleet);
  const key = JSON.stringify([term.topologyKey, term.selector, namespacesOf(term, pod)]);
  const known = counts.get(key);
  if (known) return known;
  const found = new Map<string, number>();
  for (const one of placed) {
    // Pods that are on their way out count no more.
    if (one.deletedAt !== undefined || !selects(term, pod, one)) continue;
    const domain = fleet.nodes.get(one.nodeName ?? "")?.record.labels[term.topologyKey];
    if (domain !== undefined) found.set(domain, (found.get(domain) ?? 0) + 1);
  }
  counts.set(key, found);
  return found;
}

/** undefined: every namespace. */
function namespacesOf(
  { namespaces, anyNamespace }: PodAffinityTerm,
  pod: PodRecord,
): readonly string[] | undefined {
  if (anyNamespace) return undefined;
  return namespaces.length === 0 ? [pod.namespace] : namespaces;
}

/** Whether a term of `pod` is about `other`. */
function selects(term: PodAffinityTerm, pod: PodRecord, other: PodRecord): boolean {
  return (
    term.selector !== undefined &&
    (namespacesOf(term, pod)?.includes(other.namespace) ?? true) &&
    selectsLabels(term.selector, other.labels)
  );
}
