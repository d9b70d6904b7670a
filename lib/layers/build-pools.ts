import { shortModel } from "../model/instance-types.ts";
import type { NodeRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import type { FleetNode, Pool, PoolMember, PoolReservation } from "./fleet.ts";
import type { Match } from "./match-reservations.ts";
import { instanceTypeOf, nodePoolOf, providerOf } from "./node-labels.ts";
import { listRate } from "./rate.ts";
import { reservationState } from "./reservation-state.ts";

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

/** Every reservation is a pool, with nodes or without; nodes with accelerators on none make pools of their own. */
export function buildPools(
  nodes: ReadonlyMap<string, FleetNode>,
  reservations: readonly Reservation[],
  matches: ReadonlyMap<string, Match>,
  now: number,
  nodesKnown: boolean,
): Pool[] {
  const members = new Map<string, FleetNode[]>();
  for (const node of nodes.values()) {
    if (node.poolId === undefined) continue;
    const list = members.get(node.poolId);
    if (list) list.push(node);
    else members.set(node.poolId, [node]);
  }
  const reserved = reservations.map((reservation) => {
    const key = reservationKey(reservation);
    return reservationPool(reservation, members.get(key.id) ?? [], matches, now, nodesKnown);
  });
  const others = [...members.values()].flatMap((list) => {
    const [first] = list;
    return first && !matches.has(first.record.name) ? [nodePool(first, list)] : [];
  });
  return [...reserved, ...others];
}

function reservationPool(
  record: Reservation,
  nodes: readonly FleetNode[],
  matches: ReadonlyMap<string, Match>,
  now: number,
  nodesKnown: boolean,
): Pool {
  const state = reservationState(record, now);
  const paidSlots = state === "unknown" ? undefined : state === "active" ? record.count : 0;
  const rules = nodes.map((node) => matches.get(node.record.name)?.rule);
  const machines = nodes.map((node, index): PoolMember => {
    return { kind: "node", node, gpus: record.gpusPerInstance, rate: record.rate, matchedBy: rules[index] };
  });
  const empty = Math.max(0, (paidSlots ?? 0) - nodes.length);
  const elsewhere = nodesKnown ? Math.max(0, (record.used ?? 0) - nodes.length) : 0;
  const slots = Array.from({ length: empty }, (_, index): PoolMember => {
    const broken = index < record.broken;
    return {
      kind: "slot",
      index: nodes.length + index,
      gpus: record.gpusPerInstance,
      rate: record.rate,
      broken,
      elsewhere: !broken && index < record.broken + elsewhere,
    };
  });
  const reservation: PoolReservation = {
    record,
    state,
    paidSlots,
    matchedBy: [...new Set(rules.filter((rule) => rule !== undefined))].sort(),
  };
  return {
    ...reservationKey(record),
    provider: record.provider,
    gpuModel: record.gpuModel === undefined ? nodes[0]?.gpus.model : shortModel(record.gpuModel),
    reservation,
    members: [...machines, ...slots],
  };
}

function nodePool(first: FleetNode, nodes: readonly FleetNode[]): Pool {
  const models = new Set(nodes.map((node) => node.gpus.model));
  return {
    ...poolKeyOf(first.record, undefined),
    provider: providerOf(first.record),
    gpuModel: models.size === 1 ? first.gpus.model : undefined,
    reservation: undefined,
    members: nodes.map((node): PoolMember => {
      const gpus = node.gpus.physical;
      return { kind: "node", node, gpus, rate: listRate(node.record, gpus), matchedBy: undefined };
    }),
  };
}
