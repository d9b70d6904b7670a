import type { NodeRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import type { Issue } from "../model/snapshot.ts";
import { MATCH_TESTS, type Machine, type MatchRule, machineOf, type Slots, slotsOf } from "./match-rules.ts";
import type { PoolReservations } from "./pool-reservations.ts";
import { reservationStanding } from "./reservation-state.ts";

/** Which node runs in which reservation's slot, and by which rule. */
export interface Matching {
  /** Node name -> the slot it takes. */
  readonly ofNode: ReadonlyMap<string, Match>;
  /** Reservation id -> names of nodes that belong to it by a rule that is sure, and for which it has no slot left. */
  readonly excess: ReadonlyMap<string, readonly string[]>;
  /** Node name -> the reservation that it belongs to, and that has no slots now. */
  readonly inactive: ReadonlyMap<string, Reservation>;
  readonly issues: readonly Issue[];
}

export interface Match {
  readonly reservation: Reservation;
  readonly rule: MatchRule;
}

/** An inference never overrules what the node, the provider or the user says. */
const SURE_RULES: readonly MatchRule[] = ["label", "machine", "node-pool", "selector"];

/**
 * Gives every node at most one slot. The best rule that fits decides; among several reservations of one rule the one
 * that ends first, then the lower id, as long as it has a free slot. Machines take slots in the order of their age;
 * those beyond the slots run outside the reservation. Inferred ones come last, and are never more than the provider
 * itself counts in use.
 */
export function matchReservations(
  nodes: readonly NodeRecord[],
  reservations: readonly Reservation[],
  now: number,
  poolReservations?: PoolReservations,
): Matching {
  const takesNodes = (r: Reservation) => reservationStanding(r, now).billed !== false;
  const active = reservations.filter(takesNodes).sort(bySoonestEnd).map(slotsOf);
  const inactive = reservations
    .filter((r) => !takesNodes(r))
    .sort(bySoonestEnd)
    .map(slotsOf);
  const taken = new Map<Reservation, number>();
  const ofNode = new Map<string, Match>();
  const excess = new Map<string, string[]>();
  const ended = new Map<string, Reservation>();
  const issues: Issue[] = [];

  function take(node: NodeRecord, found: Candidates, limit: (r: Reservation) => number): boolean {
    const chosen = found.reservations.find((r) => (taken.get(r) ?? 0) < limit(r));
    if (chosen) {
      taken.set(chosen, (taken.get(chosen) ?? 0) + 1);
      ofNode.set(node.name, { reservation: chosen, rule: found.rule });
    }
    const issue = oddMatch(node, found, chosen);
    if (issue) issues.push(issue);
    return chosen !== undefined;
  }

  const byAge = [...nodes].sort(compareAge).map((node) => machineOf(node, poolReservations));
  const open = byAge.filter((machine) => {
    const { node } = machine;
    const found = candidates(machine, active, SURE_RULES);
    if (!found) return true;
    const [first] = found.reservations;
    if (!take(node, found, (r) => r.count) && first)
      excess.set(first.id, [...(excess.get(first.id) ?? []), node.name]);
    return false;
  });
  for (const machine of open) {
    const { node } = machine;
    const found = candidates(machine, active, ["inferred"]);
    if (found && take(node, found, (r) => Math.min(r.count, r.used ?? r.count))) continue;
    const past = candidates(machine, inactive, SURE_RULES);
    const [last] = past?.reservations ?? [];
    if (!past || !last) continue;
    ended.set(node.name, last);
    issues.push(inactiveMatch(node, past));
  }
  return { ofNode, excess, inactive: ended, issues };
}

interface Candidates {
  readonly rule: MatchRule;
  readonly reservations: readonly Reservation[];
}

/** The reservations that fit by the first of `rules` by which any does. */
function candidates(
  machine: Machine,
  among: readonly Slots[],
  rules: readonly MatchRule[],
): Candidates | undefined {
  for (const rule of rules) {
    const matching = among.filter((slots) => MATCH_TESTS[rule](machine, slots));
    if (matching.length > 0) return { rule, reservations: matching.map(({ record }) => record) };
  }
  return undefined;
}

function oddMatch(node: NodeRecord, found: Candidates, chosen: Reservation | undefined): Issue | undefined {
  // Further machines of a reserved type are a normal thing to have, and a pool may launch into many reservations.
  if (found.rule === "inferred" || (found.rule === "node-pool" && chosen)) return undefined;
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

function inactiveMatch(node: NodeRecord, found: Candidates): Issue {
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

function compareAge(a: NodeRecord, b: NodeRecord): number {
  return (a.createdAt ?? 0) - (b.createdAt ?? 0) || (a.name < b.name ? -1 : 1);
}
