import type { FleetNode } from "../../layers/fleet.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { selectionMismatch } from "./node-selection.ts";
import { type Untolerated, untoleratedTaints } from "./taints.ts";

/** Whether a pod may go to a node at all, whatever it asks for. */
export interface Reach {
  /** What of its selectors the node does not satisfy. */
  readonly selection: string | undefined;
  readonly taints: Untolerated;
}

/** `Reach` of the pods of one kind, node by node, each worked out once. */
export type ReachOf = (node: FleetNode) => Reach;

/** Pods of many workloads select and tolerate the same: what comes of it is worked out once for all of them. */
export function createReach(): (pod: PodRecord) => ReachOf {
  const kinds = new Map<string, ReachOf>();
  return (pod) => {
    const key = JSON.stringify([pod.nodeSelector, pod.nodeAffinity, pod.tolerations]);
    const known = kinds.get(key);
    if (known) return known;
    const reaches = new Map<FleetNode, Reach>();
    const reachOf: ReachOf = (node) => {
      let reach = reaches.get(node);
      if (!reach) {
        reach = {
          selection: selectionMismatch(pod, node.record),
          taints: untoleratedTaints(pod, node.record),
        };
        reaches.set(node, reach);
      }
      return reach;
    };
    kinds.set(key, reachOf);
    return reachOf;
  };
}
