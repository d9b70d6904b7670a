import {
  containerFinding,
  containerInWords,
  failingContainer,
  failureOf,
  introOf,
  restartsInWords as restarts,
  UNKNOWN_END,
} from "../container-failure.ts";
import { exitMeaning } from "../container-state.ts";
import { eventEvidence, podEvidence } from "../evidence.ts";
import { lastTimeIn } from "../log-of-pod.ts";
import type { Question, Rule } from "../question.ts";
import { lastWords } from "../read-log.ts";
import { cutText } from "../wording.ts";

/** The kernel kills a container for host memory. https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/ */
export const hostOutOfMemory: Rule<Question> = ({ pod, now }) => {
  const container = pod.containers.find((one) => {
    const end = failureOf(one, now);
    // The kubelet words some of these kills as plain errors of exit 137: the one before tells what they are.
    return (
      end?.reason === "OOMKilled" || (end?.exitCode === 137 && one.lastTermination?.reason === "OOMKilled")
    );
  });
  if (!container) return undefined;
  const finding = containerFinding("HostOutOfMemory", pod, container);
  return {
    ...finding,
    sentence: `${introOf(pod)} its ${containerInWords(container)} is killed for lack of host memory (OOMKilled, ${restarts(container)}): its memory limit is too low for what it does.`,
    step: `${containerInWords(container)} is OOMKilled`,
    next: ["Raise its memory limit, or load less at once: fewer workers, smaller shards.", ...finding.next],
  };
};

/** Killed by a signal that nobody owns up to: mostly the kernel, which a child's death alone does not word as OOMKilled. */
export const killedWithoutWord: Rule<Question> = ({ pod, fleet, now }) => {
  const failing = failingContainer(pod, now);
  if (failing?.end.exitCode !== 137 || failing.end.reason === "ContainerStatusUnknown") return undefined;
  const { container } = failing;
  const finding = containerFinding("HostOutOfMemory", pod, container);
  const kill = fleet.events
    .ofNode(pod.nodeName ?? "")
    .find(
      ({ reason, lastAt }) => /^(OOMKilling|SystemOOM)$/.test(reason) && near(lastAt, failing.end.finishedAt),
    );
  return {
    ...finding,
    sure: kill
      ? { certainty: "medium", why: "the kernel of its node killed for memory at that time" }
      : {
          certainty: "low",
          why: "exit 137 is a kill without a reason given; mostly that is the kernel's, for memory",
        },
    evidence: [...finding.evidence, ...(kill ? [eventEvidence(kill)] : [])],
    sentence: `${introOf(pod)} its ${containerInWords(container)} is killed (exit 137, SIGKILL, ${restarts(container)}), most likely for lack of host memory.`,
    step: `${containerInWords(container)} is killed, exit 137`,
  };
};

/** A write to shared memory that is used up ends in a bus error. */
export const busError: Rule<Question> = ({ pod, now }) => {
  const failing = failingContainer(pod, now);
  if (failing?.end.exitCode !== 135 || pod.hasSharedMemoryVolume) return undefined;
  const { container } = failing;
  const finding = containerFinding("SharedMemoryTooSmall", pod, container);
  return {
    ...finding,
    sure: { certainty: "medium", why: "it ended in a bus error, and nothing is mounted on its /dev/shm" },
    evidence: [
      ...finding.evidence,
      podEvidence(pod, "spec.containers[].volumeMounts", "nothing on /dev/shm"),
    ],
    sentence: `${introOf(pod)} its ${containerInWords(container)} ends in a bus error (exit 135, ${restarts(container)}), and nothing is mounted on its /dev/shm, which leaves 64 MiB.`,
    step: `${containerInWords(container)} ends in a bus error with 64 MiB of shared memory`,
    next: ["Mount an emptyDir with medium Memory and a sizeLimit on /dev/shm.", ...finding.next],
  };
};

const NEAR_MS = 2 * 60_000;

function near(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && Math.abs(one - other) < NEAR_MS;
}

/** A container keeps failing, or has failed for good. */
export const crashLoop: Rule<Question> = ({ pod, now, logs }) => {
  const failing = failingContainer(pod, now, 2);
  if (!failing) return undefined;
  const { container, end } = failing;
  const isBack = container.state.kind === "running";
  const finding = containerFinding("CrashLoop", pod, container);
  const how = end === UNKNOWN_END ? "how it ends is not recorded" : exitMeaning(end);
  const text = logs(pod.namespace, pod.name, container.name);
  const words = text === undefined ? end.message : lastWords(text);
  const fails = failsInWords(pod.phase === "Failed", end.exitCode);
  const what = `its ${containerInWords(container)} ${fails}: ${how}, ${restarts(container)}`;
  return {
    ...finding,
    sure: isBack ? { certainty: "medium", why: "it is running again just now" } : finding.sure,
    evidence: [
      ...finding.evidence,
      ...(text !== undefined && words
        ? [podEvidence(pod, `log of ${container.name}`, words, lastTimeIn(words))]
        : []),
    ],
    sentence: `${introOf(pod)} ${what}${words ? `: ${cutText(words, 160)}` : ""}.`,
    step: what.replace(/^its /, ""),
  };
};

function failsInWords(isOver: boolean, exitCode: number): string {
  if (exitCode === 0) return "keeps ending, though nothing fails";
  return isOver ? "failed" : "keeps failing";
}
