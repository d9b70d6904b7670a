import type { Fleet, Pool, PoolMember, SlotUse } from "../layers/fleet.ts";
import { providerName } from "../model/provider-name.ts";
import type { Stage } from "../model/stages.ts";
import { classifyNode, ENDING, ENDING_DETAIL } from "./classify-node.ts";
import type { Entry } from "./entry.ts";

/** What became of the GPUs of one pool member. */
export interface ClassifiedMember {
  readonly member: PoolMember;
  readonly entries: readonly Entry[];
}

/**
 * The stage of every paid GPU of a pool.
 * @throws Error where the entries of a member do not add up to its GPUs: the ledger's invariant is broken.
 */
export function classifyPool(pool: Pool, fleet: Fleet): ClassifiedMember[] {
  return pool.members.map((member) => {
    const entries =
      member.kind === "node" ? classifyNode(member, pool, fleet) : classifySlot(member, pool, fleet);
    const sum = entries.reduce((total, entry) => total + entry.gpus, 0);
    if (sum !== member.gpus || entries.some((entry) => !Number.isSafeInteger(entry.gpus))) {
      const name = member.kind === "node" ? member.node.record.name : `slot ${member.index}`;
      throw new Error(
        `the ledger of ${pool.id} does not add up: ${name} pays ${member.gpus} GPUs, ${sum} are told`,
      );
    }
    return { member, entries };
  });
}

function classifySlot(member: Extract<PoolMember, { kind: "slot" }>, pool: Pool, fleet: Fleet): Entry[] {
  const base = {
    schedulable: undefined,
    gpus: member.gpus,
    rate: member.rate,
    since: undefined,
    object: undefined,
  };
  if (!fleet.nodesKnown) {
    return [{ ...base, stage: undefined, reason: "NodesNotRead", detail: "nodes were never read" }];
  }
  const told = SLOTS[member.use];
  const { claim, since } = member.machine ?? {};
  const object = claim && { kind: claim.kind, name: claim.name };
  return [{ ...base, since, object, ...told, detail: told.detail(pool) }];
}

/** What becomes of a slot without a node. */
const SLOTS: Readonly<
  Record<SlotUse, { readonly stage: Stage; readonly reason: string; readonly detail: (pool: Pool) => string }>
> = {
  free: { stage: "not-launched", reason: "CapacityNotLaunched", detail: () => "no node runs on it" },
  ending: { stage: "not-launched", reason: ENDING, detail: () => ENDING_DETAIL },
  elsewhere: {
    stage: "elsewhere",
    reason: "UsedElsewhere",
    detail: () => "in use outside the watched cluster",
  },
  unregistered: {
    stage: "not-registered",
    reason: "NodeNotRegistered",
    detail: () => "launched, and has not joined the cluster",
  },
  broken: {
    stage: "broken-at-provider",
    reason: "ReservationNotUsable",
    detail: ({ provider }) =>
      `${provider === undefined ? "the provider" : providerName(provider)} reports the host as not usable`,
  },
  "not-consumable": {
    stage: "broken-at-provider",
    reason: "ReservationNotUsable",
    detail: ({ reservation }) =>
      `paid, but nothing can be launched into it while it is ${reservation?.record.rawState ?? "as it is"}`,
  },
};
