import { conditionOf, eventEvidence, podEvidence, readyEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { gpuTroubleOf } from "../runtime/node-trouble.ts";
import { isReplaced } from "../runtime/siblings.ts";
import { shellWord, timeInWords } from "../wording.ts";

/** A pod that is to go is gone soon after its time, unless its node cannot see to that. */
const OVERDUE_MS = 10 * 60_000;

/**
 * It was to be deleted and is still there, since its node does not answer; what may exist once only, as a StatefulSet's
 * pod, is not made anew until it is gone. https://kubernetes.io/docs/concepts/architecture/nodes/#condition
 */
export const stuckOnLostNode: Rule<Question> = ({ pod, fleet, now }) => {
  const node = fleet.nodes.get(pod.nodeName ?? "");
  if (!node || node.readiness.ready || pod.deletedAt === undefined) return undefined;
  if (now - pod.deletedAt < OVERDUE_MS || isReplaced(pod, fleet)) return undefined;
  const { name } = node.record;
  const deleted = timeInWords(pod.deletedAt, now);
  return {
    reason: "NodeNotReady",
    sure: { certainty: "high", why: "the node's own condition says so, and the pod is long overdue" },
    pool: node.poolId,
    evidence: [readyEvidence(node), podEvidence(pod, "metadata.deletionTimestamp", deleted, pod.deletedAt)],
    sentence: `${pod.name} was to be gone by ${deleted}, but ${name}, which has to end it, is NotReady (${node.readiness.reason || "no reason given"}), so nothing takes its place.`,
    step: `${name} is NotReady and cannot end the pod`,
    next: [
      `kubectl describe node ${shellWord(name)}`,
      `Bring ${name} back; where it is surely off, taint it node.kubernetes.io/out-of-service:NoExecute, so that its pods are made anew elsewhere.`,
    ],
  };
};

/** The node that it is bound to is not Ready, so nothing can start, or be known to run, there. */
export const boundNodeNotReady: Rule<Question> = ({ pod, fleet, now }) => {
  const node = fleet.nodes.get(pod.nodeName ?? "");
  if (!node || node.readiness.ready) return undefined;
  // The node's own trouble may leave the pod at work.
  if (conditionOf(pod, "Ready")?.status === "True") return undefined;
  const { name } = node.record;
  const { reason, since } = node.readiness;
  const when = since === undefined ? "" : ` since ${timeInWords(since, now)}`;
  return {
    reason: "NodeNotReady",
    sure: { certainty: "high", why: "the node's own condition says so" },
    pool: node.poolId,
    evidence: [readyEvidence(node)],
    sentence: `${pod.name} is bound to ${name}, and ${name} is NotReady${when} (${reason || "no reason given"}).`,
    step: `${name} is NotReady`,
    next: [`kubectl describe node ${shellWord(name)}`],
  };
};

/**
 * It was to be deleted, its node answers, and the kubelet cannot end its processes: they hang in the kernel, mostly in
 * the driver of a device that no longer answers.
 */
export const stuckInDriver: Rule<Question> = ({ pod, ask, fleet, now }) => {
  const node = fleet.nodes.get(pod.nodeName ?? "");
  if (!node?.readiness.ready || pod.deletedAt === undefined || now - pod.deletedAt < OVERDUE_MS)
    return undefined;
  const fails = fleet.events
    .ofPod(pod.namespace, pod.name)
    .find(({ reason }) => /^(FailedKillPod|ExceededGracePeriod)$/.test(reason));
  const trouble = gpuTroubleOf(node, fleet, now);
  if (!fails && !trouble) return undefined;
  const { name } = node.record;
  const deleted = timeInWords(pod.deletedAt, now);
  return {
    reason: "GpuLostAtRuntime",
    sure: trouble
      ? { certainty: "medium", why: "the node shows broken GPUs, and the pod on it cannot be ended" }
      : {
          certainty: "low",
          why: "the kubelet cannot end it; that its processes hang in the driver is a guess",
        },
    pool: node.poolId,
    evidence: [
      podEvidence(pod, "metadata.deletionTimestamp", deleted, pod.deletedAt),
      ...(fails ? [eventEvidence(fails)] : []),
      ...(trouble ? [trouble] : []),
    ],
    sentence: `${pod.name} was to be gone by ${deleted} and still holds ${ask.words} on ${name}: the kubelet cannot end its processes.`,
    step: `${name} cannot end the processes of a pod that is to go`,
    next: [
      `Look for processes in state D and for Xid errors on ${name}.`,
      `kubectl cordon ${shellWord(name)}, and restart the machine when its other pods can bear it.`,
    ],
  };
};
