import type { Fleet } from "../layers/fleet.ts";
import { gpuShareOf } from "../layers/gpu-share.ts";
import type { ConsideredView } from "../model/fleet-view.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import type { Ask } from "./ask.ts";
import { consideredRows } from "./considered.ts";
import { groupBy } from "./group-by.ts";
import { type Holding, holdingOf } from "./holders.ts";
import type { NodeFacts } from "./node-facts.ts";
import { fitOf, isOpen, type NodeFit } from "./node-fit.ts";
import type { ReachOf } from "./reach.ts";
import { type SlotFit, slotFits } from "./slot-fit.ts";

/** Where pods of one scheduling signature could run, in the whole fleet. */
export interface Placement {
  /** Nodes that have, or ought to have, accelerators of the kind asked for. */
  readonly offering: readonly NodeFit[];
  /** Those that could run it as it is written, were they empty and whole. */
  readonly candidates: readonly NodeFit[];
  /** Candidates that take new pods now. */
  readonly open: readonly NodeFit[];
  /** Open candidates with room for it now. */
  readonly roomy: readonly NodeFit[];
  /** Reservations whose slots would hold it, whatever their state. */
  readonly slots: readonly SlotFit[];
  /** Ids of the candidates' pools, most candidates first. */
  readonly pools: readonly string[];
  /** Unplaced pods of this signature, this one included. */
  readonly waiting: number;
  readonly considered: readonly ConsideredView[];
  /** Who holds the accelerators of the open candidates; worked out where it is asked for. */
  holding(): Holding;
}

/**
 * Pods whose placement is the same, by what makes it so, to be worked out once for all of them: replicas of one workload ask the same, and
 * thousands of them may wait.
 */
export function groupAlike(pods: readonly PodRecord[]): ReadonlyMap<string, readonly PodRecord[]> {
  return groupBy(pods, signatureOf);
}

/** Everything by which nodes may tell two pods apart. */
function signatureOf(pod: PodRecord): string {
  // A nominated pod does not stand in its own way.
  const nominated = pod.nominatedNodeName === undefined ? pod.priority : pod.uid;
  const { requests, nodeSelector, nodeAffinity, tolerations } = pod;
  return JSON.stringify([requests, gpuShareOf(pod), nodeSelector, nodeAffinity, tolerations, nominated]);
}

/** Evaluates every node for `pod` and the pods alike, `waiting` in all. */
export function placementOf(
  pod: PodRecord,
  ask: Ask,
  fleet: Fleet,
  facts: readonly NodeFacts[],
  waiting: number,
  reachOf: ReachOf,
): Placement {
  const offering = facts.flatMap((node) => fitOf(pod, ask, node, reachOf) ?? []);
  const candidates = offering.filter((fit) => fit.mismatches.length === 0);
  const open = candidates.filter(isOpen);
  let holding: Holding | undefined;
  return {
    offering,
    candidates,
    open,
    roomy: open.filter((fit) => fit.shortages.length === 0),
    slots: slotFits(pod, ask, fleet.pools),
    pools: poolsByCount(candidates),
    waiting,
    considered: consideredRows(candidates.length > 0 ? candidates : offering),
    holding: () => {
      holding ??= holdingOf(pod, open, ask, fleet.acceleratorNames);
      return holding;
    },
  };
}

/** No node that takes new pods has the accelerators free. */
export function isShortOfDevices({ open }: Placement): boolean {
  return open.length > 0 && open.every((fit) => fit.shortages.some((shortage) => shortage.accelerator));
}

function poolsByCount(candidates: readonly NodeFit[]): string[] {
  const counts = new Map<string, number>();
  for (const { facts } of candidates) {
    const id = facts.node.poolId;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([id]) => id);
}
