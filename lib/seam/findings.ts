import type { FindingView } from "../model/fleet-view.ts";
import { type OwnerRule, ownerOf } from "../model/owners.ts";
import { LAYER_INFO } from "../model/stages.ts";
import { doublePay } from "./double-pay.ts";
import { figureOf } from "./figure.ts";
import { type ClassifiedPool, type FindingDraft, isReserved, type ReservedPool } from "./finding.ts";
import { isoOf, objectsOf } from "./ledger.ts";
import { byCost } from "./losses.ts";
import { outlived } from "./outlived.ts";
import { ending, idle, notConsumable, overallocated } from "./reservation-findings.ts";

export interface FindingContext {
  readonly now: number;
  /** Capacity that ends within so many milliseconds is told of. */
  readonly noticeMs: number;
  readonly owners: readonly OwnerRule[];
}

/** What the capacity team should look at in paid capacity, the most expensive first. */
export function buildFindings(pools: readonly ClassifiedPool[], context: FindingContext): FindingView[] {
  const reserved = pools.filter(isReserved);
  const others = pools.filter((pool) => !isReserved(pool));
  const drafts = [
    ...reserved.flatMap((pool) => [
      ...idle(pool),
      ...ending(pool, context),
      ...overallocated(pool, others),
      ...notConsumable(pool),
    ]),
    ...doublePay(reserved, others),
    ...outlived(reserved, others),
  ];
  return drafts.map((draft) => findingView(draft, reserved, context.owners)).sort(byCost);
}

function findingView(
  draft: FindingDraft,
  reserved: readonly ReservedPool[],
  owners: readonly OwnerRule[],
): FindingView {
  const { kind, reservation, pool, parts, since, until, title, detail } = draft;
  const own = reserved.find((one) => one.pool.id === pool)?.pool;
  const rule = ownerOf(owners, {
    layer: "L1",
    pool: own ? [own.id, own.name] : [pool],
    namespace: undefined,
  });
  return {
    ...figureOf(parts),
    id: `${kind}|${reservation}|${pool}`,
    kind,
    reservation,
    pool,
    since: isoOf(since),
    until: isoOf(until),
    title,
    detail,
    owner: rule?.team ?? own?.reservation.record.owner ?? LAYER_INFO.L1.owner,
    contact: rule?.contact ?? null,
    ...objectsOf(draft.objects.map((object) => ({ object }))),
  };
}
