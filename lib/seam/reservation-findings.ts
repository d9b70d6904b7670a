import { listPrice } from "../model/instance-types.ts";
import type { ObjectRef } from "../model/snapshot.ts";
import type { Entry } from "./entry.ts";
import type { PricedGpus } from "./figure.ts";
import { type ClassifiedPool, countOf, type FindingDraft, type ReservedPool } from "./finding.ts";

/** Paid slots into which a machine could be launched, and none is. */
export function idle(reserved: ReservedPool): FindingDraft[] {
  const slots = reserved.entries.filter(isIdleSlot);
  if (slots.length === 0) return [];
  const { instanceType, zone, count } = reserved.pool.reservation.record;
  return [
    {
      ...about(reserved),
      kind: "idle",
      parts: slots,
      title: `${slots.length} of ${countOf(count, "paid slot")} idle`,
      detail: `No machine runs there: ${instanceType}${zone === undefined ? "" : ` in ${zone}`} could be launched now.`,
    },
  ];
}

/** A paid slot that only nobody uses. */
export function isIdleSlot(entry: Entry): boolean {
  return entry.stage === "not-launched" && entry.reason === "CapacityNotLaunched";
}

/** Ends, or is taken back, within the notice time. */
export function ending(
  reserved: ReservedPool,
  { now, noticeMs }: { readonly now: number; readonly noticeMs: number },
): FindingDraft[] {
  const { record, state } = reserved.pool.reservation;
  const until = record.usableUntil ?? record.end;
  if (state !== "active" || until === undefined || until - now > noticeMs) return [];
  const held = reserved.entries.filter(({ stage }) => stage === "working" || stage === "not-working");
  const base = { ...about(reserved), until, detail: whatThen(reserved) };
  if (held.length === 0) {
    return [{ ...base, kind: "ending", parts: reserved.entries, title: "Ends soon, nothing runs on it" }];
  }
  const gpus = held.reduce((sum, entry) => sum + entry.gpus, 0);
  return [
    {
      ...base,
      kind: "ending-with-work",
      parts: held,
      title: `Ends with ${countOf(gpus, "GPU")} in use`,
      objects: objectsIn(held),
    },
  ];
}

/**
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-how.html: instances of a block are terminated, those
 * of an on-demand reservation run on; GCP and Azure do the same.
 */
function whatThen({ pool: { reservation } }: ReservedPool): string {
  const { usableUntil, market } = reservation.record;
  if (usableUntil !== undefined || market === "block") return "Its machines are taken back then.";
  return market === "unknown"
    ? "Nothing says what becomes of its machines then."
    : "Its machines run on then, at the on-demand rate.";
}

/** More machines than slots; what is not a node of ours is priced as its type is on demand. */
export function overallocated(reserved: ReservedPool, others: readonly ClassifiedPool[]): FindingDraft[] {
  const { record, excess, paidSlots } = reserved.pool.reservation;
  const beyond = Math.max(excess.length, (record.used ?? 0) - record.count);
  if (beyond <= 0 || paidSlots === undefined || paidSlots === 0) return [];
  const names = new Set(excess);
  const own = others.flatMap(({ members }) =>
    members.flatMap(({ member }): PricedGpus[] =>
      member.kind === "node" && names.has(member.node.record.name) ? [member] : [],
    ),
  );
  const unseen: PricedGpus = {
    gpus: Math.max(0, beyond - own.length) * record.gpusPerInstance,
    rate: listPrice(record.instanceType, record.region, record.gpusPerInstance),
  };
  return [
    {
      ...about(reserved),
      kind: "overallocated",
      parts: [...own, unseen],
      title: `${countOf(beyond, "machine")} beyond ${countOf(record.count, "slot")}`,
      detail: "They are no part of the reservation and cost the on-demand rate.",
      objects: excess.map((name) => ({ kind: "Node", name })),
    },
  ];
}

/** Paid, but the provider itself says that it is not usable. */
export function notConsumable(reserved: ReservedPool): FindingDraft[] {
  const lost = reserved.entries.filter(({ stage }) => stage === "broken-at-provider");
  const [first] = lost;
  if (!first) return [];
  const details = [...new Set(lost.map(({ detail }) => detail))];
  return [
    {
      ...about(reserved),
      kind: "not-consumable",
      parts: lost,
      title: `${countOf(lost.length, "paid slot")} not usable`,
      detail: `${details.join("; ")}.`.replace(/^./, (letter) => letter.toUpperCase()),
    },
  ];
}

function about({ pool }: ReservedPool) {
  const { id } = pool.reservation.record;
  const objects: readonly ObjectRef[] = [];
  return { reservation: id, pool: pool.id, since: undefined, until: undefined, objects };
}

function objectsIn(entries: readonly Entry[]): ObjectRef[] {
  return entries.flatMap(({ object }) => (object ? [object] : []));
}
