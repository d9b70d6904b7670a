import type { ContainerRecord, PodRecord, Termination } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import { conditionOf, containerEvidence } from "../evidence.ts";
import type { Finding } from "../question.ts";
import { countInWords, shellWord } from "../wording.ts";
import { containerState } from "./container-state.ts";

/** A crash this long ago, with the container running again, still counts: the kubelet's back-off ends at 5 minutes. */
const RECENT_MS = 10 * 60_000;

/** How a container ended of which nothing is recorded. */
export const UNKNOWN_END: Termination = {
  exitCode: -1,
  reason: "end not recorded",
  message: "",
  startedAt: undefined,
  finishedAt: undefined,
};

/** What the kubelet and containerd write of a container of which nothing was left when they came back. */
export function isUnknownEnd({ reason, exitCode }: Pick<Termination, "reason" | "exitCode">): boolean {
  return reason === "ContainerStatusUnknown" || (reason === "Unknown" && exitCode === 255);
}

/**
 * How a container that does not stay up last ended; undefined for one that does. A container that runs again counts
 * while its last failure is recent and it has been restarted `least` times.
 */
export function failureOf(container: ContainerRecord, now: number, least = 1): Termination | undefined {
  const { state, lastTermination, restarts } = container;
  switch (state.kind) {
    case "waiting":
      if (state.reason !== "CrashLoopBackOff") return undefined;
      return lastTermination ?? UNKNOWN_END;
    case "terminated":
      return state.exitCode === 0 ? undefined : state;
    case "running": {
      if (!lastTermination || lastTermination.exitCode === 0 || restarts < least) return undefined;
      const { finishedAt } = lastTermination;
      return finishedAt !== undefined && now - finishedAt < RECENT_MS ? lastTermination : undefined;
    }
    case "none":
      return undefined;
    default:
      return state satisfies never;
  }
}

/** The first container that does not stay up, and how it last ended. */
export function failingContainer(
  pod: PodRecord,
  now: number,
  least = 1,
): { readonly container: ContainerRecord; readonly end: Termination } | undefined {
  for (const container of pod.containers) {
    const end = failureOf(container, now, least);
    if (end) return { container, end };
  }
  return undefined;
}

/** What every finding about a container has alike: evidence, and the commands that show more. */
export function containerFinding(
  reason: Reason,
  pod: PodRecord,
  container: ContainerRecord,
): Pick<Finding, "reason" | "sure" | "evidence" | "next"> {
  const namespace = shellWord(pod.namespace);
  const name = shellWord(pod.name);
  const previous = container.restarts > 0 && container.state.kind !== "terminated" ? " --previous" : "";
  const logs = `kubectl -n ${namespace} logs ${name} -c ${shellWord(container.name)}${previous}`;
  const describe = `kubectl -n ${namespace} describe pod ${name}`;
  const hasRun = container.lastTermination !== undefined || container.state.kind !== "waiting";
  return {
    reason,
    sure: { certainty: "high", why: "the kubelet reports it in the pod's own status" },
    evidence: [containerEvidence(pod, container, containerState(container))],
    next: hasRun ? [logs, describe] : [describe],
  };
}

/** How a sentence about its containers begins: `trainer-0 is on node-1, but`, `trainer-0 has failed on node-1:`. */
export function introOf({ name, nodeName, phase }: PodRecord): string {
  const on = nodeName === undefined ? "" : ` on ${nodeName}`;
  return phase === "Failed" ? `${name} has failed${on}:` : `${name} is${on}, but`;
}

/** `14 restarts`. */
export function restartsInWords(container: ContainerRecord): string {
  return countInWords(container.restarts, "restart");
}

/** `init container` or `container`, with its name. */
export function containerInWords(container: ContainerRecord): string {
  return `${container.init ? "init container" : "container"} ${container.name}`;
}

/** Whether the kubelet counts the pod as Ready. */
export function isReady(pod: PodRecord): boolean {
  return pod.phase === "Running" && conditionOf(pod, "Ready")?.status !== "False";
}
