import { shortModel } from "../model/instance-types.ts";
import type { NodeRecord } from "../model/kubernetes.ts";
import type { PriceRule } from "../model/prices.ts";
import type { Reservation } from "../model/reservation.ts";
import type { FleetNode, Pool, PoolMember, PoolReservation, SlotUse } from "./fleet.ts";
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
  const reserved = parts.reservations.map((reservation) =>
    reservationPool(reservation, members.get(reservationKey(reservation).id) ?? [], parts),
  );
  const others = [...members.values()].flatMap((list) => {
    const [first] = list;
    return first && !parts.matching.ofNode.has(first.record.name)
      ? [nodePool(first, list, parts.prices)]
      : [];
  });
  return [...reserved, ...others];
}

function reservationPool(record: Reservation, nodes: readonly FleetNode[], parts: PoolParts): Pool {
  const { matching, now, nodesKnown } = parts;
  const standing = reservationStanding(record, now);
  const { billed } = standing;
  const paidSlots = billed === undefined ? undefined : billed ? record.count : 0;
  const rules = nodes.map((node) => matching.ofNode.get(node.record.name)?.rule);
  const machines = nodes.map((node, index): PoolMember => {
    return { kind: "node", node, gpus: record.gpusPerInstance, rate: record.rate, matchedBy: rules[index] };
  });
  const empty = Math.max(0, (paidSlots ?? 0) - nodes.length);
  const elsewhere = nodesKnown ? Math.max(0, (record.used ?? 0) - nodes.length) : 0;
  const slots = Array.from({ length: empty }, (_, index): PoolMember => {
    const use = slotUse(index, { broken: record.broken, elsewhere }, standing);
    const { gpusPerInstance: gpus, rate } = record;
    return { kind: "slot", index: nodes.length + index, gpus, rate, use };
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
    members: [...machines, ...slots],
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

function nodePool(first: FleetNode, nodes: readonly FleetNode[], prices: readonly PriceRule[]): Pool {
  const models = new Set(nodes.map((node) => node.gpus.model));
  return {
    ...poolKeyOf(first.record, undefined),
    provider: providerOf(first.record),
    gpuModel: models.size === 1 ? first.gpus.model : undefined,
    reservation: undefined,
    members: nodes.map((node): PoolMember => {
      const gpus = node.gpus.physical;
      return { kind: "node", node, gpus, rate: nodeRate(node.record, gpus, prices), matchedBy: undefined };
    }),
  };
}
