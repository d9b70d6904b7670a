import type { Fleet } from "../../layers/fleet.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { containerEvidence, podEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import { perFleet } from "../per-fleet.ts";
import { containerState } from "../runtime/container-state.ts";
import type { Evidence } from "../verdict.ts";
import { timeInWords } from "../wording.ts";

/** That an autoscaler of the cluster does not work at all. */
export interface AutoscalerTrouble {
  /** `kube-system/cluster-autoscaler-1 does not run (CrashLoopBackOff, 9 restarts)`. */
  readonly what: string;
  readonly evidence: Evidence;
}

const NAMES = {
  "cluster-autoscaler": /cluster-autoscaler(?!-(exporter|priority))/,
  karpenter: /(^|-)karpenter(-|$)/,
} as const;

/** Cluster Autoscaler writes its status every ten seconds. */
const STALE_MS = 15 * 60_000;

/** undefined where it works, or where nothing of it can be seen: clouds run theirs outside the cluster. */
export function autoscalerTrouble(
  fleet: Fleet,
  now: number,
  which: keyof typeof NAMES,
): AutoscalerTrouble | undefined {
  const pods = controllerPods(fleet)[which];
  const [down] = pods;
  if (down && !pods.some(isUp)) {
    const container = down.containers.find(({ ready, init }) => !ready && !init);
    const state = container ? containerState(container) : down.phase;
    const name = `${down.namespace}/${down.name}`;
    const evidence = container
      ? containerEvidence(down, container, state)
      : podEvidence(down, "status.phase", down.phase, down.createdAt);
    return { what: `${name} does not run (${state.split(":")[0]})`, evidence };
  }
  if (which !== "cluster-autoscaler") return undefined;
  const [record] = fleet.facts.autoscalerStatus.items;
  if (record?.updatedAt === undefined || now - record.updatedAt < STALE_MS) return undefined;
  const at = timeInWords(record.updatedAt, now);
  const evidence = factEvidence(record, "data.status", `written at ${at}`, record.updatedAt);
  return { what: `the autoscaler has not written its status since ${at}`, evidence };
}

const controllerPods = perFleet((fleet) => {
  const alive = fleet.pods.filter(
    ({ phase, deletedAt }) => phase !== "Succeeded" && phase !== "Failed" && deletedAt === undefined,
  );
  const named = (words: RegExp) => alive.filter(({ name }) => words.test(name));
  return { "cluster-autoscaler": named(NAMES["cluster-autoscaler"]), karpenter: named(NAMES.karpenter) };
});

/** A container without a state, or in its first runs, has not been seen to fail. */
function isUp({ phase, containers }: PodRecord): boolean {
  return (
    phase === "Running" &&
    containers.every(
      ({ ready, init, state, restarts }) =>
        init || ready || state.kind === "none" || (state.kind === "running" && restarts < 3),
    )
  );
}
