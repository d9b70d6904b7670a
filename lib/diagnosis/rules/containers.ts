import type { ContainerRecord, PodRecord, Termination } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import { containerState, exitInWords } from "../container-state.ts";
import { containerEvidence, eventEvidence } from "../evidence.ts";
import type { Finding, Question, Rule } from "../question.ts";
import { countInWords, cutText, shellWord } from "../wording.ts";

/** Waiting reasons of the kubelet's image manager. https://kubernetes.io/docs/concepts/containers/images/ */
const IMAGE =
  /^(ImagePullBackOff|ErrImagePull|InvalidImageName|ErrImageNeverPull|ImageInspectError|RegistryUnavailable|SignatureValidationFailed)$/;

/** The kubelet or the runtime cannot make or start the container as it is written. */
const CONFIG =
  /^(CreateContainerConfigError|CreateContainerError|RunContainerError|PreCreateHookError|PreStartHookError|PostStartHookError|ContainerCannotRun|StartError)$/;

/** A crash this long ago, with the container running again, still counts: the kubelet's back-off ends at 5 minutes. */
const RECENT_MS = 10 * 60_000;

/** The image of a container cannot be pulled. */
export const imagePullFailed: Rule<Question> = ({ pod, fleet }) => {
  const container = pod.containers.find(
    (one) => one.state.kind === "waiting" && IMAGE.test(one.state.reason),
  );
  if (container?.state.kind !== "waiting") return undefined;
  const event = fleet.events
    .ofPod(pod.namespace, pod.name)
    .find((one) => one.reason === "Failed" && /image/i.test(one.message));
  const message = (event?.message || container.state.message).replace(/^Failed to pull image "[^"]*": /, "");
  return {
    ...found("ImagePullFailed", pod, container),
    evidence: [
      containerEvidence(pod, container, containerState(container)),
      ...(event ? [eventEvidence(event)] : []),
    ],
    sentence: `${pod.name} is on ${pod.nodeName} and cannot pull the image ${container.image}${message ? `: ${cutText(message, 160)}` : ""}.`,
    step: `image ${container.image} cannot be pulled`,
  };
};

/** A container cannot be made or started as it is written. */
export const containerConfigError: Rule<Question> = ({ pod }) => {
  const container = pod.containers.find(
    ({ state, lastTermination }) =>
      (state.kind === "waiting" && CONFIG.test(state.reason)) ||
      (state.kind === "terminated" && CONFIG.test(state.reason)) ||
      (state.kind === "waiting" && CONFIG.test(lastTermination?.reason ?? "")),
  );
  if (!container) return undefined;
  return {
    ...found("ContainerConfigError", pod, container),
    sentence: `${pod.name} is on ${pod.nodeName}, but its container ${container.name} cannot be started: ${cutText(containerState(container), 200)}.`,
    step: `container ${container.name} cannot be started`,
  };
};

/** The kernel kills a container for host memory, again and again. */
export const hostOutOfMemory: Rule<Question> = ({ pod, now }) => {
  const container = pod.containers.find((one) => {
    const end = failure(one, now, 1);
    // The kubelet words some of these kills as plain errors of exit 137: the one before tells what they are.
    return (
      end?.reason === "OOMKilled" || (end?.exitCode === 137 && one.lastTermination?.reason === "OOMKilled")
    );
  });
  if (!container) return undefined;
  return {
    ...found("HostOutOfMemory", pod, container),
    sentence: `${pod.name} is on ${pod.nodeName}, but its container ${container.name} is killed for lack of host memory (OOMKilled, ${restarts(container)}): its memory limit is too low for what it does.`,
    step: `container ${container.name} is OOMKilled`,
  };
};

/** A container keeps failing. */
export const crashLoop: Rule<Question> = ({ pod, now }) => {
  const container = pod.containers.find((one) => failure(one, now, 2) !== undefined);
  const end = container && failure(container, now, 2);
  if (!container || !end) return undefined;
  const again = container.state.kind === "running";
  const finding = found("CrashLoop", pod, container);
  const how = end === UNKNOWN_END ? "how it ends is not recorded" : exitInWords(end);
  const line = end.message === "" ? "" : `: ${cutText(end.message, 160)}`;
  return {
    ...finding,
    sure: again ? { certainty: "medium", why: "it is running again just now" } : finding.sure,
    sentence: `${pod.name} is on ${pod.nodeName}, but its container ${container.name} keeps failing: ${how}, ${restarts(container)}${line}.`,
    step: `container ${container.name} keeps failing: ${how}, ${restarts(container)}`,
  };
};

/**
 * How a container that does not stay up last ended; undefined for one that does. A container that runs again counts
 * while its last failure is recent and it has been restarted `least` times.
 */
function failure(container: ContainerRecord, now: number, least: number): Termination | undefined {
  const { state, lastTermination, restarts: count } = container;
  switch (state.kind) {
    case "waiting":
      if (state.reason !== "CrashLoopBackOff") return undefined;
      return lastTermination ?? UNKNOWN_END;
    case "terminated":
      return state.exitCode === 0 ? undefined : state;
    case "running": {
      if (!lastTermination || lastTermination.exitCode === 0 || count < least) return undefined;
      const { finishedAt } = lastTermination;
      return finishedAt !== undefined && now - finishedAt < RECENT_MS ? lastTermination : undefined;
    }
    case "none":
      return undefined;
    default:
      return state satisfies never;
  }
}

const UNKNOWN_END: Termination = {
  exitCode: -1,
  reason: "end not recorded",
  message: "",
  startedAt: undefined,
  finishedAt: undefined,
};

const restarts = (container: ContainerRecord): string => countInWords(container.restarts, "restart");

function found(
  reason: Reason,
  pod: PodRecord,
  container: ContainerRecord,
): Pick<Finding, "reason" | "sure" | "evidence" | "next"> {
  const namespace = shellWord(pod.namespace);
  const name = shellWord(pod.name);
  const previous = container.restarts > 0 ? " --previous" : "";
  const logs = `kubectl -n ${namespace} logs ${name} -c ${shellWord(container.name)}${previous}`;
  const describe = `kubectl -n ${namespace} describe pod ${name}`;
  return {
    reason,
    sure: { certainty: "high", why: "the kubelet reports it in the pod's own status" },
    evidence: [containerEvidence(pod, container, containerState(container))],
    next: container.lastTermination ? [logs, describe] : [describe],
  };
}
