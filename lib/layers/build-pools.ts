import { shortModel } from "../model/instance-types.ts";
import type { NodeRecord } from "../model/kubernetes.ts";
import type { PriceRule } from "../model/prices.ts";
import type { Reservation } from "../model/reservation.ts";
import type { FleetNode, Pool, PoolMember, PoolReservation, SlotUse } from "./fleet.ts";
import type { LaunchedMachine } from "./launched-machines.ts";
import type { Match, Matching } from "./match-reservations.ts";
import { instanceTypeOf, nodePoolOf, providerOf } from "./node-labels.ts";
import { nodeRate } from "./rate.ts";
import { type ReservationStanding, reservationStanding } from "./reservation-state.ts";

/** Which column a node stands in: its reservation, else its node pool, else its instance type. */
export function poolKeyOf(node: NodeRecord, match: Match | undefined): Pick<Pool, "id" | "name" | "kind"> {
  if (match) return reservationKey(match.reservation);
  const nodePool = nodePoolOf(node);
  if (nodePool !== undefined) return { id: `node-pool/${nodePool}`, name: nodePool, kind: "node-pool" };
  const type = instanceTypeOf(node) ?? "unknown";
  return { id: `instance-type/${type}`, name: type, kind: "instance-type" };
}

function reservationKey(reservation: Reservation): Pick<Pool, "id" | "name" | "kind"> {
  return { id: `reservation/${reservation.id}`, name: reservation.name, kind: "reservation" };
}

/** What pools are made of besides nodes. */
export interface PoolParts {
  readonly reservations: readonly Reservation[];
  readonly matching: Matching;
  /** Machines that are no nodes yet. */
  readonly launched: readonly LaunchedMachine[];
  readonly prices: readonly PriceRule[];
  readonly now: number;
  readonly nodesKnown: boolean;
}

/** Every reservation is a pool, with nodes or without; nodes with accelerators on none make pools of their own. */
export function buildPools(nodes: ReadonlyMap<string, FleetNode>, parts: PoolParts): Pool[] {
  const members = new Map<string, FleetNode[]>();
  for (const node of nodes.values()) {
    if (node.poolId === undefined) continue;
    const list = members.get(node.poolId);
    if (list) list.push(node);
    else members.set(node.poolId, [node]);
  }
  const { ofNode } = parts.matching;
  const launched = Map.groupBy(parts.launched, ({ node }) => poolKeyOf(node, ofNode.get(node.name)).id);
  const reserved = parts.reservations.map((reservation) => {
    const { id } = reservationKey(reservation);
    return reservationPool(reservation, members.get(id) ?? [], launched.get(id) ?? [], parts);
  });
  const ids = new Set(reserved.map(({ id }) => id));
  const others = [...new Set([...members.keys(), ...launched.keys()])]
    .filter((id) => !ids.has(id))
    .flatMap((id) => nodePool(members.get(id) ?? [], launched.get(id) ?? [], parts.prices) ?? []);
  return [...reserved, ...others];
}

function reservationPool(
  record: Reservation,
  nodes: readonly FleetNode[],
  launched: readonly LaunchedMachine[],
  parts: PoolParts,
): Pool {
  const { matching, now, nodesKnown } = parts;
  const standing = reservationStanding(record, now);
  const { billed } = standing;
  const paidSlots = billed === undefined ? undefined : billed ? record.count : 0;
  const rules = nodes.map((node) => matching.ofNode.get(node.record.name)?.rule);
  const machines = nodes.map((node, index): PoolMember => {
    return { kind: "node", node, gpus: record.gpusPerInstance, rate: record.rate, matchedBy: rules[index] };
  });
  const taken = nodes.length + launched.length;
  const empty = Math.max(0, (paidSlots ?? 0) - taken);
  const elsewhere = nodesKnown ? Math.max(0, (record.used ?? 0) - taken) : 0;
  const { gpusPerInstance: gpus, rate } = record;
  const unregistered = launched.map((machine, index): PoolMember => {
    return { kind: "slot", index: nodes.length + index, gpus, rate, use: "unregistered", machine };
  });
  const slots = Array.from({ length: empty }, (_, index): PoolMember => {
    const use = slotUse(index, { broken: record.broken, elsewhere }, standing);
    return { kind: "slot", index: taken + index, gpus, rate, use };
  });
  const reservation: PoolReservation = {
    ...standing,
    record,
    paidSlots,
    matchedBy: [...new Set(rules.filter((rule) => rule !== undefined))].sort(),
    excess: matching.excess.get(record.id) ?? [],
  };
  return {
    ...reservationKey(record),
    provider: record.provider,
    gpuModel: record.gpuModel === undefined ? nodes[0]?.gpus.model : shortModel(record.gpuModel),
    reservation,
    members: [...machines, ...unregistered, ...slots],
  };
}

/** Slots are alike: the first empty ones stand for those of which the provider says something. */
function slotUse(
  index: number,
  counts: { readonly broken: number; readonly elsewhere: number },
  { launchable, ending }: ReservationStanding,
): SlotUse {
  if (index < counts.broken) return "broken";
  if (index < counts.broken + counts.elsewhere) return "elsewhere";
  if (launchable === false) return "not-consumable";
  return ending ? "ending" : "free";
}

function nodePool(
  nodes: readonly FleetNode[],
  launched: readonly LaunchedMachine[],
  prices: readonly PriceRule[],
): Pool | undefined {
  const first = nodes[0]?.record ?? launched[0]?.node;
  if (!first) return undefined;
  const models = new Set([
    ...nodes.map(({ gpus }) => gpus.model),
    ...launched.map(({ gpuModel }) => gpuModel),
  ]);
  const [model] = models;
  const machines = nodes.map((node): PoolMember => {
    const gpus = node.gpus.physical;
    return { kind: "node", node, gpus, rate: nodeRate(node.record, gpus, prices), matchedBy: undefined };
  });
  const unregistered = launched.map((machine, index): PoolMember => {
    const { node, gpus } = machine;
    const rate = nodeRate(node, gpus, prices);
    return { kind: "slot", index: nodes.length + index, gpus, rate, use: "unregistered", machine };
  });
  return {
    ...poolKeyOf(first, undefined),
    provider: providerOf(first),
    gpuModel: models.size === 1 ? model : undefined,
    reservation: undefined,
    members: [...machines, ...unregistered],
  };
}
