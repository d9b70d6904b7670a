import type { EventRecord } from "../../model/kubernetes.ts";
import { conditionOf, eventEvidence } from "../evidence.ts";
import type { Finding, Question, Rule } from "../question.ts";
import { readLog } from "../runtime/read-log.ts";
import { cutText, shellWord } from "../wording.ts";
import { coreOf, deviceFault, GPU_RUNTIME } from "./gpu-runtime.ts";

/** How long a bound pod may take to start: images and volumes of GPU pods are large. */
const NORMAL_START_MS = 10 * 60_000;

/**
 * Bound for longer than a start takes, or waiting for what does not exist, and its containers are not there. A mount
 * that fails is the workload's to mend as far as anyone can tell from here (a missing secret, config map or volume); a
 * sandbox or a claim that fails for its devices is the node's. Other reasons, a slow pull among them, have no code: such
 * a pod is in progress, however long it takes.
 */
export const notStarted: Rule<Question> = (question) => {
  const { pod, fleet, now } = question;
  if (pod.phase !== "Pending") return undefined;
  const boundAt = conditionOf(pod, "PodScheduled")?.lastTransitionTime ?? pod.createdAt;
  const age = boundAt === undefined ? 0 : now - boundAt;
  const isLate = age >= NORMAL_START_MS;
  const events = fleet.events.ofPod(pod.namespace, pod.name);
  const device = events.find((event) => isAboutDevices(event) && (isLate || isRepeated(event, age)));
  if (device) return withoutDevices(question, device);
  const mount = events.find(({ reason }) => MOUNT.test(reason));
  const isRefused = mount && readLog(mount.message)?.reason === "ModelAccessDenied";
  if (isRefused && (isLate || isRepeated(mount, age))) {
    return {
      reason: "ModelAccessDenied",
      sure: { certainty: "high", why: "the storage's own answer, which the kubelet passes on" },
      ...wordsOf(question, mount, "the storage refuses it a volume"),
    };
  }
  const certain = /(?<!driver name \S+ )not found|references non-existent|does not exist/.test(
    mount?.message ?? "",
  );
  // What does not exist when it is looked for a second time does not come by waiting.
  if (!mount || !(isLate || (certain && mount.count > 1))) return undefined;
  return {
    reason: "ContainerConfigError",
    sure: certain
      ? { certainty: "medium", why: "the kubelet names an object that does not exist" }
      : { certainty: "low", why: "a mount can fail for the workload's, the storage's or the node's fault" },
    ...wordsOf(question, mount, "a volume cannot be mounted"),
  };
};

/** What fails so often in the first minutes is no matter of waiting. */
function isRepeated({ count }: EventRecord, age: number): boolean {
  return count >= MANY_TRIES && age >= FEW_MINUTES_MS;
}

const MANY_TRIES = 5;
const FEW_MINUTES_MS = 3 * 60_000;

const MOUNT = /^(FailedMount|FailedAttachVolume|FailedMapVolume)$/;

/** A sandbox without a GPU runtime, a claim that its driver cannot prepare, a mount of the driver's files. */
function isAboutDevices({ reason, message }: EventRecord): boolean {
  if (reason === "FailedPrepareDynamicResources") return true;
  return (reason === "FailedCreatePodSandBox" || MOUNT.test(reason)) && GPU_RUNTIME.test(message);
}

function withoutDevices(question: Question, event: EventRecord): Finding {
  const { pod, ask, fleet } = question;
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const fault = deviceFault(node, ask);
  const words = wordsOf(question, event, `the node cannot give it its devices${fault.words}`);
  return {
    ...words,
    reason: fault.reason,
    sure:
      fault.reason === "DeviceNotReadyAtAdmission"
        ? GPU_RUNTIME.test(event.message)
          ? { certainty: "medium", why: "the container runtime's own error" }
          : { certainty: "low", why: "only the kubelet's event says so" }
        : { certainty: "high", why: "the kubelet's event and the node agree" },
    pool: node?.poolId,
    evidence: [...words.evidence, ...fault.evidence],
    next: [...fault.next, ...words.next],
    isBlurred: event.reason === "FailedPrepareDynamicResources",
  };
}

function wordsOf({ pod }: Question, event: EventRecord, what: string) {
  return {
    evidence: [eventEvidence(event)],
    sentence: `${pod.name} is on ${pod.nodeName} and does not start, since ${what}: ${cutText(coreOf(event.message), 160)}.`,
    step: what,
    next: [`kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`],
  };
}
