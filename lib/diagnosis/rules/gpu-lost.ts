import type { FleetNode } from "../../layers/fleet.ts";
import { acceleratorRequests } from "../../model/accelerators.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { nodeEvidence, podEvidence } from "../evidence.ts";
import type { Finding, Question, Rule, Sure } from "../question.ts";
import {
  containerFinding,
  containerInWords,
  failingContainer,
  introOf,
} from "../runtime/container-failure.ts";
import { exitMeaning } from "../runtime/container-state.ts";
import { logEvidence, type SaidByLog, saidByLog } from "../runtime/log-of-pod.ts";
import { gpuTroubleOf } from "../runtime/node-trouble.ts";
import { siblingsOf } from "../runtime/siblings.ts";
import type { Evidence } from "../verdict.ts";
import { cutText, listInWords, shellWord } from "../wording.ts";
import { DRIVER_CHANGED } from "./gpu-runtime.ts";

/** Other pods of the node whose logs are read to see whether it lost its GPUs for them too. */
const OTHERS_READ = 16;

/** A container had its GPUs and has them no longer, whether it has noticed or not. */
export const gpuLostAtRuntime: Rule<Question> = (question) => {
  const { pod, fleet, now } = question;
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const said = saidByLog(question, pod);
  if (said && isLoss(said)) return lostByLog(question, said, node);
  if (said && node && DRIVER_CHANGED.test(said.line) && isOfNode(question, said, node)) {
    return lostByLog(question, said, node);
  }
  if (said?.weight === "cause" || !node) return undefined;
  const failing = failingContainer(pod, now, 2);
  if (!failing || failing.end.reason === "OOMKilled") return undefined;
  const trouble = gpuTroubleOf(node, fleet, now) ?? fewerThanAsked(question, node);
  return trouble && lostByNode(question, node, trouble, exitMeaning(failing.end));
};

/** Whether the node's driver was changed, rather than that the image brings libraries of another one. */
function isOfNode(question: Question, said: SaidByLog, node: FleetNode): boolean {
  // What runs on had worked before.
  if (!said.hasFailed || lostAlike(question, node, said.line).length > 0) return true;
  return !node.pods.some(
    (one) =>
      one.uid !== question.pod.uid &&
      one.containers.every(({ ready, image }) => ready && image !== said.container.image) &&
      acceleratorRequests(one.requests, question.fleet.acceleratorNames).length > 0 &&
      saidByLog(question, one) === undefined,
  );
}

function isLoss(said: SaidByLog): boolean {
  return said.reason === "GpuLostAtRuntime";
}

function lostByLog(question: Question, said: SaidByLog, node: FleetNode | undefined): Finding {
  const { pod, fleet, now } = question;
  const { container, line } = said;
  const others = node ? lostAlike(question, node, line) : [];
  const trouble = node && gpuTroubleOf(node, fleet, now);
  const elsewhere = siblingsOf(pod, fleet).find((one) => worksElsewhere(question, one));
  const evidence: Evidence[] = [
    logEvidence(pod, said),
    ...others.slice(0, 2).map((other) => logEvidence(other.pod, other.said)),
    ...(trouble ? [trouble] : []),
    ...(elsewhere
      ? [podEvidence(elsewhere, "status.phase", `${elsewhere.phase} on ${elsewhere.nodeName}, same image`)]
      : []),
  ];
  const also =
    others.length > 0
      ? `, and so ${others.length === 1 ? "has" : "have"} ${listInWords(others.map((other) => other.pod.name))} on the same node`
      : "";
  const fine = elsewhere ? `; ${elsewhere.name} runs the same image on ${elsewhere.nodeName}` : "";
  return {
    ...containerFinding("GpuLostAtRuntime", pod, container),
    sure: sureOf(said, others.length > 0 || trouble !== undefined, elsewhere !== undefined),
    pool: node?.poolId,
    evidence,
    sentence: `${introOf(pod)} its ${containerInWords(container)} has lost its GPU: “${cutText(line, 160)}”${also}${fine}.`,
    step: `${pod.nodeName} took the GPU from a running container${others.length > 0 ? ` (and from ${others.length} more)` : ""}`,
    next: stepsOf(pod, container.name),
  };
}

function sureOf({ weight }: SaidByLog, isShared: boolean, worksElsewhere: boolean): Sure {
  if (isShared)
    return { certainty: "high", why: "the log says so, and the node shows it for more than this pod" };
  if (weight === "cause") return { certainty: "medium", why: "the container's own log says so" };
  return worksElsewhere
    ? { certainty: "medium", why: "the log says so, and the same image works on another node" }
    : { certainty: "low", why: "the log says so, but the image or the pod's own settings may hide the GPU" };
}

function lostByNode(question: Question, node: FleetNode, trouble: Evidence, how: string): Finding {
  const { pod, ask, now } = question;
  const failing = failingContainer(pod, now, 2);
  const { name } = node.record;
  const base = failing && containerFinding("GpuLostAtRuntime", pod, failing.container);
  return {
    reason: "GpuLostAtRuntime",
    sure: {
      certainty: "medium",
      why: "the node shows broken GPUs, and the pod fails on it; nothing that it printed names another cause",
    },
    pool: node.poolId,
    evidence: [trouble, ...(base?.evidence ?? [])],
    sentence: `${introOf(pod)} it ${pod.phase === "Failed" ? "ended" : "keeps failing"} (${how}) with its ${ask.words}, and ${name} shows broken GPUs: ${cutText(trouble.value, 160)}.`,
    step: `${name} shows broken GPUs: ${cutText(trouble.value, 80)}`,
    next: stepsOf(pod, failing?.container.name ?? ""),
  };
}

/** The node offers fewer healthy devices than this one pod holds: one of its own is gone. */
function fewerThanAsked({ ask }: Question, node: FleetNode): Evidence | undefined {
  for (const [resource, units] of ask.accelerators) {
    const offered = node.record.allocatable?.[resource];
    if (offered === undefined || offered >= units) continue;
    const value = `${offered} of ${node.record.capacity?.[resource] ?? "unknown"} in capacity; the pod holds ${units}`;
    return nodeEvidence(node.record, `status.allocatable["${resource}"]`, value);
  }
  return undefined;
}

function lostAlike(
  question: Question,
  node: FleetNode,
  line: string,
): readonly { readonly pod: PodRecord; readonly said: SaidByLog }[] {
  const reason = saidByLine(line);
  return node.pods
    .filter((one) => one.uid !== question.pod.uid && one.system === undefined)
    .slice(0, OTHERS_READ)
    .flatMap((pod) => {
      const said = saidByLog(question, pod);
      return said && reason(said) ? [{ pod, said }] : [];
    });
}

/** Another pod that lost its GPU; for a changed driver, one that says just that. */
function saidByLine(line: string): (said: SaidByLog) => boolean {
  return (said) => isLoss(said) || (DRIVER_CHANGED.test(line) && DRIVER_CHANGED.test(said.line));
}

function worksElsewhere(question: Question, one: PodRecord): boolean {
  const { pod } = question;
  if (
    one.nodeName === undefined ||
    one.phase !== "Running" ||
    one.nodeName === pod.nodeName ||
    one.containers.some((c) => !c.ready)
  )
    return false;
  return saidByLog(question, one) === undefined;
}

function stepsOf(pod: PodRecord, container: string): string[] {
  const namespace = shellWord(pod.namespace);
  const runs = pod.containers.some(({ name, state }) => name === container && state.kind === "running");
  return [
    !runs
      ? `kubectl describe node ${shellWord(pod.nodeName ?? "")}`
      : `kubectl -n ${namespace} exec ${shellWord(pod.name)}${container ? ` -c ${shellWord(container)}` : ""} -- nvidia-smi -L`,
    `Look for Xid errors and for a reload of systemd or the driver in the kernel log and journal of ${pod.nodeName}.`,
    "Restart the pods that lost their GPU once the node is sound; keep new ones off it until then.",
  ];
}
