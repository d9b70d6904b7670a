import type { PoolMember } from "../layers/fleet.ts";
import { isAlike, machineOf, slotsOf } from "../layers/match-rules.ts";
import { capacityTypeOf, isFlexStart } from "../layers/node-labels.ts";
import { type ClassifiedPool, countOf, type FindingDraft, type ReservedPool } from "./finding.ts";
import { isIdleSlot } from "./reservation-findings.ts";

type NodeMember = Extract<PoolMember, { kind: "node" }>;

/**
 * On-demand and spot machines that run where slots of the same type and zone are free: both are paid for. Each machine is
 * told of once, the most expensive first, and never more of them than there are free slots.
 */
export function doublePay(
  reserved: readonly ReservedPool[],
  others: readonly ClassifiedPool[],
): FindingDraft[] {
  const machines = others
    .flatMap(({ pool }) => pool.members)
    .filter((member) => member.kind === "node")
    .sort(byCost)
    .map((member) => ({ member, machine: machineOf(member.node.record) }));
  const told = new Set<NodeMember>();
  return reserved.flatMap(({ pool, entries }): FindingDraft[] => {
    const { record } = pool.reservation;
    const slots = entries.filter(isIdleSlot).length;
    if (slots === 0) return [];
    const wanted = slotsOf(record);
    const twice = machines
      .filter(({ member, machine }) => !told.has(member) && isAlike(machine, wanted))
      .slice(0, slots)
      .map(({ member }) => member);
    if (twice.length === 0) return [];
    for (const member of twice) told.add(member);
    return [
      {
        kind: "double-pay",
        reservation: record.id,
        pool: pool.id,
        parts: twice,
        since: undefined,
        until: undefined,
        title: `${countOf(twice.length, "machine")} paid for beside ${countOf(slots, "free slot")}`,
        detail: `${marketsOf(twice)} ${record.instanceType} that could run in ${record.name}, which is paid for already.`,
        objects: twice.map(({ node }) => ({ kind: "Node", name: node.record.name })),
      },
    ];
  });
}

function byCost(a: NodeMember, b: NodeMember): number {
  const cost = ({ gpus, rate }: NodeMember) => gpus * (rate.perGpuHour?.micros ?? 0);
  return cost(b) - cost(a) || (a.node.record.name < b.node.record.name ? -1 : 1);
}

/** `On-demand`, `Flex-start and spot`. */
function marketsOf(members: readonly NodeMember[]): string {
  const words = [...new Set(members.map(marketOf))].sort().join(" and ");
  return words.replace(/^./, (letter) => letter.toUpperCase());
}

function marketOf({ node: { record } }: NodeMember): string {
  if (isFlexStart(record)) return "flex-start";
  return capacityTypeOf(record) === "spot" ? "spot" : "on-demand";
}
