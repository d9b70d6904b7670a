import { listAt, textAt, valueAt } from "./json-value.ts";

/** `READY` of a pod as kubectl prints it: ready containers of all. */
export function podReady(pod: unknown): string {
  const ready = containers(pod).filter((status) => valueAt(status, "ready") === true).length;
  return `${ready}/${listAt(pod, "spec", "containers").length}`;
}

/** `RESTARTS` of a pod: the sum over its containers. */
export function podRestarts(pod: unknown): string {
  return String(
    containers(pod).reduce((sum: number, status) => sum + Number(textAt(status, "restartCount")), 0),
  );
}

/** `STATUS` of a pod as kubectl prints it: what holds it up, else its phase. */
export function podStatus(pod: unknown): string {
  if (valueAt(pod, "metadata", "deletionTimestamp")) return "Terminating";
  return (
    initReason(pod) ??
    containerReason(pod) ??
    (textAt(pod, "status", "reason") || gated(pod) || textAt(pod, "status", "phase") || "Unknown")
  );
}

function initReason(pod: unknown): string | undefined {
  const total = listAt(pod, "spec", "initContainers").length;
  for (const [index, status] of listAt(pod, "status", "initContainerStatuses").entries()) {
    const terminated = valueAt(status, "state", "terminated");
    if (terminated ? textAt(terminated, "exitCode") === "0" : valueAt(status, "started") === true) continue;
    const waiting = textAt(status, "state", "waiting", "reason");
    if (terminated)
      return `Init:${textAt(terminated, "reason") || `ExitCode:${textAt(terminated, "exitCode")}`}`;
    return waiting && waiting !== "PodInitializing" ? `Init:${waiting}` : `Init:${index}/${total}`;
  }
  return undefined;
}

function containerReason(pod: unknown): string | undefined {
  const reasons = containers(pod).map((status) => {
    const terminated = valueAt(status, "state", "terminated");
    return (
      textAt(status, "state", "waiting", "reason") ||
      (terminated && (textAt(terminated, "reason") || `ExitCode:${textAt(terminated, "exitCode")}`))
    );
  });
  const reason = reasons.find((each) => typeof each === "string" && each !== "");
  // One container of several may be done while the pod goes on.
  const running = containers(pod).some((status) => valueAt(status, "state", "running") !== undefined);
  if (reason === "Completed" && running) return "NotReady";
  return typeof reason === "string" ? reason : undefined;
}

function gated(pod: unknown): string {
  const gate = listAt(pod, "status", "conditions").find(
    (condition) => textAt(condition, "reason") === "SchedulingGated",
  );
  return textAt(gate, "reason");
}

function containers(pod: unknown): readonly unknown[] {
  return listAt(pod, "status", "containerStatuses");
}
