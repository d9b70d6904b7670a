import type { LanePoolView, LaneView } from "../model/fleet-view.ts";
import { type OwnerRule, ownerOf } from "../model/owners.ts";
import type { SourceState, SourceStatus } from "../model/snapshot.ts";
import { LAYER_INFO, LAYERS, type Layer, stageInfo } from "../model/stages.ts";
import type { Entry } from "./entry.ts";
import { figureOf } from "./figure.ts";
import { isoOf } from "./ledger.ts";

/** The entries of one pool. */
export interface PoolEntries {
  readonly pool: string;
  readonly entries: readonly Entry[];
}

/** The four lanes, L1 first: what reaches each layer, gets through it, is lost in it. */
export function buildLanes(
  pools: readonly PoolEntries[],
  sources: readonly SourceStatus[],
  waiting: { readonly pods: number; readonly gpus: number },
  owners: readonly OwnerRule[] = [],
): LaneView[] {
  const all = pools.flatMap((pool) => pool.entries);
  return LAYERS.map((layer): LaneView => {
    const sums = sumUp(all, layer);
    const { state, asOf } = feed(layer, sources);
    const { title, what, failsAs } = LAYER_INFO[layer];
    const owner = ownerOf(owners, { layer, pool: [], namespace: undefined })?.team ?? LAYER_INFO[layer].owner;
    return {
      layer,
      title,
      what,
      owner,
      failsAs,
      state,
      asOf: isoOf(asOf),
      reach: sums.through + sums.lost + sums.unknown,
      through: sums.through,
      lost: figureOf(all.filter((entry) => fateOf(entry, layer) === "lost")),
      unknown: sums.unknown,
      waiting: layer === "L3" ? waiting : null,
      pools: pools.map(({ pool, entries }): LanePoolView => ({ pool, ...sumUp(entries, layer) })),
    };
  });
}

function sumUp(entries: readonly Entry[], layer: Layer): { through: number; lost: number; unknown: number } {
  const sums = { through: 0, lost: 0, unknown: 0, below: 0 };
  for (const entry of entries) sums[fateOf(entry, layer)] += entry.gpus;
  return { through: sums.through, lost: sums.lost, unknown: sums.unknown };
}

/** What becomes of an entry's GPUs in a layer; `below`: a lower layer has lost them already. */
function fateOf(entry: Entry, layer: Layer): "through" | "lost" | "below" | "unknown" {
  if (entry.stage === undefined) {
    if (layer === "L1" || (layer === "L2" && entry.schedulable === true)) return "through";
    return "unknown";
  }
  if (entry.stage === "working") return "through";
  const own = LAYERS.indexOf(stageInfo(entry.stage).layer);
  const here = LAYERS.indexOf(layer);
  return own > here ? "through" : own === here ? "lost" : "below";
}

const WORST: readonly SourceState[] = [
  "live",
  "not-configured",
  "loading",
  "stale",
  "absent",
  "forbidden",
  "unreachable",
];

/** The worst state among the sources that a lane is drawn from, and the oldest age of their data. */
function feed(
  layer: Layer,
  sources: readonly SourceStatus[],
): { state: SourceState; asOf: number | undefined } {
  const reservations = sources.filter((s) => s.kind === "reservations" && s.state !== "not-configured");
  const nodes = sources.filter((s) => s.id === "kubernetes/nodes");
  const pods = sources.filter((s) => s.id === "kubernetes/pods");
  const own = {
    L1: reservations.length > 0 ? reservations : nodes,
    L2: nodes,
    L3: [...nodes, ...pods],
    L4: pods,
  }[layer];
  const state = own.map((s) => s.state).sort((a, b) => WORST.indexOf(b) - WORST.indexOf(a))[0] ?? "live";
  const times = own.flatMap((s) => (s.asOf === undefined ? [] : [s.asOf]));
  return { state, asOf: times.length === 0 ? undefined : Math.min(...times) };
}
