import type { PodRecord } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import {
  conditionOf,
  containerEvidence,
  eventEvidence,
  nodeEvidence,
  podEvidence,
  readyEvidence,
} from "../evidence.ts";
import type { Finding, Question, Rule, Sure } from "../question.ts";
import { isUnknownEnd } from "../runtime/container-failure.ts";
import { containerState } from "../runtime/container-state.ts";
import type { Evidence } from "../verdict.ts";
import { cutText, shellWord } from "../wording.ts";

/** What the pod itself says of why it was ended: the kubelet's reason, or the disruption condition's. */
const DISRUPTION = "DisruptionTarget";

/** The kubelet took the node's memory or disk back. https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/ */
export const evicted: Rule<Question> = ({ pod }) => {
  if (pod.reason !== "Evicted") return undefined;
  const [, what, next] = EVICTIONS.find(([says]) => says.test(pod.message)) ?? UNKNOWN_EVICTION;
  const own = OWN_LIMIT.test(pod.message);
  return {
    reason: "Evicted",
    sure: own
      ? { certainty: "high", why: "the kubelet names the pod's own limit" }
      : { certainty: "medium", why: "the kubelet's own words; another pod may have used more" },
    evidence: [podEvidence(pod, "status.message", `Evicted: ${pod.message}`, endOf(pod))],
    sentence: `${pod.name} was evicted from ${pod.nodeName}, since ${what}: ${cutText(pod.message, 200)}.`,
    step: `evicted: ${what}`,
    next: [next, describePod(pod)].filter((one) => one !== ""),
  };
};

const OWN_LIMIT = /exceeds the (total )?limit|exceeded its local ephemeral storage limit|exceeds the limit/i;

const EVICTIONS: readonly (readonly [says: RegExp, what: string, next: string])[] = [
  [/EmptyDir volume .*shm/i, "it filled the volume on /dev/shm", "Raise the sizeLimit of that volume."],
  [/EmptyDir volume/i, "it filled an emptyDir volume", "Raise the volume's sizeLimit, or write less to it."],
  [
    /exceeds the (total )?limit|exceeded its local ephemeral storage/i,
    "it wrote more to the node's disk than its limit",
    "Raise its ephemeral-storage limit, or write to a volume.",
  ],
  [
    /ephemeral-storage|DiskPressure|inodes|nodefs|imagefs/i,
    "the node ran out of disk",
    "Give it an ephemeral-storage request and limit, or the node a larger disk.",
  ],
  [/memory|MemoryPressure/i, "the node ran out of memory", "Set its memory request to what it uses."],
  [/pid/i, "the node ran out of process ids", "Start fewer processes."],
];

const UNKNOWN_EVICTION: (typeof EVICTIONS)[number] = [/^/, "the node took its resources back", ""];

/** The node was shut down, drained, tainted or lost under it. */
export const endedWithNode: Rule<Question> = (question) => {
  const { pod, fleet } = question;
  const said = endedBy(pod) ?? lostSight(question);
  if (!said) return undefined;
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const isCordoned = node?.readiness.ready && node.blocked !== undefined;
  const reason: Reason = said.drains || isCordoned ? "NodeCordoned" : "NodeNotReady";
  const now = !fleet.nodesKnown
    ? ""
    : !node
      ? ", which is gone"
      : !node.readiness.ready
        ? ", which is NotReady"
        : "";
  const evidence: Evidence[] = [said.evidence];
  if (node && !node.readiness.ready) evidence.push(readyEvidence(node));
  if (node && isCordoned)
    evidence.push(nodeEvidence(node.record, "spec", node.blocked?.by ?? "", node.blocked?.since));
  const sure: Sure = said.isGuess
    ? { certainty: "low", why: "the kubelet lost the container; what became of the node then is not known" }
    : now || isCordoned
      ? { certainty: "high", why: "the pod's own status and its node agree" }
      : { certainty: "medium", why: "the pod's own status; its node is back" };
  const words = said.words.replace("NODE", pod.nodeName ?? "its node");
  return {
    reason,
    sure,
    pool: node?.poolId,
    evidence,
    sentence: `${pod.name} was ended since ${words}${now}, and nothing has made it anew.`,
    step: `${words}${now}`,
    next: [
      ...(pod.owner ? [] : ["Create the pod anew: nothing else will."]),
      ...(node ? [`kubectl describe node ${shellWord(node.record.name)}`] : [describePod(pod)]),
    ],
  };
};

/** https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions */
const DISRUPTIONS: Readonly<Record<string, readonly [words: string, drains: boolean]>> = {
  DeletionByTaintManager: ["NODE was tainted", false],
  EvictionByEvictionAPI: ["NODE was drained", true],
  DeletionByPodGC: ["NODE was removed", false],
  TerminationByKubelet: ["NODE was shut down", false],
};

interface EndedBy {
  readonly words: string;
  readonly drains: boolean;
  readonly evidence: Evidence;
  readonly isGuess?: boolean;
}

/** A kubelet that starts anew finds no trace of the containers that ran before its node went down. */
function lostSight({ pod, fleet }: Question): EndedBy | undefined {
  const container = pod.containers.find(({ state }) => state.kind === "terminated" && isUnknownEnd(state));
  if (!container) return undefined;
  const reboot = fleet.events
    .ofNode(pod.nodeName ?? "")
    .find(({ reason, lastAt }) => reason === "Rebooted" && (lastAt ?? 0) >= (pod.createdAt ?? 0));
  if (reboot) return { words: "NODE was rebooted", drains: false, evidence: eventEvidence(reboot) };
  const evidence = containerEvidence(pod, container, containerState(container));
  return { words: "the kubelet of NODE lost sight of it", drains: false, evidence, isGuess: true };
}

function endedBy(pod: PodRecord): EndedBy | undefined {
  const value = `${pod.reason}: ${pod.message}`;
  const evidence = podEvidence(pod, "status.reason", value, endOf(pod));
  if (
    /^(Shutdown|NodeShutdown)$/.test(pod.reason) ||
    /node (is )?shut(ting)? ?down|imminent node shutdown/i.test(pod.message)
  ) {
    return { words: "NODE was shut down", drains: false, evidence };
  }
  if (/^(NodeLost|NodeUnreachable)$/.test(pod.reason)) {
    return { words: "NODE stopped answering", drains: false, evidence };
  }
  const condition = conditionOf(pod, DISRUPTION);
  const known = condition?.status === "True" ? DISRUPTIONS[condition.reason] : undefined;
  if (!condition || !known) return undefined;
  const says = `${condition.reason}: ${condition.message}`;
  return {
    words: known[0],
    drains: known[1],
    evidence: podEvidence(pod, `status.conditions["${DISRUPTION}"]`, says, condition.lastTransitionTime),
  };
}

/** Its own deadline ended it: it made too little progress, or was given too little time. */
export const deadlineExceeded: Rule<Question> = ({ pod }): Finding | undefined => {
  if (pod.reason !== "DeadlineExceeded") return undefined;
  return {
    reason: "Hung",
    sure: { certainty: "low", why: "only the deadline says so; it may have worked, too slowly for it" },
    evidence: [podEvidence(pod, "status.reason", `${pod.reason}: ${pod.message}`, endOf(pod))],
    sentence: `${pod.name} was ended on ${pod.nodeName} by its own activeDeadlineSeconds before it was done.`,
    step: "it was not done within its activeDeadlineSeconds",
    next: [
      "Look at what its log says of progress; raise activeDeadlineSeconds where it did progress.",
      describePod(pod),
    ],
  };
};

function endOf(pod: PodRecord): number | undefined {
  return conditionOf(pod, "Ready")?.lastTransitionTime ?? pod.createdAt;
}

function describePod(pod: PodRecord): string {
  return `kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`;
}
