import { verdictView } from "../diagnosis/verdict-view.ts";
import { gpusAsked } from "../layers/gpus-asked.ts";
import type { PodDetailView } from "../model/detail-view.ts";
import type { ContainerRecord } from "../model/kubernetes.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Derived } from "../pipeline.ts";
import { isoOf } from "../seam/ledger.ts";
import { formatAmount } from "./amounts.ts";
import { conditionEvidence, eventEvidence } from "./evidence.ts";

/** One pod for the drawer; undefined where there is none of that name. */
export function podDetail(
  snapshot: Snapshot,
  { fleet, verdicts }: Derived,
  namespace: string,
  name: string,
): PodDetailView | undefined {
  const pod = snapshot.pods.items.find((item) => item.namespace === namespace && item.name === name);
  if (!pod) return undefined;
  const verdict = verdicts.find(
    (one) => one.kind === "Pod" && one.namespace === namespace && one.name === name,
  );
  const object = { kind: "Pod", namespace, name };
  return {
    namespace,
    name,
    phase: pod.deletedAt === undefined ? pod.phase : `${pod.phase}, being deleted`,
    node: pod.nodeName ?? null,
    owner: pod.owner ? { kind: pod.owner.kind, namespace, name: pod.owner.name } : null,
    createdAt: isoOf(pod.createdAt),
    gpus: gpusAsked(pod, snapshot.acceleratorNames),
    requests: Object.entries(pod.requests)
      .filter(([resource]) => resource !== "pods")
      .map(([resource, amount]) => ({ name: resource, amount: formatAmount(resource, amount) })),
    containers: pod.containers.map((container) => ({
      name: container.name,
      image: container.image,
      state: stateOf(container),
      restarts: container.restarts,
    })),
    conditions: conditionEvidence(object, pod.conditions),
    events: eventEvidence(object, fleet.events.ofPod(namespace, name)),
    verdict: verdict ? verdictView(verdict) : null,
  };
}

function stateOf({ state, ready }: ContainerRecord): string {
  switch (state.kind) {
    case "none":
      return "not started";
    case "running":
      return ready ? "running" : "running, not ready";
    case "waiting":
      return state.reason || "waiting";
    case "terminated":
      return `exited ${state.exitCode}${state.reason ? ` (${state.reason})` : ""}`;
    default:
      return state satisfies never;
  }
}
