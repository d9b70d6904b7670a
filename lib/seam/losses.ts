import type { Pool } from "../layers/fleet.ts";
import type { LossView } from "../model/fleet-view.ts";
import type { Figure } from "../model/money.ts";
import { type OwnerRule, ownerOf } from "../model/owners.ts";
import { LAYER_INFO, STAGES, type Stage, stageInfo } from "../model/stages.ts";
import type { Entry } from "./entry.ts";
import { figureOf } from "./figure.ts";
import { describeEntries, earliest, groupByReason, isoOf, objectsOf } from "./ledger.ts";

/** Words for reasons that are no reason codes, or that read better than the stage's name. */
const TITLES: Readonly<Record<string, string>> = {
  CapacityNotLaunched: "Not launched",
  EndingSoon: "Inside the last minutes",
  NodeNotRegistered: "Not registered",
  NodeNotReady: "Node not ready",
  GpuNotAdvertised: "GPU not advertised",
  GpuUnhealthy: "GPU unhealthy",
  NodeCordoned: "Cordoned",
  ReservationNotUsable: "Broken at the provider",
  UsedElsewhere: "Used elsewhere",
  OtherResourcesExhausted: "Free, stranded",
  Nominated: "Free, held for a nominated pod",
  Free: "Free",
  ImagePullFailed: "Image pull fails",
  ContainerConfigError: "Container cannot be made",
  CrashLoop: "Crash loop",
  Starting: "Not running yet",
};

/** What losses are told with. */
export interface LossContext {
  /** Since when a loss without a date of its own has been watched, by `LossView.id`. */
  readonly firstSeen: ReadonlyMap<string, number>;
  readonly owners: readonly OwnerRule[];
}

/** What a pool loses, one entry a stage and reason. */
export function buildLosses(pool: Pool, entries: readonly Entry[], context: LossContext): LossView[] {
  return STAGES.filter(({ stage }) => stage !== "working").flatMap(({ stage }) =>
    groupByReason(entries.filter((entry) => entry.stage === stage)).map(([reason, group]) =>
      buildLoss(pool, stage, reason, group, context),
    ),
  );
}

function buildLoss(
  pool: Pool,
  stage: Stage,
  reason: string,
  group: readonly Entry[],
  { firstSeen, owners }: LossContext,
): LossView {
  const { layer, schedulable } = stageInfo(stage);
  const id = `${pool.id}|${stage}|${reason}`;
  const dated = earliest(group);
  const namespaces = namespacesOf(group);
  const owner = ownerOf(owners, {
    layer,
    pool: [pool.id, pool.name],
    namespace: namespaces.length === 1 ? namespaces[0] : undefined,
  });
  return {
    ...figureOf(group),
    id,
    pool: pool.id,
    poolName: pool.name,
    stage,
    layer,
    seam: !schedulable,
    reason,
    title: TITLES[reason] ?? reason,
    detail: detailOf(pool, stage, group),
    owner: owner?.team ?? usualOwner(pool, stage, namespaces),
    contact: owner?.contact ?? null,
    since: isoOf(dated ?? firstSeen.get(id)),
    sinceSeen: dated === undefined,
    ...objectsOf(group),
  };
}

function detailOf(pool: Pool, stage: Stage, group: readonly Entry[]): string {
  if (stage === "not-launched" && pool.reservation && !pool.reservation.ending) {
    const { count } = pool.reservation.record;
    return `${group.length} of ${count} paid ${count === 1 ? "slot" : "slots"} ${group.length === 1 ? "has" : "have"} no node.`;
  }
  if (stage === "free") {
    const gpus = group.reduce((sum, entry) => sum + entry.gpus, 0);
    const nodes = objectsOf(group).objectCount;
    return `No waiting pod takes ${gpus === 1 ? "it" : "them"}: on ${nodes} ${nodes === 1 ? "node" : "nodes"}.`;
  }
  return describeEntries(group);
}

function namespacesOf(group: readonly Entry[]): readonly string[] {
  return [...new Set(group.flatMap((entry) => (entry.object?.namespace ? [entry.object.namespace] : [])))];
}

/** Whose move it is where nobody is configured. */
function usualOwner(pool: Pool, stage: Stage, namespaces: readonly string[]): string {
  const { layer } = stageInfo(stage);
  if (stage === "broken-at-provider") return pool.provider ?? "provider";
  if (layer === "L1") return pool.reservation?.record.owner ?? LAYER_INFO.L1.owner;
  if (layer !== "L4") return LAYER_INFO[layer].owner;
  return namespaces.length === 1 ? `${namespaces[0]} team` : "workload owners";
}

/** Largest money first, then unpriced ones by GPUs. Amounts of several currencies are compared by their largest. */
export function byCost(a: Figure & { readonly id: string }, b: Figure & { readonly id: string }): number {
  const money = (figure: Figure) => Math.max(0, ...figure.perHour.map((amount) => amount.micros));
  return money(b) - money(a) || (b.gpus ?? 0) - (a.gpus ?? 0) || (a.id < b.id ? -1 : 1);
}
