import type { Pool, PoolReservation } from "../layers/fleet.ts";
import { capacityTypeOf, instanceTypeOf, zoneOf } from "../layers/node-labels.ts";
import type { BlockView, PoolView, RateView, ReservationView } from "../model/fleet-view.ts";
import { BLOCK_LIMIT } from "../model/fleet-view.ts";
import type { Rate } from "../model/money.ts";
import { STAGES, stageInfo, UNKNOWN_CODE } from "../model/stages.ts";
import type { ClassifiedMember } from "./classify.ts";
import { buildLedger, isoOf } from "./ledger.ts";

/** A pool on the wire, without who waits for it. */
export function buildPoolView(pool: Pool, members: readonly ClassifiedMember[]): Omit<PoolView, "waiting"> {
  const entries = members.flatMap((member) => member.entries);
  const nodes = pool.members.flatMap((member) => (member.kind === "node" ? [member.node.record] : []));
  const machines = pool.members.flatMap((member) =>
    member.kind === "node" ? [member.node.record] : (member.machine?.node ?? []),
  );
  const record = pool.reservation?.record;
  return {
    ...buildLedger(entries, pool.reservation?.paidSlots === undefined && record !== undefined),
    id: pool.id,
    name: pool.name,
    kind: pool.kind,
    provider: pool.provider ?? null,
    instanceTypes: record ? [record.instanceType] : distinct(machines.map(instanceTypeOf)),
    gpuModel: pool.gpuModel ?? null,
    zones: record?.zone === undefined ? distinct(machines.map(zoneOf)) : [record.zone],
    capacityType: record ? "reserved" : oneOf(distinct(machines.map(capacityTypeOf))),
    rate: buildRate(pool),
    reservation: buildReservation(pool, machines.length),
    nodes: nodes.length,
    blocks: entries.reduce((sum, entry) => sum + entry.gpus, 0) > BLOCK_LIMIT ? null : buildBlocks(members),
  };
}

function distinct<T extends string>(values: readonly (T | undefined)[]): T[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort();
}

/** The one value of `values`; `mixed` for several, `unknown` for none. */
function oneOf<T extends string>(values: readonly T[]): T | "mixed" | "unknown" {
  const [first, second] = values;
  if (first === undefined) return "unknown";
  return second === undefined ? first : "mixed";
}

function buildRate(pool: Pool): RateView {
  const rates = pool.members.map((member) => member.rate);
  if (rates.length === 0 && pool.reservation) rates.push(pool.reservation.record.rate);
  const sources = distinct(rates.map((rate): Rate["source"] => rate.source));
  const priced = rates
    .flatMap((rate) => (rate.perGpuHour ? [rate.perGpuHour] : []))
    .sort((a, b) => a.micros - b.micros);
  const [min] = priced;
  const max = priced.at(-1);
  const same =
    min !== undefined && max !== undefined && min.micros === max.micros && min.currency === max.currency;
  const everyPriced = priced.length === rates.length;
  return {
    perGpuHour: same && everyPriced ? min : null,
    min: min ?? null,
    max: max ?? null,
    source: oneOf(sources),
    asOf: rates.find((rate) => rate.asOf !== undefined)?.asOf ?? null,
  };
}

function buildReservation(pool: Pool, launched: number): PoolView["reservation"] {
  if (!pool.reservation) return null;
  const { record, state, matchedBy, billed, launchable } = pool.reservation;
  const slots = pool.members.filter((member) => member.kind === "slot");
  return {
    id: record.id,
    state,
    rawState: record.rawState ?? null,
    billed: billed ?? null,
    launchable: launchable ?? null,
    doc: record.lifecycle?.doc ?? null,
    market: record.market,
    matching: record.matching ?? null,
    region: record.region ?? null,
    zone: record.zone ?? null,
    account: record.account ?? null,
    start: isoOf(record.start),
    end: isoOf(record.end),
    usableUntil: isoOf(record.usableUntil),
    nextChange: nextChange(pool.reservation),
    slots: record.count,
    launched,
    used: record.used ?? null,
    free: slots.filter((slot) => slot.use === "free").length,
    broken: record.broken,
    gpusPerInstance: record.gpusPerInstance,
    billing: record.billing,
    owner: record.owner ?? null,
    matchedBy,
  };
}

/** The next thing that its dates say of a reservation. */
function nextChange({ state, ending, record }: PoolReservation): ReservationView["nextChange"] {
  const { start, usableUntil, end } = record;
  const change = (time: number | undefined, what: string) => {
    const at = isoOf(time);
    return at === null ? null : { at, what };
  };
  if (state === "scheduled") return change(start, "starts");
  if (state !== "active") return null;
  if (usableUntil !== undefined && !ending) return change(usableUntil, "its machines are taken back");
  return change(end, "ends");
}

/** Blocks in reading order: whole nodes first, then those that lose GPUs higher up, empty slots last; by name within. */
function buildBlocks(members: readonly ClassifiedMember[]): BlockView[] {
  return members
    .map(({ member, entries }) => {
      const kind = member.kind;
      const name = member.kind === "node" ? member.node.record.name : String(member.index + 1);
      const lowest = Math.min(...entries.map((entry) => (entry.stage ? rank(entry.stage) : 0)));
      return { block: { kind, name, cells: cellsOf(entries) }, lowest };
    })
    .sort((a, b) => b.lowest - a.lowest || compareNames(a.block, b.block))
    .map(({ block }) => block);
}

const rank = (stage: string): number => STAGES.findIndex((info) => info.stage === stage);

function compareNames(a: BlockView, b: BlockView): number {
  if (a.kind !== b.kind) return a.kind === "node" ? -1 : 1;
  return a.name.localeCompare(b.name, "en", { numeric: true });
}

/** Working first, lost at the provider last: the cells of a node read like its column. */
function cellsOf(entries: ClassifiedMember["entries"]): string {
  return [...entries]
    .sort((a, b) => (b.stage ? rank(b.stage) : -1) - (a.stage ? rank(a.stage) : -1))
    .map((entry) => (entry.stage ? stageInfo(entry.stage).code : UNKNOWN_CODE).repeat(entry.gpus))
    .join("");
}
