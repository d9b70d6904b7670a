import { isConfigReason, isImageReason } from "../layers/kubelet-reasons.ts";
import type { ContainerRecord, PodRecord } from "../model/kubernetes.ts";

/** Whether a bound pod works its GPUs, and if not, why: one line and since when. */
export interface PodWork {
  readonly working: boolean;
  readonly reason: string;
  readonly detail: string;
  readonly since: number | undefined;
}

/** Works: its phase is Running and no container waits or has died. Utilisation is not known here. */
export function podWork(pod: PodRecord): PodWork {
  const trouble = pod.containers
    .map((container) => troubleOf(container, pod))
    .find((found) => found !== undefined);
  if (trouble) return { working: false, ...trouble };
  if (pod.phase === "Running")
    return { working: true, reason: "Running", detail: "runs", since: startOf(pod) };
  const bound = pod.conditions.find((c) => c.type === "PodScheduled" && c.status === "True");
  return {
    working: false,
    reason: "Starting",
    detail: pod.phase === "Unknown" ? "its state is unknown" : "does not run yet",
    since: bound?.lastTransitionTime ?? pod.createdAt,
  };
}

function troubleOf(container: ContainerRecord, pod: PodRecord): Omit<PodWork, "working"> | undefined {
  const { state } = container;
  const since = notReadySince(pod);
  if (state.kind === "waiting") {
    if (isImageReason(state.reason)) {
      return { reason: "ImagePullFailed", detail: `cannot pull ${container.image}`, since };
    }
    if (isConfigReason(state.reason)) {
      return {
        reason: "ContainerConfigError",
        detail: `${container.name}: ${state.reason}`,
        since,
      };
    }
    if (state.reason === "CrashLoopBackOff" || container.restarts > 0) {
      return { reason: "CrashLoop", detail: crashDetail(container), since };
    }
    return undefined;
  }
  // A container that has ended well is done, and the others may work on.
  if (state.kind === "terminated" && state.exitCode !== 0 && pod.phase === "Running") {
    return { reason: "CrashLoop", detail: crashDetail(container), since };
  }
  return undefined;
}

/** Since when the pod has not been Ready: a crash loop is as old as that, not as its last crash. */
function notReadySince(pod: PodRecord): number | undefined {
  const ready = pod.conditions.find((c) => c.type === "Ready" && c.status !== "True");
  return ready?.lastTransitionTime ?? pod.createdAt;
}

function crashDetail(container: ContainerRecord): string {
  const last = container.state.kind === "terminated" ? container.state : container.lastTermination;
  const restarts = `${container.restarts} ${container.restarts === 1 ? "restart" : "restarts"}`;
  return last === undefined
    ? `${container.name} crash-loops, ${restarts}`
    : `${container.name} exits ${last.exitCode}${last.reason ? ` (${last.reason})` : ""}, ${restarts}`;
}

function startOf(pod: PodRecord): number | undefined {
  const starts = pod.containers.flatMap((c) => (c.state.kind === "running" ? [c.state.startedAt ?? 0] : []));
  const latest = Math.max(0, ...starts);
  return latest > 0 ? latest : undefined;
}
