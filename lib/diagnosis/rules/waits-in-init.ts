import type { ContainerRecord, PodRecord } from "../../model/kubernetes.ts";
import { podEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { containerFinding, introOf } from "../runtime/container-failure.ts";
import { cutText, timeInWords } from "../wording.ts";

/** Models and data sets that init containers fetch are large. */
const NORMAL_FETCH_MS = 45 * 60_000;
/** What it says it waits for should be there by then. */
const NORMAL_WAIT_MS = 15 * 60_000;

const LINES_READ = 5;
const LINE_LENGTH = 2_000;

const WAITS =
  /\b(wait(ing|s)?|retrying|not (yet )?(ready|available|reachable|found)|can(no|')t (resolve|find|connect)|could not resolve|connection refused|no such host)\b/i;
const MOVES = /\d\s?%|\b(it|[kmg]i?b)\/s\b|\bETA\b/i;

/** The init container in which a pod that has a node stands; undefined where it stands in none. */
export function runningInit(pod: PodRecord): (ContainerRecord & { readonly startedAt: number }) | undefined {
  if (pod.phase !== "Pending" || pod.nodeName === undefined) return undefined;
  // A sidecar that has started counts as ready, an init container only when it is done.
  const container = pod.containers.find(
    ({ init, ready, state }) => init && !ready && state.kind === "running",
  );
  if (container?.state.kind !== "running" || container.state.startedAt === undefined) return undefined;
  return { ...container, startedAt: container.state.startedAt };
}

/** An init container runs without end, so the pod never comes to its work; one that shows progress may go on. */
export const waitsInInit: Rule<Question> = ({ pod, now, logs }) => {
  const container = runningInit(pod);
  if (!container) return undefined;
  const text = logs(pod.namespace, pod.name, container.name) ?? "";
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  const tail = lines.slice(-LINES_READ).map((line) => line.slice(0, LINE_LENGTH));
  if (tail.some((line) => MOVES.test(line))) return undefined;
  const words = tail.findLast((line) => WAITS.test(line))?.trim();
  if (now - container.startedAt < (words === undefined ? NORMAL_FETCH_MS : NORMAL_WAIT_MS)) return undefined;
  const finding = containerFinding("Hung", pod, container);
  return {
    ...finding,
    sure:
      words === undefined
        ? { certainty: "low", why: "it runs far longer than such a step takes; what it does is not known" }
        : { certainty: "medium", why: "its log says that it waits, for far longer than such a step takes" },
    evidence: [
      ...finding.evidence,
      ...(words === undefined ? [] : [podEvidence(pod, `log of ${container.name}`, words)]),
    ],
    sentence: `${introOf(pod)} its init container ${container.name} has run since ${timeInWords(container.startedAt, now)} and lets nothing else start${words === undefined ? "" : `: “${cutText(words, 160)}”`}.`,
    step: `init container ${container.name} does not end`,
    next: ["Look at whether what it waits for runs and can be reached from the pod.", ...finding.next],
  };
};
