import { isConfigReason } from "../../layers/kubelet-reasons.ts";
import type { ContainerRecord, EventRecord, PodRecord } from "../../model/kubernetes.ts";

/** A container that could not be made or started, and the runtime's own words for why. */
export interface StartError {
  readonly container: ContainerRecord;
  readonly message: string;
}

/** What the kubelet reports of a container that it could not make or start: in its status, or in its events. */
export function startErrorOf(pod: PodRecord, events: readonly EventRecord[]): StartError | undefined {
  for (const container of pod.containers) {
    const { state, lastTermination } = container;
    if (state.kind !== "waiting" && state.kind !== "terminated") continue;
    const wasSo = state.kind === "waiting" && isConfigReason(lastTermination?.reason ?? "");
    if (!wasSo && !isConfigReason(state.reason)) continue;
    const own = wasSo ? lastTermination?.message : state.message;
    return { container, message: own || failedEvent(events)?.message || "" };
  }
  return undefined;
}

/** `Error: failed to create containerd task: …`. */
function failedEvent(events: readonly EventRecord[]): EventRecord | undefined {
  return events.find((event) => event.reason === "Failed" && /^Error: .{12,}/s.test(event.message));
}
