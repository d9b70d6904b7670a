import type { NodeRecord } from "../../../lib/model/kubernetes.ts";
import { normalizeNode } from "../../../lib/sources/kubernetes/normalize-node.ts";
import { normalizePod } from "../../../lib/sources/kubernetes/normalize-pod.ts";
import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";
import { KUBELET, PLAYED } from "../kwok/kwok.ts";

type Annotations = Readonly<Record<string, string>>;

/**
 * Annotations that steer KWOK, for each of the objects: it plays every node, and undoes nothing that a kubelet has said.
 * A pod that no scheduler has placed is left to the real one, and runs where that places it.
 */
export function marksFor(objects: readonly KubernetesObject[]): (object: KubernetesObject) => Annotations {
  const nodes = objects
    .filter(({ kind, status }) => kind === "Node" && status !== undefined)
    .map(normalizeNode);
  const silent = new Set(nodes.filter((node) => !isReady(node)).map(({ name }) => name));
  return (object) => {
    if (object.kind === "Node") return { ...PLAYED, ...nodeMark(object, silent) };
    if (object.kind !== "Pod") return {};
    const { nodeName, deletedAt } = normalizePod(object);
    if (nodeName === undefined || !object.status) return {};
    const neverEnds = deletedAt !== undefined || silent.has(nodeName);
    return { [KUBELET]: neverEnds ? "never-ends" : "keeps-status" };
  };
}

/** Whether it is a pod that is on a node. */
export function isPlaced(object: KubernetesObject): boolean {
  return object.kind === "Pod" && normalizePod(object).nodeName !== undefined;
}

function nodeMark(node: KubernetesObject, silent: ReadonlySet<string>): Annotations {
  if (!node.status) return {};
  return { [KUBELET]: silent.has(node.metadata.name) ? "never-ready" : "keeps-status" };
}

/** Whether its kubelet says that it can take pods. */
function isReady({ conditions }: NodeRecord): boolean {
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}
