import type { Facts } from "../model/facts/facts.ts";
import type { NodeRecord } from "../model/kubernetes.ts";

/** Ids, in lower case, of the reservations that a node's own pool may launch into; empty where it says none. */
export type PoolReservations = (node: NodeRecord) => ReadonlySet<string>;

const NONE: ReadonlySet<string> = new Set();

/**
 * Reads them from Karpenter's node classes, which list the reservations that they have found.
 * https://karpenter.sh/docs/concepts/nodeclasses/#specCapacityReservationSelectorTerms
 */
export function poolReservations({ nodePools, nodeClasses }: Facts): PoolReservations {
  const ofClass = new Map(
    nodeClasses.items.map((one) => [
      `${one.kind}/${one.name}`,
      new Set(one.capacityReservations.map(({ id }) => id.toLowerCase())),
    ]),
  );
  const ofPool = new Map(
    nodePools.items.map(({ name, nodeClass }) => [
      name,
      (nodeClass && ofClass.get(`${nodeClass.kind}/${nodeClass.name}`)) ?? NONE,
    ]),
  );
  return (node) => ofPool.get(node.labels["karpenter.sh/nodepool"] ?? "") ?? NONE;
}
