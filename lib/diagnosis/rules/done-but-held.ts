import { acceleratorUnit } from "../../model/accelerators.ts";
import type { ContainerRecord } from "../../model/kubernetes.ts";
import { containerEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { containerFinding } from "../runtime/container-failure.ts";
import { containerState } from "../runtime/container-state.ts";
import { listInWords, timeInWords } from "../wording.ts";

/** Helpers beside a workload may take that long to send off what it left. */
const NORMAL_END_MS = 15 * 60_000;

/**
 * All containers that asked for devices have done their work, and others of the pod run on, such as the proxy of a
 * service mesh: the pod keeps its devices for nothing.
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#sidecar-containers-and-pod-lifecycle
 */
export const doneButHeld: Rule<Question> = ({ pod, ask, fleet, now }) => {
  if (pod.phase !== "Running") return undefined;
  const own = pod.containers.filter(({ init }) => !init);
  const workers = own.filter(({ extended }) =>
    extended?.some((name) => acceleratorUnit(name, fleet.acceleratorNames) !== undefined),
  );
  const ends = workers.map(endOfWork);
  const [worker] = workers;
  const [left] = own.filter(({ state }) => state.kind === "running");
  if (!worker || !left || ends.some((end) => end === undefined)) return undefined;
  const done = Math.max(...ends.map((end) => end ?? 0));
  if (now - done < NORMAL_END_MS) return undefined;
  const names = listInWords(workers.map(({ name }) => name));
  const finding = containerFinding("GpuIdle", pod, left);
  return {
    ...finding,
    evidence: [containerEvidence(pod, worker, containerState(worker)), ...finding.evidence],
    sentence: `${pod.name} still holds ${ask.words} on ${pod.nodeName}, though its container ${names} was done at ${timeInWords(done, now)}: its container ${left.name} runs on and keeps the pod.`,
    step: `container ${names} is done, container ${left.name} keeps the pod and its ${ask.words}`,
    next: [
      `Stop ${left.name} when the work is done: make it a native sidecar (an init container with restartPolicy Always), or let the work ask it to quit.`,
      ...finding.next,
    ],
  };
};

/** When it ended well; undefined where it has not. */
function endOfWork({ state }: ContainerRecord): number | undefined {
  return state.kind === "terminated" && state.exitCode === 0 ? state.finishedAt : undefined;
}
