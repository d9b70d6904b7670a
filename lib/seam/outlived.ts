import type { FleetNode, PoolMember } from "../layers/fleet.ts";
import { type ClassifiedPool, countOf, type FindingDraft, type ReservedPool } from "./finding.ts";
import { earliest } from "./ledger.ts";

type NodeMember = Extract<PoolMember, { kind: "node" }>;

/** A machine that outlived its reservation, in the pool where it stands now. */
interface Outlived {
  readonly pool: string;
  readonly member: NodeMember;
  readonly past: NonNullable<FleetNode["past"]>;
}

/**
 * Machines that were in a reservation that pays for them no more, and run on at the on-demand rate; by reservation.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-using.html
 */
export function outlived(
  reserved: readonly ReservedPool[],
  others: readonly ClassifiedPool[],
): FindingDraft[] {
  // A node that only lost its slot to an older one still has its reservation: it is in excess of it.
  const paid = new Set(
    reserved.flatMap(({ pool: { reservation } }) =>
      reservation.billed === false ? [] : [reservation.record.id],
    ),
  );
  const groups = new Map<string, Outlived[]>();
  for (const { pool } of others) {
    for (const member of pool.members) {
      const past = member.kind === "node" ? member.node.past : undefined;
      if (member.kind !== "node" || !past || paid.has(past.id)) continue;
      const key = `${past.id}|${pool.id}`;
      groups.set(key, [...(groups.get(key) ?? []), { pool: pool.id, member, past }]);
    }
  }
  return [...groups.values()].flatMap(finding);
}

function finding(group: readonly Outlived[]): FindingDraft[] {
  const [first] = group;
  if (!first) return [];
  return [
    {
      kind: "ended-still-running",
      reservation: first.past.id,
      pool: first.pool,
      parts: group.map(({ member }) => member),
      since: earliest(group.map(({ past }) => ({ since: past.until }))),
      until: undefined,
      title: `${countOf(group.length, "machine")} outlived ${first.past.name}`,
      detail: "The reservation pays for them no more: they cost the on-demand rate.",
      objects: group.map(({ member }) => ({ kind: "Node", name: member.node.record.name })),
    },
  ];
}
