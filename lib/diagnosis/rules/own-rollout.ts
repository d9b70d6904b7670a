import type { PodRecord } from "../../model/kubernetes.ts";
import { unitsInWords } from "../ask.ts";
import { controllerNamed } from "../controller-named.ts";
import { podEvidence } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { countInWords, shellWord } from "../wording.ts";

/** The old replicas of its own workload hold what the new one waits for. */
export const heldByOwnRollout: Rule<PlacementQuestion> = ({ pod, ask, fleet, placement, words }) => {
  if (!placement.isShortOfDevices) return undefined;
  const own = rolloutOf(pod);
  if (!own) return undefined;
  const old = Map.groupBy(
    (rolloutsOf(fleet).get(`${pod.namespace}/${own.name}`) ?? []).filter(
      (one) => rolloutOf(one)?.revision !== own.revision,
    ),
    ({ nodeName }) => nodeName,
  );
  if (old.size === 0) return undefined;
  for (const fit of placement.open) {
    const there = old.get(fit.facts.node.record.name) ?? [];
    const freed = fit.shortages.every(({ resource, asks, free }) => {
      return free + there.reduce((sum, one) => sum + (one.requests[resource] ?? 0), 0) >= asks;
    });
    if (there.length === 0 || !freed) continue;
    const [resource = ""] = ask.accelerators[0] ?? [];
    const held = there.reduce((sum, one) => sum + (one.requests[resource] ?? 0), 0);
    const deployment = { kind: "Deployment", namespace: pod.namespace, name: own.name };
    const surge = controllerNamed(fleet, deployment)?.maxSurge;
    return {
      reason: "HeldByOwnRollout",
      sure: {
        certainty: "high",
        why: "the old and the new pods are of one workload, and no other GPU that fits is free",
      },
      pool: fit.facts.node.poolId,
      evidence: [
        ...there
          .slice(0, 3)
          .map((one) =>
            podEvidence(
              one,
              "spec.nodeName",
              `${fit.facts.node.record.name} (revision ${rolloutOf(one)?.revision})`,
            ),
          ),
        ...(surge === undefined
          ? []
          : [
              {
                object: deployment,
                field: "spec.strategy.rollingUpdate.maxSurge",
                value: surge,
                at: undefined,
              },
            ]),
        ...(words?.evidence ?? []),
      ],
      holders: placement.holding().holders,
      sentence: `${pod.name} needs ${ask.words} and is the new version of ${own.name}, whose ${countInWords(there.length, "old replica")} on ${fit.facts.node.record.name} still ${there.length === 1 ? "holds" : "hold"} ${unitsInWords(resource, Math.ceil(held))}: neither can go first.`,
      step: `old replicas of ${own.name} hold the GPUs`,
      next: [
        `Let an old replica go first: maxSurge 0 and maxUnavailable 1, or the Recreate strategy, for ${own.name}.`,
        `kubectl -n ${shellWord(pod.namespace)} rollout status deployment ${shellWord(own.name)}`,
      ],
      reads: ["controllers"],
    };
  }
  return undefined;
};

/** `NAMESPACE/NAME` of what is rolled out -> its placed GPU pods. */
const rolloutsOf = perFleet(({ gpuPods }) => {
  const placed = gpuPods.filter((pod) => pod.nodeName !== undefined && rolloutOf(pod) !== undefined);
  return Map.groupBy(placed, (pod) => `${pod.namespace}/${rolloutOf(pod)?.name}`);
});

/** Labels of things that keep the old version until the new one is ready, and of which version a pod is. */
const ROLLOUTS: readonly (readonly [name: string, revision: string])[] = [
  ["serving.knative.dev/service", "serving.knative.dev/revision"],
  ["ray.io/originated-from-cr-name", "ray.io/cluster"],
];

function rolloutOf({
  owner,
  labels,
}: PodRecord): { readonly name: string; readonly revision: string } | undefined {
  for (const [name, revision] of ROLLOUTS) {
    if (labels[name] && labels[revision]) return { name: labels[name], revision: labels[revision] };
  }
  const hash = labels["pod-template-hash"] ?? labels["rollouts-pod-template-hash"];
  if (owner?.kind !== "ReplicaSet" || !hash || !owner.name.endsWith(`-${hash}`)) return undefined;
  return { name: owner.name.slice(0, -hash.length - 1), revision: hash };
}
