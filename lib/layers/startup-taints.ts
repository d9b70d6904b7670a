import type { Facts } from "../model/facts/facts.ts";
import type { NodeRecord, Taint } from "../model/kubernetes.ts";

/**
 * The nodes, with the taints marked that their pool puts on for the start only: whoever prepares the node takes them
 * away, and no pod is meant to tolerate them. https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecstartuptaints
 */
export function withStartupTaints(nodes: readonly NodeRecord[], facts: Facts): readonly NodeRecord[] {
  const ofPool = new Map(
    facts.nodePools.items.flatMap(({ name, taints, startupTaints }) => {
      const only = startupTaints.filter((one) => !taints.some((other) => isSame(one, other)));
      return only.length > 0 ? [[name, only] as const] : [];
    }),
  );
  if (ofPool.size === 0) return nodes;
  return nodes.map((node) => {
    const pool = node.labels["karpenter.sh/nodepool"] ?? node.labels["karpenter.sh/provisioner-name"] ?? "";
    const startup = ofPool.get(pool);
    if (!startup?.some((one) => node.taints.some((taint) => isSame(one, taint)))) return node;
    const taints = node.taints.map(
      (taint): Taint => (startup.some((one) => isSame(one, taint)) ? { ...taint, startup: true } : taint),
    );
    return { ...node, taints };
  });
}

const isSame = (one: Taint, other: Taint): boolean => one.key === other.key && one.effect === other.effect;
