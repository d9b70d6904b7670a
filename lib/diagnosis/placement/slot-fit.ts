import type { FleetNode, Pool, PoolReservation } from "../../layers/fleet.ts";
import { acceleratorUnit } from "../../model/accelerators.ts";
import type { NodeRecord, NodeSelectorRequirement, PodRecord } from "../../model/kubernetes.ts";
import type { Ask } from "../ask.ts";
import { meetsModel } from "./model-asked.ts";
import { type Selectable, selectionMismatch } from "./node-selection.ts";
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
export function slotFits(pod: PodRecord, ask: Ask, pools: readonly Pool[]): SlotFit[] {
  return pools.flatMap((pool) => {
    const { reservation } = pool;
    if (!reservation || !isBigEnough(ask, reservation)) return [];
    const sibling = pool.members.find((member) => member.kind === "node");
    const fits = sibling ? fitsLike(pod, ask, sibling.node) : fitsUnseen(pod, reservation);
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
function fitsUnseen(pod: PodRecord, { record }: PoolReservation): "sure" | "likely" | undefined {
  let guessed = false;
  const unlisted = (requirement: NodeSelectorRequirement): boolean => {
    if (requirement.key === "kubernetes.io/hostname") return false;
    const model = record.gpuModel === undefined ? undefined : meetsModel(requirement, record.gpuModel);
    if (model !== undefined) return model;
    guessed = true;
    return true;
  };
  const node: Selectable = {
    name: "",
    labels: {
      ...record.selector?.matchLabels,
      "node.kubernetes.io/instance-type": record.instanceType,
      "beta.kubernetes.io/instance-type": record.instanceType,
      ...(record.zone === undefined ? {} : { "topology.kubernetes.io/zone": record.zone }),
    },
    unlisted,
  };
  if (selectionMismatch(pod, node) !== undefined) return undefined;
  return guessed ? "likely" : "sure";
}
