import type { ContainerRecord, EventRecord, Termination } from "../../model/kubernetes.ts";
import { eventEvidence, podEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import {
  containerFinding,
  containerInWords,
  failingContainer,
  failureOf,
  introOf,
  isReady,
  isUnknownEnd,
  restartsInWords as restarts,
  UNKNOWN_END,
} from "../runtime/container-failure.ts";
import { exitMeaning } from "../runtime/container-state.ts";
import { lastTimeIn } from "../runtime/log-of-pod.ts";
import { lastWords } from "../runtime/read-log.ts";
import { cutText } from "../wording.ts";

/** The kernel kills a container for host memory. https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/ */
export const hostOutOfMemory: Rule<Question> = ({ pod, now }) => {
  const container = pod.containers.find((one) => {
    // One kill that it has got over since tells of nothing now.
    const end = failureOf(one, now, one.ready && isReady(pod) ? 2 : 1);
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

/** What a program says of one of its processes that is gone, without knowing why. */
const PROCESS_GONE =
  /(process|proc|worker|engine|shard|rank)\b.*\b(died|dead|was killed|has been killed|terminated unexpectedly|exited unexpectedly)|signal: (9|killed)|\bSIGKILL\b|exit ?code:? -9/i;

/** Killed by a signal that nobody owns up to: mostly the kernel, which a child's death alone does not word as OOMKilled. */
export const killedWithoutWord: Rule<Question> = (question) => {
  const { pod, fleet, now } = question;
  const failing = failingContainer(pod, now, isReady(pod) ? 2 : 1);
  if (!failing || isUnknownEnd(failing.end)) return undefined;
  const { container, end } = failing;
  const kill = kernelKill(fleet.events.ofNode(pod.nodeName ?? ""), end);
  if (end.exitCode !== 137) return kill && killedWithin(question, container, kill);
  const finding = containerFinding("HostOutOfMemory", pod, container);
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

/** The container ended by itself, since the kernel killed one of its processes. */
function killedWithin({ pod, logs }: Question, container: ContainerRecord, kill: EventRecord) {
  const said = logs(pod.namespace, pod.name, container.name)
    ?.split("\n")
    .findLast((line) => PROCESS_GONE.test(line.slice(0, LINE_LENGTH)));
  const isNamed = kill.message.replaceAll("_", "-").includes(pod.uid) && pod.uid !== "";
  if (said === undefined && !isNamed) return undefined;
  const finding = containerFinding("HostOutOfMemory", pod, container);
  const words = said ? `: “${cutText(said, 120)}”` : "";
  return {
    ...finding,
    sure: isNamed
      ? {
          certainty: "high" as const,
          why: "the kernel of its node names the pod as the one that it killed for",
        }
      : {
          certainty: "medium" as const,
          why: "the kernel of its node killed for memory when it lost a process",
        },
    evidence: [...finding.evidence, eventEvidence(kill)],
    sentence: `${introOf(pod)} its ${containerInWords(container)} lost a process that the kernel killed for lack of host memory (${restarts(container)})${words}.`,
    step: `a process of ${containerInWords(container)} is killed for lack of host memory`,
    next: ["Raise its memory limit, or load less at once: fewer workers, smaller shards.", ...finding.next],
  };
}

/** Longer lines are cut before they are searched. */
const LINE_LENGTH = 2_000;

/** https://github.com/kubernetes/node-problem-detector names the first, the kubelet the second. */
function kernelKill(events: readonly EventRecord[], { finishedAt }: Termination): EventRecord | undefined {
  return events.find(
    ({ reason, lastAt }) => /^(OOMKilling|SystemOOM)$/.test(reason) && near(lastAt, finishedAt),
  );
}

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
  // What ended with its node has been told of.
  if (!failing || (pod.phase === "Failed" && isUnknownEnd(failing.end))) return undefined;
  const { container, end } = failing;
  const isBack = container.state.kind === "running";
  const finding = containerFinding("CrashLoop", pod, container);
  const how = end === UNKNOWN_END ? "how it ends is not recorded" : exitMeaning(end);
  const text = logs(pod.namespace, pod.name, container.name) || undefined;
  const words = lastWords(text ?? end.message);
  const fails = failsInWords(pod.phase === "Failed", end.exitCode);
  const what = `its ${containerInWords(container)} ${fails}: ${how}, ${restarts(container)}`;
  return {
    ...finding,
    sure: isBack
      ? { certainty: "medium", why: "it is running again just now" }
      : words
        ? finding.sure
        : {
            certainty: "medium",
            why: "the kubelet reports it; what it printed is not at hand, so why it ends is not known",
          },
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
