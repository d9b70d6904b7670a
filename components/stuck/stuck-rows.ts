import type { StuckView } from "@/lib/model/fleet-view.ts";
import { LAYERS, type Layer } from "@/lib/model/stages.ts";

/** One row of the list: a stuck pod, or all pods of one workload that are stuck for the same reason. */
export interface StuckRow {
  readonly id: string;
  /** The pod whose verdict the row shows: the first of `pods`. */
  readonly first: StuckView;
  readonly pods: readonly StuckView[];
  readonly gpus: number;
  /** Since when the longest of them is stuck; null where none says. */
  readonly since: string | null;
}

/** What the list is narrowed to; `layer` null: all, `text`: words that all have to occur. */
export interface StuckFilter {
  readonly layer: Layer | null;
  readonly text: string;
}

/** The pods that match, in their order. */
export function filterStuck(stuck: readonly StuckView[], filter: StuckFilter): StuckView[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return stuck.filter(
    (each) =>
      (filter.layer === null || each.layer === filter.layer) &&
      (words.length === 0 || words.every((word) => textOf(each).includes(word))),
  );
}

/** How many pods each layer is at fault for, L1 first. */
export function countByLayer(stuck: readonly StuckView[]): (readonly [layer: Layer, pods: number])[] {
  return LAYERS.map((layer) => [layer, stuck.filter((each) => each.layer === layer).length] as const);
}

/** Pods as rows: most GPUs first, then longest waiting. */
export function stuckRows(stuck: readonly StuckView[]): StuckRow[] {
  const groups = new Map<string, [StuckView, ...StuckView[]]>();
  for (const each of stuck) {
    const id = rowId(each);
    const group = groups.get(id);
    if (group) group.push(each);
    else groups.set(id, [each]);
  }
  return [...groups]
    .map(([id, pods]) => ({
      id,
      first: pods[0],
      pods,
      gpus: pods.reduce((sum, { gpus }) => sum + gpus, 0),
      since: pods.map(({ since }) => since).reduce(earlier),
    }))
    .sort((a, b) => b.gpus - a.gpus || bySince(a.since, b.since) || (a.id < b.id ? -1 : 1));
}

function rowId({ id, workload, namespace, layer, reason }: StuckView): string {
  return workload ? [namespace, workload.kind, workload.name, layer, reason].join("|") : id;
}

/** ISO times in UTC sort as text. */
function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function bySince(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

function textOf({ namespace, name, kind, layer, reason, sentence, owner, workload }: StuckView): string {
  const parts = [
    `${namespace}/${name}`,
    kind,
    layer,
    reason,
    sentence,
    owner,
    workload?.kind,
    workload?.name,
  ];
  return parts.join(" ").toLowerCase();
}
