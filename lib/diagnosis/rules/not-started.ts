import type { EventRecord } from "../../model/kubernetes.ts";
import { conditionOf, eventEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { cutText, shellWord } from "../wording.ts";

/** How long a bound pod may take to start: images and volumes of GPU pods are large. */
const NORMAL_START_MS = 10 * 60_000;

/**
 * Bound for longer than a start takes, or waiting for what does not exist, and its containers are not there. A mount that fails is the workload's to mend as
 * far as anyone can tell from here (a missing secret, config map or volume); a sandbox that fails for its GPUs is the
 * node's. Other reasons, a slow pull among them, have no code: such a pod is in progress, however long it takes.
 */
export const notStarted: Rule<Question> = ({ pod, fleet, now }) => {
  if (pod.phase !== "Pending") return undefined;
  const boundAt = conditionOf(pod, "PodScheduled")?.lastTransitionTime ?? pod.createdAt;
  const isLate = boundAt !== undefined && now - boundAt >= NORMAL_START_MS;
  const events = fleet.events.ofPod(pod.namespace, pod.name);
  const mount = events.find((event) =>
    /^(FailedMount|FailedAttachVolume|FailedMapVolume)$/.test(event.reason),
  );
  const certain = /not found/.test(mount?.message ?? "");
  // What does not exist when it is looked for a second time does not come by waiting.
  if (mount && (isLate || (certain && mount.count > 1))) {
    return {
      reason: "ContainerConfigError",
      sure: certain
        ? { certainty: "medium", why: "the kubelet names an object that does not exist" }
        : { certainty: "low", why: "a mount can fail for the workload's, the storage's or the node's fault" },
      ...wordsOf(mount, "a volume cannot be mounted", pod.name, pod.namespace, pod.nodeName),
    };
  }
  if (!isLate) return undefined;
  const sandbox = events.find(
    (event) =>
      event.reason === "FailedCreatePodSandBox" && /nvidia|cdi|gpu|runtime handler/i.test(event.message),
  );
  if (!sandbox) return undefined;
  return {
    reason: "DeviceNotReadyAtAdmission",
    sure: { certainty: "low", why: "only the kubelet's event says so" },
    ...wordsOf(sandbox, "the node cannot give it its GPUs", pod.name, pod.namespace, pod.nodeName),
  };
};

function wordsOf(event: EventRecord, what: string, name: string, namespace: string, node = "") {
  return {
    evidence: [eventEvidence(event)],
    sentence: `${name} is on ${node} and does not start, since ${what}: ${cutText(event.message, 160)}.`,
    step: what,
    next: [`kubectl -n ${shellWord(namespace)} describe pod ${shellWord(name)}`],
  };
}
