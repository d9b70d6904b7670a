import type { Fleet, FleetNode, Pool, PoolReservation } from "../../layers/fleet.ts";
import { acceleratorUnit } from "../../model/accelerators.ts";
import type { NodePoolRecord } from "../../model/facts/karpenter.ts";
import { findInstanceType } from "../../model/instance-types.ts";
import type { Labels, NodeRecord, NodeSelectorRequirement, PodRecord } from "../../model/kubernetes.ts";
import { oncePer } from "../../model/once-per.ts";
import type { Ask } from "../ask.ts";
import { mayLaunch, poolLabel } from "../autoscalers/pool-types.ts";
import { selects } from "../autoscalers/requirements-meet.ts";
import { labelsOfType } from "../autoscalers/type-labels.ts";
import { meetsModel } from "./model-asked.ts";
import { labelOf, type Selectable, selectionMismatch } from "./node-selection.ts";
import { untoleratedTaints } from "./taints.ts";
import { vendorOf } from "./vendor.ts";

/** A reservation whose instances would hold a pod as it is written. */
export interface SlotFit {
  readonly pool: Pool;
  readonly reservation: PoolReservation;
  /** Paid slots without a machine that could be launched now. */
  readonly free: number;
  /** Paid slots that the provider reports as not usable. */
  readonly broken: number;
  /** Paid slots in use by machines of no watched cluster. */
  readonly elsewhere: number;
  /** False where the pod looks at labels that nobody knows of a machine before it is launched. */
  readonly sure: boolean;
}

/** Reservations, whatever their state, one of whose instances would hold the pod. */
export function slotFits(pod: PodRecord, ask: Ask, { pools, facts }: Fleet): SlotFit[] {
  return pools.flatMap((pool) => {
    const { reservation } = pool;
    if (!reservation || !isBigEnough(ask, reservation)) return [];
    const sibling = pool.members.find((member) => member.kind === "node");
    const fits = sibling
      ? fitsLike(pod, ask, sibling.node)
      : fitsUnseen(pod, reservation, facts.nodePools.items);
    if (!fits) return [];
    const slots = pool.members.filter((member) => member.kind === "slot");
    return [
      {
        pool,
        reservation,
        free: slots.filter(({ use }) => use === "free").length,
        broken: slots.filter(({ use }) => use === "broken" || use === "not-consumable").length,
        elsewhere: slots.filter(({ use }) => use === "elsewhere").length,
        sure: fits === "sure",
      },
    ];
  });
}

/** Whole devices only: how a machine will be partitioned is not known before it is launched. */
function isBigEnough(ask: Ask, { record }: PoolReservation): boolean {
  const vendor = vendorOf(record.gpuModel ?? "") ?? vendorOf(record.instanceType);
  return ask.accelerators.every(
    ([resource, units]) =>
      (acceleratorUnit(resource)?.kind ?? "device") === "device" &&
      units <= record.gpusPerInstance &&
      (vendor === undefined || resource.startsWith(`${vendor}/`)),
  );
}

/** A further machine of a pool is like those that it has, but for its own name. */
function fitsLike(pod: PodRecord, ask: Ask, { record }: FleetNode): "sure" | undefined {
  const { "kubernetes.io/hostname": _, ...labels } = record.labels;
  const template: NodeRecord = { ...record, name: "", labels };
  if (selectionMismatch(pod, template) !== undefined) return undefined;
  if (untoleratedTaints(pod, record).dedicated) return undefined;
  const { allocatable } = record;
  const holds = ask.others.every(([resource, amount]) => {
    const has = allocatable?.[resource];
    return has === undefined || has >= amount;
  });
  return holds ? "sure" : undefined;
}

/** Nobody has seen a machine of this reservation: what its record says has to match, the rest is open. */
function fitsUnseen(
  pod: PodRecord,
  reservation: PoolReservation,
  nodePools: readonly NodePoolRecord[],
): "sure" | "likely" | undefined {
  const { record } = reservation;
  const ofMachine = machineLabels(reservation);
  let guessed = false;
  const unlisted = (requirement: NodeSelectorRequirement): boolean => {
    if (requirement.key === "kubernetes.io/hostname") return false;
    const model = record.gpuModel === undefined ? undefined : meetsModel(requirement, record.gpuModel);
    if (model !== undefined) return model;
    const value = labelOf(ofMachine, requirement.key);
    if (value !== undefined && !selects(requirement, value)) return false;
    if (!isOfSomePool(requirement, ofMachine, nodePools)) return false;
    guessed = true;
    return true;
  };
  const node: Selectable = {
    name: "",
    labels: { ...record.selector?.matchLabels, ...ownLabels(record) },
    unlisted,
  };
  if (selectionMismatch(pod, node) !== undefined) return undefined;
  return guessed ? "likely" : "sure";
}

/** Labels that every machine of it has, whoever launches it. */
function ownLabels({ instanceType, zone }: PoolReservation["record"]): Labels {
  return {
    "node.kubernetes.io/instance-type": instanceType,
    "beta.kubernetes.io/instance-type": instanceType,
    ...(zone === undefined ? {} : { "topology.kubernetes.io/zone": zone }),
  };
}

/** Labels that a machine of it has where Karpenter launches it, as far as its instance type tells them. */
const machineLabels = oncePer(({ record }: PoolReservation): Labels => {
  const type = findInstanceType(record.instanceType);
  return { ...(type && labelsOfType(type)), ...ownLabels(record) };
});

/** False where the pod selects pools of Karpenter by name, and none of those that are known may launch such a machine. */
function isOfSomePool(
  { key, operator, values }: NodeSelectorRequirement,
  ofMachine: Labels,
  nodePools: readonly NodePoolRecord[],
): boolean {
  if (operator !== "In") return true;
  const selected = nodePools.filter((pool) => poolLabel(pool) === key && values.includes(pool.name));
  return selected.length === 0 || selected.some((pool) => mayLaunch(pool, ofMachine));
}
