import type { PodRecord } from "../../model/kubernetes.ts";
import type { NodeFacts } from "./node-facts.ts";

/**
 * Nodes that none of `pods` can tell apart: the same in all that is looked at when a pod is placed, and of one pool.
 * What holds for one of them holds for all, so that a thousand nodes alike cost as much as one.
 */
export function classifyNodes(
  nodes: readonly NodeFacts[],
  pods: readonly PodRecord[],
): readonly (readonly NodeFacts[])[] {
  const keys = labelKeysOf(pods);
  const byName = pods.some(({ nodeAffinity }) => nodeAffinity.some((term) => term.matchFields.length > 0));
  return [...Map.groupBy(nodes, (facts) => classOf(facts, keys, byName)).values()];
}

/** The labels that any of the pods selects by. */
function labelKeysOf(pods: readonly PodRecord[]): readonly string[] {
  const keys = new Set<string>();
  for (const { nodeSelector, nodeAffinity } of pods) {
    for (const key of Object.keys(nodeSelector)) keys.add(key);
    for (const { matchExpressions } of nodeAffinity) for (const { key } of matchExpressions) keys.add(key);
  }
  return [...keys];
}

function classOf(facts: NodeFacts, keys: readonly string[], byName: boolean): string {
  const { node, advertises, held, vendor, hint } = facts;
  const { record, poolId, gpus, readiness, blocked, free, nominated } = node;
  return JSON.stringify([
    byName ? record.name : "",
    keys.map((key) => record.labels[key] ?? null),
    poolId,
    record.taints,
    record.unschedulable,
    record.deletedAt,
    record.capacity,
    record.allocatable,
    free,
    held,
    gpus,
    readiness,
    blocked,
    nominated.map(({ uid }) => uid),
    [advertises, vendor, hint],
  ]);
}
