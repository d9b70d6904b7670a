import type { FleetNode } from "../../layers/fleet.ts";
import { acceleratorUnit } from "../../model/accelerators.ts";
import type { PodRecord, Resources, Taint } from "../../model/kubernetes.ts";
import type { Ask } from "../ask.ts";
import type { NodeFacts } from "./node-facts.ts";
import type { ReachOf } from "./reach.ts";
import { taintInWords } from "./taints.ts";

/** How one pod, as it is written, stands to one node that has, or ought to have, accelerators of the kind asked for. */
export interface NodeFit {
  readonly facts: NodeFacts;
  /** Why it could never run here, even were the node empty and whole; none: the node is a candidate. */
  readonly mismatches: readonly Mismatch[];
  /** What the node's owner has to mend before the pod can use it. */
  readonly loss: Loss | undefined;
  /** What is missing now, on what the node offers now. Accelerators first; empty for a mismatch. */
  readonly shortages: readonly Shortage[];
  /** What would still be missing with the loss mended. */
  readonly shortagesMended: readonly Shortage[];
  /** Units of the first accelerator asked for. */
  readonly units: Units;
}

/** One thing for which a node can never run a pod as it is written. */
export interface Mismatch {
  readonly kind: "selection" | "taint" | "accelerator" | "size" | "told";
  /** The resource that is too small or absent, for `accelerator` and `size`. */
  readonly resource: string | undefined;
  /** selection: the requirement. taint: the taint. told: what is said of it. Others: what the node has at most, as a number. */
  readonly what: string;
}

/** What L2 takes away from a pod on one node. */
export interface Loss {
  readonly reason: "NodeNotReady" | "NodeCordoned" | "GpuNotAdvertised" | "GpuUnhealthy";
  /** By which taint or `unschedulable`, for NodeCordoned. */
  readonly by: string | undefined;
  readonly since: number | undefined;
}

/** Too little of one resource; `accelerator`: one of those asked for. Amounts as `Resources` counts them. */
export interface Shortage {
  readonly resource: string;
  readonly asks: number;
  readonly free: number;
  readonly accelerator: boolean;
}

/** A node's accelerators as one pod sees them. */
export interface Units {
  /** Free now, on what the node offers. */
  readonly free: number;
  /** Free with the loss mended. */
  readonly mended: number;
  /** What the machine should offer when whole. */
  readonly whole: number;
  /** True where only a label says that it has any: `whole` is then what the pod asks for. */
  readonly guessed: boolean;
}

/** True where the node takes new pods at all, whatever its devices do. */
export function isOpen({ loss }: NodeFit): boolean {
  return loss?.reason !== "NodeNotReady" && loss?.reason !== "NodeCordoned";
}

/** undefined for a node that neither has nor ought to have accelerators of the kind asked for. */
export function fitOf(pod: PodRecord, ask: Ask, facts: NodeFacts, reachOf: ReachOf): NodeFit | undefined {
  const { node } = facts;
  const wholes = ask.accelerators.map(([resource, units]) => wholeUnits(resource, units, facts));
  if (!wholes.some((whole) => whole.units > 0) && !isSameVendor(ask, facts)) return undefined;

  const nominated = nominatedRequests(pod, node);
  const { selection, taints } = reachOf(node);
  const mismatches = mismatchesOf(selection, ask, node, wholes, taints.dedicated);
  const units = unitsOf(ask, facts, wholes, nominated);
  if (mismatches.length > 0) {
    return { facts, mismatches, loss: undefined, shortages: [], shortagesMended: [], units };
  }
  const loss = lossOf(ask, node, wholes, taints.lifecycle);
  const others = shortOf(ask.others, (resource) => freeOther(resource, node, nominated), false);
  const now = shortOf(ask.accelerators, (resource) => freeNow(resource, node, nominated), true);
  const mended = shortOf(ask.accelerators, (resource, i) => freeMended(resource, wholes[i], facts), true);
  const shortages = [...now, ...others];
  return {
    facts,
    mismatches,
    loss,
    shortages,
    shortagesMended: loss ? [...mended, ...others] : shortages,
    units,
  };
}

interface Whole {
  readonly units: number;
  readonly guessed: boolean;
}

/** Units of `resource` that the machine should offer: what it advertises, or what its devices come to. */
function wholeUnits(resource: string, asked: number, { node, advertises, vendor, hint }: NodeFacts): Whole {
  const advertised = node.record.capacity?.[resource] ?? 0;
  const kind = acceleratorUnit(resource)?.kind ?? "device";
  const perDevice = node.gpus.unitsPerDevice[resource];
  if (advertised > 0) {
    const physical = kind === "mig" ? 0 : Math.round(node.gpus.physical * (perDevice ?? 1));
    return { units: Math.max(advertised, physical), guessed: false };
  }
  const none = { units: 0, guessed: false };
  if (kind === "mig" && isToBePartitioned(resource, node.record.labels))
    return { units: asked, guessed: true };
  // A node that advertises its devices under another name is partitioned or shared: not broken.
  if (advertises.length > 0 || (vendor !== undefined && !resource.startsWith(`${vendor}/`))) return none;
  if (kind === "mig") {
    const partitioned = Object.keys(node.record.labels).some((key) => key.startsWith("nvidia.com/mig"));
    return node.gpus.physical > 0 && partitioned ? { units: asked, guessed: true } : none;
  }
  if (node.gpus.physical > 0) {
    return { units: Math.round(node.gpus.physical * (perDevice ?? 1)), guessed: false };
  }
  return hint === undefined || vendor === undefined ? none : { units: asked, guessed: true };
}

/**
 * Its owner wants such parts there, and the GPU Operator's MIG manager has not made them, or could not.
 * https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html
 */
function isToBePartitioned(resource: string, labels: NodeFacts["node"]["record"]["labels"]): boolean {
  const layout = labels["nvidia.com/mig.config"] ?? "";
  const state = labels["nvidia.com/mig.config.state"] ?? "";
  const profile = resource.split("/mig-")[1] ?? resource;
  if (!/^(failed|pending|rebooting)$/.test(state) || /^$|disabled/.test(layout)) return false;
  // The layouts that come with it are named after their one profile; others may have any.
  return !/^all-\d/.test(layout) || layout.endsWith(`-${profile}`);
}

function isSameVendor(ask: Ask, facts: NodeFacts): boolean {
  return facts.advertises.some((has) =>
    ask.accelerators.some(([resource]) => resource.split("/")[0] === has.split("/")[0]),
  );
}

function mismatchesOf(
  selection: string | undefined,
  ask: Ask,
  node: FleetNode,
  wholes: readonly Whole[],
  dedicated: Taint | undefined,
): Mismatch[] {
  const mismatches: Mismatch[] = [];
  if (selection) mismatches.push({ kind: "selection", resource: undefined, what: selection });
  if (dedicated) mismatches.push({ kind: "taint", resource: undefined, what: taintInWords(dedicated) });
  ask.accelerators.forEach(([resource, units], index) => {
    const whole = wholes[index]?.units ?? 0;
    if (whole < units) {
      mismatches.push({ kind: whole === 0 ? "accelerator" : "size", resource, what: String(whole) });
    }
  });
  const { allocatable } = node.record;
  if (allocatable) {
    for (const [resource, amount] of ask.others) {
      // A kubelet that says nothing of a resource sets no limit on the built-in ones.
      const has = allocatable[resource] ?? (resource.includes("/") ? 0 : amount);
      if (has < amount) mismatches.push({ kind: "size", resource, what: String(has) });
    }
  }
  return mismatches;
}

function lossOf(
  ask: Ask,
  node: FleetNode,
  wholes: readonly Whole[],
  lifecycle: { readonly key: string; readonly timeAdded: number | undefined } | undefined,
): Loss | undefined {
  if (!node.readiness.ready) return { reason: "NodeNotReady", by: undefined, since: node.readiness.since };
  if (lifecycle) {
    const by = lifecycle.key === "node.kubernetes.io/unschedulable" ? "unschedulable" : lifecycle.key;
    return { reason: "NodeCordoned", by, since: lifecycle.timeAdded ?? node.blocked?.since };
  }
  if (node.record.deletedAt !== undefined) {
    return { reason: "NodeCordoned", by: "deletion", since: node.record.deletedAt };
  }
  const capacity = (resource: string) => node.record.capacity?.[resource] ?? 0;
  if (ask.accelerators.some(([resource], i) => capacity(resource) < (wholes[i]?.units ?? 0))) {
    return { reason: "GpuNotAdvertised", by: undefined, since: undefined };
  }
  const allocatable = (resource: string) => node.record.allocatable?.[resource] ?? 0;
  if (ask.accelerators.some(([resource]) => allocatable(resource) < capacity(resource))) {
    return { reason: "GpuUnhealthy", by: undefined, since: undefined };
  }
  return undefined;
}

function shortOf(
  asked: readonly (readonly [string, number])[],
  freeOf: (resource: string, index: number) => number,
  accelerator: boolean,
): Shortage[] {
  return asked.flatMap(([resource, asks], index) => {
    const free = freeOf(resource, index);
    return free < asks ? [{ resource, asks, free, accelerator }] : [];
  });
}

function freeNow(resource: string, node: FleetNode, nominated: Resources): number {
  return Math.max(0, (node.free[resource] ?? 0) - (nominated[resource] ?? 0));
}

function freeOther(resource: string, node: FleetNode, nominated: Resources): number {
  const known = node.record.allocatable && resource in node.record.allocatable;
  return known ? freeNow(resource, node, nominated) : Number.POSITIVE_INFINITY;
}

function freeMended(resource: string, whole: Whole | undefined, facts: NodeFacts): number {
  return Math.max(0, (whole?.units ?? 0) - (facts.held[resource] ?? 0));
}

function unitsOf(ask: Ask, facts: NodeFacts, wholes: readonly Whole[], nominated: Resources): Units {
  const resource = ask.accelerators[0]?.[0] ?? "";
  const whole = wholes[0];
  return {
    free: freeNow(resource, facts.node, nominated),
    mended: freeMended(resource, whole, facts),
    whole: whole?.units ?? 0,
    guessed: whole?.guessed ?? false,
  };
}

const NOTHING: Resources = {};

/**
 * Pods nominated to run on the node for which room is kept from this pod: those of its priority or more.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#user-exposed-information
 */
export function nominatedBefore(pod: PodRecord, node: FleetNode): readonly PodRecord[] {
  return node.nominated.filter((one) => one.uid !== pod.uid && one.priority >= pod.priority);
}

function nominatedRequests(pod: PodRecord, node: FleetNode): Resources {
  const others = nominatedBefore(pod, node);
  if (others.length === 0) return NOTHING;
  const sum: Record<string, number> = {};
  for (const other of others) {
    for (const [resource, amount] of Object.entries(other.requests)) {
      sum[resource] = (sum[resource] ?? 0) + amount;
    }
  }
  return sum;
}
