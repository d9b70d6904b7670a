import { isOfLifecycle } from "../../layers/node-state.ts";
import type { NodeRecord, PodRecord, Taint, Toleration } from "../../model/kubernetes.ts";

/** spec.unschedulable as the scheduler sees it. */
const CORDON: Taint = {
  key: "node.kubernetes.io/unschedulable",
  value: "",
  effect: "NoSchedule",
  timeAdded: undefined,
};

/** What keeps new pods off a node unless they tolerate it; PreferNoSchedule does not. */
export interface Untolerated {
  /** Taints that dedicate the node: the pod's owner decides about them. */
  readonly dedicated: Taint | undefined;
  /** Taints of its life cycle, cordon included: the node's owner takes them away. */
  readonly lifecycle: Taint | undefined;
}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
export function untoleratedTaints(pod: PodRecord, node: NodeRecord): Untolerated {
  const hard = node.taints.filter((taint) => taint.effect !== "PreferNoSchedule");
  const taints = node.unschedulable && !hard.some((t) => t.key === CORDON.key) ? [...hard, CORDON] : hard;
  const against = taints.filter((taint) => !pod.tolerations.some((one) => tolerates(one, taint)));
  return {
    dedicated: against.find((taint) => !isOfLifecycle(taint)),
    lifecycle: against.find(isOfLifecycle),
  };
}

/** An empty key with Exists tolerates everything, an empty effect every effect. */
function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== "" && toleration.effect !== taint.effect) return false;
  if (toleration.key !== "" && toleration.key !== taint.key) return false;
  if (toleration.operator === "Exists") return true;
  if (toleration.key === "") return false;
  return (toleration.operator === "" || toleration.operator === "Equal") && toleration.value === taint.value;
}

/** A taint as kubectl writes it: `key=value:Effect`. */
export function taintInWords(taint: Taint): string {
  return `${taint.key}${taint.value === "" ? "" : `=${taint.value}`}:${taint.effect}`;
}
