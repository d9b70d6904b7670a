import type { NodeRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import type { Issue } from "../model/snapshot.ts";
import { capacityTypeOf, instanceTypeOf, reservationLabelOf, zoneOf } from "./node-labels.ts";
import { reservationState } from "./reservation-state.ts";

/** Which node runs in which reservation's slot, and by which rule. */
export interface Matching {
  /** Node name -> the slot it takes. */
  readonly ofNode: ReadonlyMap<string, Match>;
  readonly issues: readonly Issue[];
}

export interface Match {
  readonly reservation: Reservation;
  readonly rule: MatchRule;
}

/** `label`: the node names it. `selector`: the user's word. `inferred`: same instance type (and zone). */
export type MatchRule = "label" | "selector" | "inferred";

/** An inference never overrules what the node or the user says. */
const RULES: readonly MatchRule[] = ["label", "selector", "inferred"];

/**
 * Gives every node at most one slot. The best rule that fits decides; among several reservations of one rule the one
 * that ends first, then the lower id, as long as it has a free slot. Machines take slots in the order of their age;
 * those beyond the slots run outside the reservation.
 */
export function matchReservations(
  nodes: readonly NodeRecord[],
  reservations: readonly Reservation[],
  now: number,
): Matching {
  const active = reservations.filter((r) => takesNodes(r, now)).sort(bySoonestEnd);
  const inactive = reservations.filter((r) => !takesNodes(r, now)).sort(bySoonestEnd);
  const free = new Map(reservations.map((r) => [r, r.count]));
  const ofNode = new Map<string, Match>();
  const issues: Issue[] = [];
  for (const node of [...nodes].sort(byAge)) {
    const found = candidates(node, active);
    const chosen = found?.reservations.find((r) => (free.get(r) ?? 0) > 0);
    if (found && chosen) {
      free.set(chosen, (free.get(chosen) ?? 0) - 1);
      ofNode.set(node.name, { reservation: chosen, rule: found.rule });
    }
    const issue = found ? oddMatch(node, found, chosen) : inactiveMatch(node, candidates(node, inactive));
    if (issue) issues.push(issue);
  }
  return { ofNode, issues };
}

/** Slots exist while it is active; where its state is not known its machines still are what they are. */
function takesNodes(reservation: Reservation, now: number): boolean {
  const state = reservationState(reservation, now);
  return state === "active" || state === "unknown";
}

interface Candidates {
  readonly rule: MatchRule;
  readonly reservations: readonly Reservation[];
}

function candidates(node: NodeRecord, reservations: readonly Reservation[]): Candidates | undefined {
  for (const rule of RULES) {
    const matching = reservations.filter((reservation) => fits(node, reservation, rule));
    if (matching.length > 0) return { rule, reservations: matching };
  }
  return undefined;
}

function fits(node: NodeRecord, reservation: Reservation, rule: MatchRule): boolean {
  switch (rule) {
    case "label": {
      const label = reservationLabelOf(node);
      return label !== undefined && (label === reservation.id || label === reservation.name);
    }
    case "selector":
      return reservation.selector !== undefined && selects(reservation.selector, node);
    case "inferred":
      return reservation.selector === undefined && opens(reservation, node);
    default:
      return rule satisfies never;
  }
}

function selects(selector: NonNullable<Reservation["selector"]>, node: NodeRecord): boolean {
  const labels = Object.entries(selector.matchLabels);
  if (labels.length === 0 && selector.providerIdPrefix === undefined) return false;
  if (selector.providerIdPrefix !== undefined && !node.providerId?.startsWith(selector.providerIdPrefix))
    return false;
  return labels.every(([key, value]) => node.labels[key] === value);
}

/** Open matching: same instance type and, where the reservation has one, zone. A spot machine never takes a slot. */
function opens(reservation: Reservation, node: NodeRecord): boolean {
  if (reservationLabelOf(node) !== undefined || capacityTypeOf(node) === "spot") return false;
  if (instanceTypeOf(node) !== reservation.instanceType) return false;
  return reservation.zone === undefined || zoneOf(node) === reservation.zone;
}

function oddMatch(node: NodeRecord, found: Candidates, chosen: Reservation | undefined): Issue | undefined {
  // Further machines of a reserved type are a normal thing to have.
  if (found.rule === "inferred") return undefined;
  if (!chosen) {
    return {
      code: "MoreNodesThanSlots",
      severity: "warning",
      message: `matches ${idsOf(found)} by ${found.rule}, but older nodes have taken every slot: counted outside`,
      object: { kind: "Node", name: node.name },
    };
  }
  if (found.reservations.length === 1) return undefined;
  return {
    code: "NodeMatchesSeveralReservations",
    severity: "warning",
    message: `matches ${idsOf(found)} by ${found.rule}: counted in ${chosen.id}`,
    object: { kind: "Node", name: node.name },
  };
}

function inactiveMatch(node: NodeRecord, found: Candidates | undefined): Issue | undefined {
  if (!found || found.rule === "inferred") return undefined;
  return {
    code: "NodeOfInactiveReservation",
    severity: "warning",
    message: `matches ${idsOf(found)} by ${found.rule}, which is not active now: counted outside`,
    object: { kind: "Node", name: node.name },
  };
}

const idsOf = (found: Candidates): string => found.reservations.map((r) => r.id).join(", ");

function bySoonestEnd(a: Reservation, b: Reservation): number {
  const end = (a.end ?? Number.POSITIVE_INFINITY) - (b.end ?? Number.POSITIVE_INFINITY);
  return Number.isNaN(end) || end === 0 ? (a.id < b.id ? -1 : 1) : end;
}

function byAge(a: NodeRecord, b: NodeRecord): number {
  return (a.createdAt ?? 0) - (b.createdAt ?? 0) || (a.name < b.name ? -1 : 1);
}
