import type { Fleet } from "../../layers/fleet.ts";
import type { ControllerRecord } from "../../model/facts/controllers.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { controllerNamed } from "../controller-named.ts";
import { isHistory } from "../history.ts";
import { isReplaced } from "./siblings.ts";

/** The words of the kinds that are read for a workload that has done what it was for. */
const DONE = /^(Complete|Succeeded|SuccessCriteriaMet)$/;

/**
 * Whether a failed pod is only what is left of something that is over: it has been replaced, its owner has succeeded
 * without it, or no owner is known that goes on, and a day has passed since it failed. Kubernetes itself keeps such pods
 * as long as their owner, or until there are 12,500 of them.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-garbage-collection
 */
export function isLeftBehind(pod: PodRecord, fleet: Fleet, now: number): boolean {
  if (isReplaced(pod, fleet)) return true;
  const owner = ownerOf(pod, fleet);
  if (owner && !owner.finished) return false;
  if (owner?.conditions.some(({ type, status }) => status === "True" && DONE.test(type))) return true;
  const seen = lastSeen(pod);
  return seen !== undefined && isHistory(seen, fleet, now);
}

/** undefined: it has none, or one that has gone or is not read. */
function ownerOf({ namespace, owner }: PodRecord, fleet: Fleet): ControllerRecord | undefined {
  if (!owner) return undefined;
  const found = controllerNamed(fleet, { ...owner, namespace });
  // Another one of the same name may have come in its place.
  const isSame = found && (owner.uid === "" || found.uid === "" || owner.uid === found.uid);
  return isSame ? found : undefined;
}

/** When its status last changed; a pod that the kubelet refused has had no container. */
function lastSeen({ createdAt, containers, conditions }: PodRecord): number | undefined {
  const times = [
    createdAt,
    ...containers.map(({ state }) => (state.kind === "terminated" ? state.finishedAt : undefined)),
    ...conditions.map(({ lastTransitionTime }) => lastTransitionTime),
  ].filter((time) => time !== undefined);
  return times.length > 0 ? Math.max(...times) : undefined;
}
