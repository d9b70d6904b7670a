import type { Derived } from "../pipeline.ts";
import { objectKey } from "../sources/kubernetes/event-store.ts";

/** What is stuck in a view, by `objectKey`: pods and other objects with their workloads, and every GPU pod without a node. */
export function stuckObjects({ view, fleet }: Pick<Derived, "view" | "fleet">): ReadonlySet<string> {
  const unplaced = fleet.gpuPods.filter(({ nodeName }) => nodeName === undefined);
  return new Set([
    ...unplaced.map(({ namespace, name }) => objectKey({ kind: "Pod", namespace, name })),
    ...view.stuck.flatMap((entry) =>
      [entry, ...entry.members, ...(entry.workload ? [entry.workload] : [])].map(objectKey),
    ),
  ]);
}
