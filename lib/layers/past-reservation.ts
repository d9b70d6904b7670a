import type { Fleet } from "./fleet.ts";

/** The reservation in which a node was seen. */
export interface PastReservation {
  readonly id: string;
  readonly name: string;
  /** When it was last known to run there, in epoch milliseconds; undefined where nobody says when that ended. */
  readonly until: number | undefined;
}

/** Node uid -> the reservation in which it was last seen. */
export type ReservationMemory = ReadonlyMap<string, PastReservation>;

/** Rules by which a node surely is where it is found. */
const SURE: readonly (string | undefined)[] = ["label", "machine"];

/**
 * What `before` knew with what `fleet` shows at `now`; nodes that are gone are forgotten. Karpenter takes a node's
 * labels away within a minute of the end of its reservation, and providers soon list it no more: without a memory such
 * a node would look as if it had never been reserved.
 * https://karpenter.sh/docs/concepts/nodeclasses/#specCapacityReservationSelectorTerms
 */
export function rememberReserved(fleet: Fleet, before: ReservationMemory, now: number): ReservationMemory {
  const memory = new Map<string, PastReservation>();
  for (const { record } of fleet.nodes.values()) {
    const past = before.get(record.uid);
    if (past) memory.set(record.uid, past);
  }
  for (const { reservation, members } of fleet.pools) {
    if (!reservation) continue;
    const { id, name } = reservation.record;
    for (const member of members) {
      if (member.kind === "node" && SURE.includes(member.matchedBy))
        memory.set(member.node.record.uid, { id, name, until: now });
    }
  }
  return memory;
}
