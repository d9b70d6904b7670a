import type { FleetNode } from "../../layers/fleet.ts";
import type { ContainerRecord, EventRecord, PodRecord } from "../../model/kubernetes.ts";
import { eventEvidence, nodeEvidence, podEvidence } from "../evidence.ts";
import { selectionMismatch } from "../placement/node-selection.ts";
import type { Finding, Question, Rule, Sure } from "../question.ts";
import { failedOnNodeOf } from "../runtime/siblings.ts";
import type { Evidence } from "../verdict.ts";
import { countInWords, cutText, listInWords, shellWord } from "../wording.ts";
import { deviceFault } from "./gpu-runtime.ts";

/**
 * A pod that the scheduler gave to a node and the node's kubelet refused: it stays Failed for ever.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/ and pkg/kubelet/lifecycle of Kubernetes name the reasons.
 */
export const admissionRefused: Rule<Question> = (question) => {
  const { reason, containers } = question.pod;
  // A kubelet that starts anew refuses even pods that have done their work.
  const isDone = containers.some(({ init }) => !init) && containers.every(hasEndedWell);
  if (isDone) return undefined;
  if (reason === "UnexpectedAdmissionError") return unexpected(question);
  if (reason === "TopologyAffinityError") return topologyRefused(question);
  if (reason === "SMTAlignmentError")
    return neverFits(question, "asks for CPUs that do not make up whole cores");
  if (/^OutOf./.test(reason)) return outOf(question, reason.slice("OutOf".length));
  if (/^(NodeAffinity|MatchNodeSelector)/.test(reason)) return affinityRefused(question);
  return undefined;
};

function hasEndedWell({ state }: ContainerRecord): boolean {
  return state.kind === "terminated" && state.exitCode === 0;
}

/** Managers of CPUs and memory refuse with the same word as those of devices. */
const OF_CPUS_OR_MEMORY = /not enough cpus available|memorymanager|hugepages|exclusive cpu/i;

function unexpected(question: Question): Finding {
  const { pod, ask, fleet } = question;
  const message = wordsOf(question);
  const node = fleet.nodes.get(pod.nodeName ?? "");
  if (OF_CPUS_OR_MEMORY.test(message)) {
    return overcommit(question, "CPUs or memory that it can pin", message);
  }
  const fault = deviceFault(node, ask);
  const others = refusedAlike(question);
  const restart = node && restartOf(node, question);
  const sure: Sure =
    others.length > 0 || restart
      ? {
          certainty: "high",
          why: `the kubelet's own words${restart ? ", and the node had just been restarted" : ", and it refused other pods alike"}`,
        }
      : { certainty: "medium", why: "only the kubelet's own words say so" };
  const also = others.length > 0 ? ` (as it did ${countInWords(others.length, "other pod")})` : "";
  const when = restart ? `, just after ${restart.words}` : "";
  return {
    reason: fault.reason === "GpuNotAdvertised" ? "DeviceNotReadyAtAdmission" : fault.reason,
    sure,
    pool: node?.poolId,
    evidence: [refusal(question), ...fault.evidence, ...(restart ? [restart.evidence] : [])],
    sentence: `${pod.name} was given ${ask.words} on ${pod.nodeName}, and the kubelet refused it${also}${when}${fault.words}: ${cutText(message, 200)}.`,
    step: `${pod.nodeName} could not hand out its devices when the pod arrived${fault.words}`,
    next: [...again(pod), ...fault.next],
  };
}

function topologyRefused(question: Question): Finding {
  const { pod, ask, fleet } = question;
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const [resource = "", units = 0] = ask.accelerators[0] ?? [];
  const free = node?.free[resource];
  const others = refusedAlike(question);
  const has = free === undefined ? "" : `: ${free} of them are free there, not on one NUMA node`;
  const evidence: Evidence[] = [refusal(question)];
  if (node && free !== undefined) {
    evidence.push(
      nodeEvidence(node.record, `free ${resource}`, `${free} of ${node.record.allocatable?.[resource] ?? 0}`),
    );
  }
  return {
    reason: "GpusFragmented",
    sure:
      free === undefined || free < units
        ? {
            certainty: "medium",
            why: "the kubelet's own word; fewer of its GPUs are free now than it asks for",
          }
        : { certainty: "high", why: "the kubelet's own word, and enough of the node's GPUs are free" },
    pool: node?.poolId,
    evidence,
    sentence: `${pod.name} was given ${ask.words} on ${pod.nodeName}, whose kubelet refuses what does not lie together (TopologyAffinityError)${has}${others.length > 0 ? `; ${countInWords(others.length, "other pod")} met the same` : ""}.`,
    step: `${pod.nodeName} has no NUMA node with ${ask.words} and their CPUs free`,
    next: [
      "Keep small pods off nodes for pods of this size, or schedule by NUMA node (NodeResourceTopologyMatch).",
      "Relax the kubelet's topologyManagerPolicy to best-effort where the workload bears it.",
    ],
  };
}

/** `Node didn't have enough resource: cpu, requested: 8000, used: 60000, capacity: 63770` */
const AMOUNTS = /requested: (\d+), used: (\d+), capacity: (\d+)/;

function outOf(question: Question, resource: string): Finding {
  const { pod, ask, fleet } = question;
  const message = wordsOf(question);
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const [, requested, , capacity] = AMOUNTS.exec(message) ?? [];
  const isDevice = ask.accelerators.some(([name]) => name === resource);
  const usual = node?.record.capacity?.[resource];
  const isGone =
    isDevice &&
    capacity !== undefined &&
    (Number(capacity) < Number(requested) || (usual !== undefined && Number(capacity) < usual));
  if (!isGone) return overcommit(question, resource, message);
  const fault = deviceFault(node, ask);
  return {
    reason: fault.reason === "DevicePluginDown" ? fault.reason : "DeviceNotReadyAtAdmission",
    sure: { certainty: "high", why: "the kubelet counted fewer devices than the pod was promised" },
    pool: node?.poolId,
    evidence: [refusal(question), ...fault.evidence],
    sentence: `${pod.name} was given ${ask.words} on ${pod.nodeName}, where the kubelet then had ${capacity}${fault.words}: ${cutText(message, 160)}.`,
    step: `${pod.nodeName} had only ${capacity} ${resource} when the pod arrived${fault.words}`,
    next: [...again(pod), ...fault.next],
  };
}

function overcommit(question: Question, resource: string, message: string): Finding {
  const { pod, fleet } = question;
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const schedulers = new Set(
    [pod, ...(node?.pods ?? []).filter((one) => !one.system)].map((one) => one.schedulerName),
  );
  const two = schedulers.size > 1 ? `; ${listInWords([...schedulers])} both place pods there` : "";
  return {
    reason: "SchedulerOvercommit",
    sure: two
      ? {
          certainty: "high",
          why: "the kubelet counts less than was given away, and more than one scheduler gives",
        }
      : { certainty: "medium", why: "the kubelet counts less than the scheduler gave away" },
    pool: node?.poolId,
    evidence: [refusal(question)],
    sentence: `${pod.name} was placed on ${pod.nodeName}, which had not enough ${resource} left for it${two}: ${cutText(message, 200)}.`,
    step: `${pod.nodeName} was given more ${resource} than it has`,
    next: [...again(pod), "Let one scheduler alone place pods on a node, and none name a node themselves."],
  };
}

function affinityRefused(question: Question): Finding {
  const { pod, fleet } = question;
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const lacks = node && selectionMismatch(pod, { name: node.record.name, labels: node.record.labels });
  if (!node || lacks === undefined) {
    return {
      reason: "DeviceNotReadyAtAdmission",
      sure: { certainty: "low", why: "the node carries now what the kubelet missed when it looked" },
      pool: node?.poolId,
      evidence: [refusal(question)],
      sentence: `${pod.name} was refused by the kubelet of ${pod.nodeName}, which did not carry the labels that the pod selects when it came up.`,
      step: `${pod.nodeName} did not carry its labels when the pod arrived`,
      next: again(pod),
    };
  }
  const fits = [...fleet.nodes.values()].find(
    ({ record }) => selectionMismatch(pod, { name: record.name, labels: record.labels }) === undefined,
  );
  if (!fits) return neverFits(question, `selects ${lacks}, which no node carries`);
  return {
    reason: "TopologyUnsatisfied",
    sure: { certainty: "medium", why: "the node lacks what the pod selects, another has it" },
    pool: node.poolId,
    evidence: [refusal(question), nodeEvidence(node.record, "metadata.labels", `not ${lacks}`)],
    sentence: `${pod.name} was bound to ${node.record.name}, which is not what it selects (${lacks}); ${fits.record.name} is.`,
    step: `${node.record.name} is not what it selects: ${lacks}`,
    next: [...again(pod), "Do not set spec.nodeName by hand, nor change a node's labels under its pods."],
  };
}

function neverFits(question: Question, what: string): Finding {
  const { pod } = question;
  return {
    reason: "RequestNeverFits",
    sure: { certainty: "medium", why: "the kubelet's own word" },
    evidence: [refusal(question)],
    sentence: `${pod.name} ${what}, so ${pod.nodeName} refused it: ${cutText(wordsOf(question), 160)}.`,
    step: what,
    next: ["Correct what the pod asks for."],
  };
}

function wordsOf({ pod, fleet }: Question): string {
  const event = fleet.events.ofPod(pod.namespace, pod.name).find((one) => one.reason === pod.reason);
  return pod.message.replace(/^Pod was rejected: /, "") || event?.message || pod.reason;
}

function refusal(question: Question): Evidence {
  const { pod, fleet } = question;
  const event = fleet.events.ofPod(pod.namespace, pod.name).find((one) => one.reason === pod.reason);
  const at = event?.lastAt ?? event?.firstAt ?? pod.createdAt;
  return podEvidence(pod, "status.reason", `${pod.reason}: ${wordsOf(question)}`, at);
}

function refusedAlike({ pod, fleet }: Question): readonly PodRecord[] {
  return failedOnNodeOf(pod, fleet).filter((one) => one.uid !== pod.uid && one.reason === pod.reason);
}

/** So long after its start a node may still have no devices. */
const AFTER_START_MS = 15 * 60_000;

/** The restart of the node, its kubelet or its plugin that came just before the refusal. */
function restartOf(
  node: FleetNode,
  { pod, fleet }: Question,
): { readonly words: string; readonly evidence: Evidence } | undefined {
  const refused = fleet.events.ofPod(pod.namespace, pod.name).find((one) => one.reason === pod.reason);
  const at = refused?.firstAt ?? pod.createdAt;
  if (at === undefined) return undefined;
  const isNear = (event: EventRecord) => Math.abs(at - (event.lastAt ?? 0)) < AFTER_START_MS;
  const events = fleet.events.ofNode(node.record.name).filter(isNear);
  const rebooted = events.find(({ reason }) => reason === "Rebooted");
  const event =
    rebooted ?? events.find(({ reason, message }) => reason === "Starting" && /kubelet/.test(message));
  return (
    event && { words: rebooted ? "the node's reboot" : "the kubelet's start", evidence: eventEvidence(event) }
  );
}

/** A bare pod stays as it is; a controller has made others. */
function again(pod: PodRecord): string[] {
  const name = `kubectl -n ${shellWord(pod.namespace)} get pod ${shellWord(pod.name)} -o yaml`;
  return pod.owner === undefined ? [`Create the pod anew, nothing else will: ${name}`] : [name];
}
