import { isImageReason } from "../../layers/kubelet-reasons.ts";
import type { ContainerRecord, PodRecord } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import { containerEvidence, podEvidence, readyEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { failingContainer, isReady } from "../runtime/container-failure.ts";
import { containerState, exitMeaning } from "../runtime/container-state.ts";
import { lastTimeIn, logEvidence, saidByLog } from "../runtime/log-of-pod.ts";
import { lastWords } from "../runtime/read-log.ts";
import { gangOf, isOfGang } from "../runtime/siblings.ts";
import { startErrorOf } from "../runtime/start-error.ts";
import type { Evidence } from "../verdict.ts";
import { countInWords, cutText, shellWord, timeInWords } from "../wording.ts";
import { runningInit } from "./waits-in-init.ts";

/** One pod of a job that has failed by itself, or that first shows that the job has. */
interface PeerFailure {
  readonly pod: PodRecord;
  readonly reason: Reason;
  readonly words: string;
  readonly evidence: Evidence;
  /** When it failed; undefined where nothing says. */
  readonly at: number | undefined;
  /** It explains itself; else it only shows what the others show too. */
  readonly isCause: boolean;
}

/** What happens to one rank takes the others a while to see. */
const SPREAD_MS = 45 * 60_000;

/** A training loop that says nothing for so long makes no progress. */
const SILENT_MS = 10 * 60_000;

/** Peers whose logs are read. */
const PEERS_READ = 512;

/**
 * One of many: what this pod says, or says no more, follows from another pod of its job that failed first. The verdict
 * is that pod's.
 */
export const peerFailedFirst: Rule<Question> = (question) => {
  const { pod, now } = question;
  const own = ownState(question);
  if (!own) return undefined;
  const gang = gangOf(pod, question.fleet);
  if (gang.length < 2) return undefined;
  const failures = gang
    .slice(0, PEERS_READ)
    .flatMap((peer) => (peer.uid === pod.uid ? [] : failureOfPeer(question, peer)));
  const first = firstOf(
    failures.filter((failure) => isOfThisRun(failure, pod) && explains(failure, own, pod)),
  );
  if (!first) return undefined;
  const when = first.at === undefined ? "" : ` at ${timeInWords(first.at, now)}`;
  const how = isOutside(first) ? "is missing" : `failed first${when}`;
  const peer = `${first.pod.name}${first.pod.nodeName ? ` on ${first.pod.nodeName}` : ""}`;
  return {
    reason: first.reason,
    sure: {
      certainty: "medium",
      why: first.isCause
        ? "another pod of its job failed with a cause of its own, and this one shows none"
        : "another pod of its job says that a collective failed, and this one only waits",
    },
    evidence: [first.evidence, ...own.evidence],
    sentence: `${pod.name} ${own.words}, since ${peer}, one of ${gang.length} pods of its job, ${how}: ${first.words}.`,
    step: `${first.pod.name} of its job ${isOutside(first) ? "is missing" : "failed first"}: ${first.words}`,
    next: [
      `kubectl -n ${shellWord(first.pod.namespace)} describe pod ${shellWord(first.pod.name)}`,
      `Mend ${first.pod.name}, then start all ${countInWords(gang.length, "pod")} of the job again: a collective does not go on without one.`,
    ],
    gang: { placed: gang.filter((one) => one.nodeName !== undefined).length, size: gang.length },
  };
};

/** It did not fail: it has no node, or its node is away. */
function isOutside({ reason }: PeerFailure): boolean {
  return reason === "GangIncomplete" || reason === "NodeNotReady";
}

interface OwnState {
  readonly words: string;
  readonly evidence: readonly Evidence[];
  readonly at: number | undefined;
  /** It runs, and shows nothing but that it waits. */
  readonly isWaiting: boolean;
  /** Its log shows that it works with others; else only what made it may tell. */
  readonly isCollective: boolean;
}

/** How this pod is affected; undefined where it has a cause of its own, or nothing is wrong with it. */
function ownState(question: Question): OwnState | undefined {
  const { pod, now, logs } = question;
  const said = saidByLog(question, pod);
  if (said && said.weight !== "symptom") return undefined;
  const failing = failingContainer(pod, now);
  if (failing) {
    const { container, end } = failing;
    if (end.reason === "OOMKilled" || end.exitCode === 137) return undefined;
    // A log that is there and shows no symptom tells of a fault of its own.
    if (!said && logs(pod.namespace, pod.name, container.name) !== undefined) return undefined;
    const evidence = said
      ? logEvidence(pod, said)
      : containerEvidence(pod, container, containerState(container));
    return {
      words: "has lost its job",
      evidence: [evidence],
      at: end.finishedAt,
      isWaiting: false,
      // Without a log only what made it tells; workers of Ray come and go each for itself.
      isCollective: said !== undefined || (isOfGang(pod) && pod.labels["ray.io/cluster"] === undefined),
    };
  }
  if (said) {
    const isWaiting = said.reason === "Hung";
    return {
      words: "makes no progress",
      evidence: [logEvidence(pod, said)],
      at: lastTimeIn(said.line),
      isWaiting,
      isCollective: true,
    };
  }
  const waiting = runningInit(pod) ?? runningUnready(pod);
  if (waiting && now - waiting.startedAt >= SILENT_MS) {
    const since = timeInWords(waiting.startedAt, now);
    return {
      words: `${waiting.init ? `has stood in its init container ${waiting.name}` : "has not become Ready"} from ${since} on`,
      evidence: [containerEvidence(pod, waiting, containerState(waiting))],
      at: waiting.startedAt,
      isWaiting: true,
      isCollective: isOfGang(pod) && pod.labels["ray.io/cluster"] === undefined,
    };
  }
  const silent = pod.containers.flatMap((container) => {
    const at = lastTimeIn(logs(pod.namespace, pod.name, container.name) ?? "");
    return at !== undefined && container.state.kind === "running" ? [{ container, at }] : [];
  })[0];
  if (!silent || !isReady(pod) || now - silent.at < SILENT_MS) return undefined;
  const says = `nothing since ${timeInWords(silent.at, now)}`;
  const evidence = podEvidence(pod, `log of ${silent.container.name}`, says, silent.at);
  return {
    words: `has said nothing since ${timeInWords(silent.at, now)}`,
    evidence: [evidence],
    at: silent.at,
    isWaiting: true,
    isCollective: false,
  };
}

/** The container that runs and is not ready yet. */
function runningUnready(pod: PodRecord): (ContainerRecord & { readonly startedAt: number }) | undefined {
  if (pod.phase !== "Running" || isReady(pod)) return undefined;
  const container = pod.containers.find(
    ({ init, ready, state }) => !init && !ready && state.kind === "running",
  );
  if (container?.state.kind !== "running" || container.state.startedAt === undefined) return undefined;
  return { ...container, startedAt: container.state.startedAt };
}

/** What failed before this pod was made was an earlier try of the job. */
function isOfThisRun(failure: PeerFailure, pod: PodRecord): boolean {
  if (isOutside(failure)) return true;
  const { at } = failure;
  return at === undefined || at >= (pod.createdAt ?? 0);
}

/**
 * A symptom explains only a pod that waits. A cause explains one that failed after it, or shortly before that was
 * noticed, if the two work together: pods of a plain Job may not.
 */
function explains(failure: PeerFailure, own: OwnState, pod: PodRecord): boolean {
  if (!failure.isCause) return own.isWaiting && failure.reason !== "Hung";
  if (!own.isCollective && (isOutside(failure) || !isOfGang(pod))) return false;
  if (own.isWaiting || failure.at === undefined || own.at === undefined) return true;
  return failure.at <= own.at && (own.at - failure.at < SPREAD_MS || isOutside(failure));
}

function firstOf(failures: readonly PeerFailure[]): PeerFailure | undefined {
  const causes = failures.filter(({ isCause }) => isCause);
  const candidates = causes.length > 0 ? causes : failures;
  return [...candidates].sort(
    (a, b) => (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY),
  )[0];
}

/** It cannot start, or ends in an error that shows no sign of another's. */
function stoppedItself({ fleet, now, logs }: Question, pod: PodRecord): PeerFailure | undefined {
  const waits = pod.containers.find(({ state }) => state.kind === "waiting" && isImageReason(state.reason));
  const unmade = waits
    ? undefined
    : startErrorOf(pod, fleet.events.ofPod(pod.namespace, pod.name))?.container;
  const failing = failingContainer(pod, now);
  const text = failing && logs(pod.namespace, pod.name, failing.container.name);
  const container = waits ?? unmade ?? (text ? failing?.container : undefined);
  if (!container) return undefined;
  const reason = waits ? "ImagePullFailed" : unmade ? "ContainerConfigError" : "CrashLoop";
  const words = waits
    ? `its image ${container.image} cannot be pulled`
    : unmade
      ? `its container ${container.name} cannot be started`
      : `“${cutText(lastWords(text ?? ""), 120)}”`;
  const evidence = containerEvidence(pod, container, containerState(container));
  return {
    pod,
    reason,
    words,
    evidence,
    at: waits || unmade ? undefined : failing?.end.finishedAt,
    isCause: true,
  };
}

function failureOfPeer(question: Question, pod: PodRecord): PeerFailure[] {
  const { fleet, now } = question;
  const failing = failingContainer(pod, now);
  const at = failing?.end.finishedAt;
  const said = saidByLog(question, pod);
  if (said && said.weight !== "symptom") {
    return [
      {
        pod,
        reason: said.reason,
        words: `“${cutText(said.line, 120)}”`,
        evidence: logEvidence(pod, said),
        at: at ?? lastTimeIn(said.line),
        isCause: true,
      },
    ];
  }
  if (failing?.end.reason === "OOMKilled") {
    const evidence = containerEvidence(pod, failing.container, containerState(failing.container));
    return [
      {
        pod,
        reason: "HostOutOfMemory",
        words: `its container ${failing.container.name} was OOMKilled`,
        evidence,
        at,
        isCause: true,
      },
    ];
  }
  const stopped = stoppedItself(question, pod);
  if (stopped) return [stopped];
  if (pod.phase === "Failed" && pod.reason === "Evicted") {
    return [
      {
        pod,
        reason: "Evicted",
        words: "it was evicted",
        evidence: podEvidence(pod, "status.message", pod.message),
        at,
        isCause: true,
      },
    ];
  }
  if (pod.nodeName === undefined && pod.phase === "Pending") {
    const evidence = podEvidence(pod, "spec.nodeName", "none", pod.createdAt);
    const words = "it has no node yet";
    return [{ pod, reason: "GangIncomplete", words, evidence, at: pod.createdAt, isCause: true }];
  }
  const node = fleet.nodes.get(pod.nodeName ?? "");
  if (node && !node.readiness.ready) {
    const words = `${node.record.name} is NotReady`;
    return [
      {
        pod,
        reason: "NodeNotReady",
        words,
        evidence: readyEvidence(node),
        at: node.readiness.since,
        isCause: true,
      },
    ];
  }
  // A pod that keeps failing, whatever for, holds those back that wait for it.
  if (!said && failing) {
    const evidence = containerEvidence(pod, failing.container, containerState(failing.container));
    const words = `its container ${failing.container.name} keeps failing (${exitMeaning(failing.end)})`;
    return [{ pod, reason: "CrashLoop", words, evidence, at, isCause: false }];
  }
  if (!said) return [];
  const words = `“${cutText(said.line, 120)}”`;
  return [
    {
      pod,
      reason: said.reason,
      words,
      evidence: logEvidence(pod, said),
      at: at ?? lastTimeIn(said.line),
      isCause: false,
    },
  ];
}
