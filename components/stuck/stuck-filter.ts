import type { StuckView } from "@/lib/model/fleet-view.ts";
import { LAYERS, type Layer } from "@/lib/model/stages.ts";

/** What the list is narrowed to; null: all, `text`: words that all have to occur. */
export interface StuckFilter {
  readonly layer: Layer | null;
  readonly owner: string | null;
  readonly namespace: string | null;
  /** Id of a pool. */
  readonly pool: string | null;
  readonly text: string;
}

export const NO_FILTER: StuckFilter = { layer: null, owner: null, namespace: null, pool: null, text: "" };

/** The entries that match, in their order. */
export function filterStuck(stuck: readonly StuckView[], filter: StuckFilter): StuckView[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return stuck.filter(
    (each) =>
      (filter.layer === null || each.layer === filter.layer) &&
      (filter.owner === null || each.owner === filter.owner) &&
      (filter.namespace === null || each.namespace === filter.namespace) &&
      (filter.pool === null || each.pool === filter.pool) &&
      (words.length === 0 || words.every((word) => textOf(each).includes(word))),
  );
}

/** How many pods, and objects without any, each layer is at fault for; L1 first. */
export function countByLayer(stuck: readonly StuckView[]): (readonly [layer: Layer, count: number])[] {
  return LAYERS.map((layer) => [layer, countOf(stuck.filter((each) => each.layer === layer))] as const);
}

/** Pods, and objects without any, that the entries stand for. */
export function countOf(stuck: readonly StuckView[]): number {
  return stuck.reduce((sum, { count }) => sum + count, 0);
}

/** What the list can be narrowed to, sorted: only what occurs. */
export function choicesOf(stuck: readonly StuckView[]): {
  readonly owners: readonly string[];
  readonly namespaces: readonly string[];
  readonly pools: readonly string[];
} {
  const sorted = (values: readonly (string | null)[]) =>
    [...new Set(values.filter((value) => value !== null))].sort();
  return {
    owners: sorted(stuck.map(({ owner }) => owner)),
    namespaces: sorted(stuck.map(({ namespace }) => namespace)),
    pools: sorted(stuck.map(({ pool }) => pool)),
  };
}

function textOf(entry: StuckView): string {
  const { namespace, name, kind, layer, reason, sentence, owner, pool, workload, members } = entry;
  const parts = [
    `${namespace}/${name}`,
    kind,
    layer,
    reason,
    sentence,
    owner,
    pool,
    workload?.kind,
    workload?.name,
    ...members.map((member) => member.name),
  ];
  return parts.join(" ").toLowerCase();
}
