import type { Layer } from "./stages.ts";

/** Who acts for a part of the cluster, as the configuration says: every part that is given has to match. */
export interface OwnerRule {
  readonly layer: Layer | undefined;
  /** Id or name of a pool: `reservation/cr-1`, `cr-1`, or the name of a node pool. */
  readonly pool: string | undefined;
  readonly namespace: string | undefined;
  readonly team: string;
  /** Where the team is reached: a channel, a page, an address. */
  readonly contact: string | undefined;
}

/** What an owner is asked for. */
export interface Owned {
  readonly layer: Layer;
  /** Id of the pool and its name; empty where no pool is concerned. */
  readonly pool: readonly string[];
  /** undefined where none, or more than one, is concerned. */
  readonly namespace: string | undefined;
}

/** The rule that says most of `what`; of two that say as much, the one that names a namespace, then a pool. */
export function ownerOf(rules: readonly OwnerRule[], what: Owned): OwnerRule | undefined {
  return rules
    .filter((rule) => applies(rule, what))
    .reduce<OwnerRule | undefined>(
      (best, rule) => (best === undefined || weight(rule) > weight(best) ? rule : best),
      undefined,
    );
}

function applies(rule: OwnerRule, what: Owned): boolean {
  if (rule.layer !== undefined && rule.layer !== what.layer) return false;
  if (rule.namespace !== undefined && rule.namespace !== what.namespace) return false;
  return rule.pool === undefined || what.pool.some((pool) => isPool(pool, rule.pool));
}

function isPool(pool: string, named: string | undefined): boolean {
  return pool === named || pool.slice(pool.indexOf("/") + 1) === named;
}

function weight({ layer, pool, namespace }: OwnerRule): number {
  const parts = [layer, pool, namespace].filter((part) => part !== undefined).length;
  return parts * 4 + (namespace === undefined ? 0 : 2) + (pool === undefined ? 0 : 1);
}
