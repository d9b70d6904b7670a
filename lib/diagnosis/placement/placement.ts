import type { Fleet } from "../../layers/fleet.ts";
import { gpuShareOf } from "../../layers/gpu-share.ts";
import type { ConsideredView } from "../../model/fleet-view.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import type { Ask } from "../ask.ts";
import { type ClassFit, consideredRows } from "./considered.ts";
import { createHoldings, type Holding } from "./holders.ts";
import { classifyNodes } from "./node-classes.ts";
import { factsOfNode, type NodeFacts } from "./node-facts.ts";
import { fitOf, isOpen, type NodeFit } from "./node-fit.ts";
import { createReach } from "./reach.ts";
import { type SlotFit, slotFits } from "./slot-fit.ts";

/** Where pods of one scheduling signature could run, in the whole fleet. */
export interface Placement {
  /** What each of them asks for. */
  readonly ask: Ask;
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
  /** No node that takes new pods has the accelerators free, and there are such nodes. */
  readonly isShortOfDevices: boolean;
  readonly considered: readonly ConsideredView[];
  /** Who holds the accelerators of the open candidates; worked out where it is asked for. */
  holding(): Holding;
}

/**
 * Pods whose placement is the same, by what makes it so, to be worked out once for all of them: replicas of one workload ask the same, and
 * thousands of them may wait.
 */
export function groupAlike(pods: readonly PodRecord[]): ReadonlyMap<string, readonly PodRecord[]> {
  return Map.groupBy(pods, signatureOf);
}

/** Everything by which nodes may tell two pods apart. */
function signatureOf(pod: PodRecord): string {
  // A nominated pod does not stand in its own way.
  const nominated = pod.nominatedNodeName === undefined ? pod.priority : pod.uid;
  const { requests, nodeSelector, nodeAffinity, tolerations } = pod;
  return JSON.stringify([requests, gpuShareOf(pod), nodeSelector, nodeAffinity, tolerations, nominated]);
}

/** The placement of a pod, and of the pods alike, `waiting` in all. */
export type PlacementOf = (pod: PodRecord, ask: Ask, waiting: number) => Placement;

/** Evaluates the fleet's nodes for any of `pods`; what they have in common is worked out once. */
export function createPlacements(fleet: Fleet, pods: readonly PodRecord[]): PlacementOf {
  const extra = fleet.acceleratorNames;
  const nodes = [...fleet.nodes.values()].map((node) => factsOfNode(node, extra));
  const indexes = new Map(nodes.map((facts, index) => [facts, index]));
  const classes = classifyNodes(nodes, pods);
  const reach = createReach();
  const holdingOf = createHoldings(extra);

  return (pod, ask, waiting) => {
    const reachOf = reach(pod);
    const fits = classes.flatMap((alike): ClassFit[] => {
      const fit = alike[0] && fitOf(pod, ask, alike[0], reachOf);
      return fit ? [{ fit, nodes: alike }] : [];
    });
    const suitable = fits.filter(({ fit }) => fit.mismatches.length === 0);
    const offering = eachNode(fits, indexes);
    const candidates = suitable.length === fits.length ? offering : offering.filter(isCandidate);
    const open = candidates.filter(isOpen);
    let holding: Holding | undefined;
    return {
      ask,
      offering,
      candidates,
      open,
      roomy: open.filter((fit) => fit.shortages.length === 0),
      slots: slotFits(pod, ask, fleet),
      pools: poolsByCount(suitable),
      waiting,
      isShortOfDevices: open.length > 0 && open.every(lacksDevices),
      considered: consideredRows(suitable.length > 0 ? suitable : fits),
      holding: () => {
        holding ??= holdingOf(pod, open, ask);
        return holding;
      },
    };
  };
}

const lacksDevices = ({ shortages }: NodeFit): boolean => shortages.some(({ accelerator }) => accelerator);

const isCandidate = ({ mismatches }: NodeFit): boolean => mismatches.length === 0;

/** The fit of each node, in the fleet's order. */
function eachNode(fits: readonly ClassFit[], indexes: ReadonlyMap<NodeFacts, number>): readonly NodeFit[] {
  const each: (NodeFit | undefined)[] = new Array(indexes.size).fill(undefined);
  for (const { fit, nodes } of fits) {
    const { mismatches, loss, shortages, shortagesMended, units } = fit;
    for (const facts of nodes) {
      each[indexes.get(facts) ?? 0] = { facts, mismatches, loss, shortages, shortagesMended, units };
    }
  }
  return each.filter((fit) => fit !== undefined);
}

function poolsByCount(candidates: readonly ClassFit[]): string[] {
  const counts = new Map<string, number>();
  for (const { fit, nodes } of candidates) {
    const id = fit.facts.node.poolId;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + nodes.length);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([id]) => id);
}
