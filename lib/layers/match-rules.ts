import type { NodeRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import {
  canBeReserved,
  capacityTypeOf,
  instanceTypeOf,
  type NamedReservation,
  namedReservation,
  zoneOf,
} from "./node-labels.ts";
import type { PoolReservations } from "./pool-reservations.ts";
import { isCloud, type ProviderId, parseProviderId } from "./provider-id.ts";
import { isSameZone } from "./zone.ts";

/**
 * How a node was joined to its reservation. `label`: the node names it. `machine`: its provider lists the machine.
 * `node-pool`: the node's pool launches into it. `selector`: the user's word. `inferred`: same instance type and zone.
 */
export type MatchRule = "label" | "machine" | "node-pool" | "selector" | "inferred";

/** What the rules look at in a node, read once for all reservations. */
export interface Machine {
  readonly node: NodeRecord;
  readonly id: ProviderId | undefined;
  readonly named: NamedReservation | undefined;
  /** In lower case. */
  readonly instanceType: string | undefined;
  readonly zone: string | undefined;
  readonly capacityType: ReturnType<typeof capacityTypeOf>;
  readonly canBeReserved: boolean;
  readonly poolReservations: ReadonlySet<string>;
}

/** What the rules look at in a reservation, read once for all nodes. */
export interface Slots {
  readonly record: Reservation;
  /** Id and instance type in lower case. */
  readonly id: string;
  readonly instanceType: string;
  readonly machines: ReadonlySet<string>;
}

export function machineOf(node: NodeRecord, poolReservations?: PoolReservations): Machine {
  return {
    node,
    id: parseProviderId(node.providerId),
    named: namedReservation(node),
    instanceType: instanceTypeOf(node)?.toLowerCase(),
    zone: zoneOf(node),
    capacityType: capacityTypeOf(node),
    canBeReserved: canBeReserved(node),
    poolReservations: poolReservations?.(node) ?? new Set(),
  };
}

export function slotsOf(record: Reservation): Slots {
  const machines = new Set(record.machines);
  return { record, id: record.id.toLowerCase(), instanceType: record.instanceType.toLowerCase(), machines };
}

/** One test a rule: whether the node belongs to the reservation by it. */
export const MATCH_TESTS: Readonly<Record<MatchRule, (machine: Machine, slots: Slots) => boolean>> = {
  label: isNamed,
  machine: isListed,
  "node-pool": (machine, slots) =>
    machine.poolReservations.has(slots.id) && machine.capacityType !== "on-demand" && isAlike(machine, slots),
  selector: isSelected,
  inferred: isOpen,
};

function isNamed({ named, zone: ofNode }: Machine, { id, record }: Slots): boolean {
  if (!named) return false;
  const { name, account, zone } = record;
  const label = named.name.toLowerCase();
  // OCI's label carries what follows the last dot of the id.
  if (id === label || id.endsWith(`.${label}`)) return true;
  if (name.toLowerCase() !== label) return false;
  if (named.project === undefined) return true;
  const isProject = account === undefined || account === named.project;
  return isProject && (zone === undefined || isSameZone(zone, ofNode));
}

function isListed({ id }: Machine, { machines, record }: Slots): boolean {
  if (!id || machines.size === 0 || isOtherCloud(id, record)) return false;
  return id.machines.some((machine) => machines.has(machine));
}

function isSelected({ node }: Machine, { record: { selector } }: Slots): boolean {
  if (!selector) return false;
  const labels = Object.entries(selector.matchLabels);
  if (labels.length === 0 && selector.providerIdPrefix === undefined) return false;
  if (selector.providerIdPrefix !== undefined && !node.providerId?.startsWith(selector.providerIdPrefix))
    return false;
  return labels.every(([key, value]) => node.labels[key] === value);
}

/**
 * Open matching: same instance type and, where the reservation has one, zone. A reservation that has to be named is
 * inferred only where its provider says that machines run in it, or the node that it is reserved.
 */
function isOpen(machine: Machine, slots: Slots): boolean {
  const { matching, selector, used } = slots.record;
  if (selector !== undefined || machine.named !== undefined || !machine.canBeReserved) return false;
  const isSaid = used !== undefined || machine.capacityType === "reserved";
  return (matching !== "targeted" || isSaid) && isAlike(machine, slots);
}

/** Whether the node is a machine that the reservation's slots are for: same cloud, type and zone. */
export function isAlike({ id, instanceType, zone }: Machine, slots: Slots): boolean {
  if (instanceType !== slots.instanceType || isOtherCloud(id, slots.record)) return false;
  return slots.record.zone === undefined || isSameZone(slots.record.zone, zone);
}

function isOtherCloud(id: ProviderId | undefined, { provider }: Reservation): boolean {
  return id !== undefined && id.provider !== provider && isCloud(id.provider) && isCloud(provider);
}
