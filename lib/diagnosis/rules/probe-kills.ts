import type { ContainerRecord, EventRecord, Probe, Termination } from "../../model/kubernetes.ts";
import { eventEvidence, podEvidence } from "../evidence.ts";
import type { Finding, Question, Rule, Sure } from "../question.ts";
import {
  containerFinding,
  failureOf,
  introOf,
  isReady,
  restartsInWords,
} from "../runtime/container-failure.ts";
import { lastTimeIn } from "../runtime/log-of-pod.ts";
import { lastWords } from "../runtime/read-log.ts";
import type { Evidence } from "../verdict.ts";
import { cutText, shellWord } from "../wording.ts";

/** Between the order to end and the end: terminationGracePeriodSeconds is 30 unless set. */
const GRACE_S = 45;
/** Probes start late and last a while themselves. */
const SLACK_S = 15;

/** `Container vllm failed liveness probe, will be restarted` */
const KILLED_BY = /Container (\S+) failed (liveness|startup) probe/;

/** A container that a probe kills. Times are in seconds. */
interface Kill {
  readonly container: ContainerRecord;
  readonly which: "liveness" | "startup";
  /** The kubelet's own word for it; undefined where the event has expired. */
  readonly event: EventRecord | undefined;
  /** How long it had run; undefined where that is not recorded. */
  readonly ran: number | undefined;
  /** From its start to the first possible kill; undefined where its probes are not known. */
  readonly patience: number | undefined;
  /** It was killed about as soon as the probe may. */
  readonly isAtOnce: boolean;
  /** It had started, and stopped answering later. */
  readonly isLate: boolean;
}

/**
 * The kubelet kills a container again and again because it does not answer its liveness or startup probe in time: while
 * it is still loading where each run ends about when the probes first may, else because it stops answering later.
 * https://kubernetes.io/docs/concepts/workloads/pods/probes/
 */
export const probeKillsSlowStart: Rule<Question> = (question) => {
  for (const container of question.pod.containers) {
    const kill = killOf(question, container);
    if (kill) return kill.isLate ? stopsAnswering(question, kill) : killedAtStart(question, kill);
  }
  return undefined;
};

function killOf({ pod, fleet, now }: Question, container: ContainerRecord): Kill | undefined {
  const events = fleet.events.ofPod(pod.namespace, pod.name);
  const event = events.find(
    ({ reason, message }) => reason === "Killing" && KILLED_BY.exec(message)?.[1] === container.name,
  );
  // A server that ends in order when it is told to leaves 0; then what the probe met has to speak for the kill.
  const failed = failedProbe(container, events);
  // A kill that it has got over since is no longer what is wrong with it.
  const isUp = container.ready && isReady(pod);
  const end =
    failureOf(container, now, isUp ? 2 : 1) ??
    (isUp ? undefined : (event ?? failed) && container.lastTermination);
  if (!end || end.reason === "OOMKilled") return undefined;
  const ran = secondsOf(end);
  const patience = patienceOf(container);
  const isKnown = ran !== undefined && patience !== undefined;
  const isAtOnce = isKnown && ran >= patience - SLACK_S && ran <= patience + GRACE_S + SLACK_S;
  // Signals are what a kill leaves; other codes only where the kubelet says that it was one, and no earlier than it may.
  const isSignal = end.exitCode === 137 || end.exitCode === 143;
  const isKill = isAtOnce && (isSignal || failed !== undefined);
  if (event ? isKnown && ran < patience - SLACK_S : !isKill) return undefined;
  const said = event && KILLED_BY.exec(event.message)?.[2];
  const which = said === "startup" || (!said && container.startupProbe) ? "startup" : "liveness";
  // A liveness probe waits for the startup probe: where there is one, the container had started.
  const hadStarted = which === "liveness" && container.startupProbe !== undefined;
  const isLate = hadStarted || (isKnown && !isAtOnce && ran > 4 * (patience + GRACE_S));
  return { container, which, event, ran, patience, isAtOnce, isLate };
}

/** `Startup probe failed: …`, of the probe that may kill it first. */
function failedProbe(
  { startupProbe }: ContainerRecord,
  events: readonly EventRecord[],
): EventRecord | undefined {
  const says = startupProbe ? /^startup probe (failed|errored)/i : /^liveness probe (failed|errored)/i;
  return events.find(({ reason, message }) => reason === "Unhealthy" && says.test(message));
}

function secondsOf({ startedAt, finishedAt }: Termination): number | undefined {
  return startedAt === undefined || finishedAt === undefined ? undefined : (finishedAt - startedAt) / 1000;
}

/** Seconds from the container's start to its first possible kill by a probe; undefined where none can kill it. */
function patienceOf({ startupProbe, livenessProbe }: ContainerRecord): number | undefined {
  const probe = startupProbe ?? livenessProbe;
  return probe && probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold;
}

function killedAtStart(question: Question, kill: Kill): Finding {
  const { pod } = question;
  const { container, which, ran, patience, event, isAtOnce } = kill;
  const words = logWords(question, container);
  const after = ran === undefined ? "" : `, and was killed after ${Math.round(ran)} s`;
  const allows = patience === undefined ? "" : `, which allows ${patience} s`;
  const sure: Sure =
    event && isAtOnce
      ? { certainty: "high", why: "the kubelet says that it kills it, as soon as the probe allows" }
      : {
          certainty: "medium",
          why: event
            ? "the kubelet says that it kills it; how long it had run is not known to fit"
            : "no event of the kill is left; it ends just when the probe would kill it",
        };
  const finding = containerFinding("ProbeKillsSlowStart", pod, container);
  return {
    ...finding,
    sure,
    evidence: [...finding.evidence, ...evidenceOf(question, kill)],
    sentence: `${introOf(pod)} the kubelet kills its container ${container.name} while it is still starting: it fails the ${which} probe${allows}${after} (${restartsInWords(container)})${words ? `; it last said “${cutText(words, 120)}”` : ""}.`,
    step: `the ${which} probe kills container ${container.name} before it has started`,
    next: [
      "Give it a startupProbe with failureThreshold × periodSeconds above its longest load, or keep the model on a volume near the node.",
      ...finding.next,
      eventsCommand(question),
    ],
  };
}

function stopsAnswering(question: Question, kill: Kill): Finding {
  const { pod } = question;
  const { container, which, ran } = kill;
  const after = ran === undefined ? "" : ` for ${Math.round(ran)} s`;
  const finding = containerFinding("Hung", pod, container);
  return {
    ...finding,
    sure: { certainty: "medium", why: "the kubelet says that it kills it; it had been started by then" },
    evidence: [...finding.evidence, ...evidenceOf(question, kill)],
    sentence: `${introOf(pod)} its container ${container.name} stops answering its ${which} probe once it has worked${after}, so the kubelet restarts it (${restartsInWords(container)}).`,
    step: `container ${container.name} stops answering its ${which} probe`,
    next: [
      "Find out what it is busy with when the probe fails; give the probe a longer timeout where it only works hard.",
      ...finding.next,
      eventsCommand(question),
    ],
  };
}

function evidenceOf(question: Question, { container, which, event }: Kill): Evidence[] {
  const { pod, fleet } = question;
  const failed = fleet.events
    .ofPod(pod.namespace, pod.name)
    .find(
      ({ reason, message }) => reason === "Unhealthy" && message.toLowerCase().startsWith(`${which} probe`),
    );
  const probe = which === "startup" ? container.startupProbe : container.livenessProbe;
  const words = logWords(question, container);
  return [
    ...(event ? [eventEvidence(event)] : []),
    ...(failed ? [eventEvidence(failed)] : []),
    ...(probe
      ? [podEvidence(pod, `spec.containers["${container.name}"].${which}Probe`, probeInWords(probe))]
      : []),
    ...(words ? [podEvidence(pod, `log of ${container.name}`, words, lastTimeIn(words))] : []),
  ];
}

function probeInWords({ initialDelaySeconds, periodSeconds, failureThreshold }: Probe): string {
  return `after ${initialDelaySeconds} s, every ${periodSeconds} s, ${failureThreshold} failures`;
}

function logWords({ pod, logs }: Question, { name }: ContainerRecord): string {
  return lastWords(logs(pod.namespace, pod.name, name) ?? "");
}

function eventsCommand({ pod }: Question): string {
  return `kubectl -n ${shellWord(pod.namespace)} get events --field-selector involvedObject.name=${shellWord(pod.name)}`;
}
