import { BARE_NODE } from "../../layers/bare-node.ts";
import type { Fleet } from "../../layers/fleet.ts";
import { acceleratorUnit } from "../../model/accelerators.ts";
import type { NodePoolRecord } from "../../model/facts/karpenter.ts";
import { vcpusOf } from "../../model/instance-vcpus.ts";
import type { NodeSelectorRequirement, PodRecord } from "../../model/kubernetes.ts";
import type { Ask } from "../ask.ts";
import { meetsModel } from "../placement/model-asked.ts";
import type { Mismatch } from "../placement/node-fit.ts";
import { selectionMismatch } from "../placement/node-selection.ts";
import { taintInWords, untoleratedTaints } from "../placement/taints.ts";
import { type PoolType, poolLabel, poolTypes, providerOf } from "./pool-types.ts";
import { isOfOtherCloud, requirementsMeet } from "./requirements-meet.ts";

/** Whether a NodePool of Karpenter could make a node for a pod as it is written. */
export interface PoolOffer {
  readonly pool: NodePoolRecord;
  /** Instance types that would hold it; empty: the pool never can. */
  readonly types: readonly OfferedType[];
  /** True where every one of them is known, and no label was guessed. */
  readonly sure: boolean;
  /** What is missing on the type that misses least; undefined where one holds the pod. */
  readonly mismatch: Mismatch | undefined;
}

/** An instance type that a pool may launch. */
export interface OfferedType {
  readonly name: string;
  /** Physical accelerators; undefined for a type that nobody knows. */
  readonly gpus: number | undefined;
  readonly vcpus: number | undefined;
}

/**
 * What each pool that has accelerators of the kind asked for could do for the pod; pools without are left out. The fleet's
 * nodes tell what an instance type has beyond its vCPUs and devices.
 */
export function poolOffers(pod: PodRecord, ask: Ask, fleet: Fleet): readonly PoolOffer[] {
  return fleet.facts.nodePools.items.flatMap((pool) => {
    if (pool.deletedAt !== undefined || pool.isStatic) return [];
    const types = poolTypes(pool, fleet).filter((type) => hasKind(type, ask));
    return types.length === 0 ? [] : [offerOf(pool, types, pod, ask)];
  });
}

/** A machine of another vendor is none; one of which nothing is known may be. */
function hasKind({ vendor, seen }: PoolType, ask: Ask): boolean {
  return ask.accelerators.some(([resource]) =>
    vendor === undefined ? !seen || resource in seen : resource.startsWith(`${vendor}/`),
  );
}

function offerOf(pool: NodePoolRecord, types: readonly PoolType[], pod: PodRecord, ask: Ask): PoolOffer {
  const taint = untoleratedTaints(pod, { ...BARE_NODE, taints: pool.taints }).dedicated;
  let guessed = false;
  const rules = labelRules(pool);
  const provider = providerOf(pool);
  const mismatches = types.map((type): Mismatch | undefined => {
    const unlisted = (asked: NodeSelectorRequirement): boolean => {
      const model = type.model === undefined ? undefined : meetsModel(asked, type.model);
      if (model !== undefined) return model;
      const meets = requirementsMeet(rules, asked);
      if (meets !== "unknown") return meets === "yes";
      if (isOfOtherCloud(asked.key, provider)) return false;
      guessed = true;
      return true;
    };
    const selection = selectionMismatch(pod, { name: "", labels: type.labels, unlisted });
    if (selection) return { kind: "selection", resource: undefined, what: selection };
    if (taint) return { kind: "taint", resource: undefined, what: taintInWords(taint) };
    return tooSmall(type, ask);
  });
  const fitting = types.filter((_, index) => mismatches[index] === undefined);
  return {
    pool,
    types: fitting.map(({ name, gpus }) => ({ name, gpus, vcpus: vcpusOf(name) })),
    sure: !guessed && fitting.every(({ sure }) => sure),
    mismatch: fitting.length > 0 ? undefined : nearest(mismatches),
  };
}

/** Every label that the pool itself decides. */
function labelRules(pool: NodePoolRecord): readonly NodeSelectorRequirement[] {
  const fixed = Object.entries({ ...pool.templateLabels, [poolLabel(pool)]: pool.name });
  return [...pool.requirements, ...fixed.map(([key, value]) => ({ key, operator: "In", values: [value] }))];
}

function tooSmall({ name, gpus, seen }: PoolType, ask: Ask): Mismatch | undefined {
  for (const [resource, units] of ask.accelerators) {
    const isDevice = acceleratorUnit(resource)?.kind === "device";
    const has = seen?.[resource] ?? (isDevice && gpus !== undefined ? Math.floor(gpus) : undefined);
    if (has !== undefined && has < units) return { kind: "size", resource, what: String(has) };
  }
  for (const [resource, amount] of ask.others) {
    const has = seen?.[resource];
    if (has !== undefined && has < amount) return { kind: "size", resource, what: String(has) };
  }
  const cpu = ask.others.find(([resource]) => resource === "cpu")?.[1] ?? 0;
  const vcpus = vcpusOf(name);
  // The kubelet keeps a part for itself: a node never gives all that the machine has.
  if (seen?.cpu === undefined && vcpus !== undefined && cpu >= vcpus * 1_000) {
    return { kind: "size", resource: "cpu", what: String(vcpus * 1_000) };
  }
  return undefined;
}

/** A machine that is only too small says more than one of another kind; of those the largest. */
function nearest(mismatches: readonly (Mismatch | undefined)[]): Mismatch | undefined {
  const rank = ({ kind }: Mismatch) => (kind === "size" ? 2 : kind === "taint" ? 1 : 0);
  return mismatches
    .flatMap((one) => one ?? [])
    .sort((a, b) => rank(b) - rank(a) || (Number(b.what) || 0) - (Number(a.what) || 0))[0];
}
