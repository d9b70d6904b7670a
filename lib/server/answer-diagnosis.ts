import { diagnoseHeldPod } from "../diagnosis/diagnose.ts";
import { findSubject } from "../diagnosis/find-subject.ts";
import type { VerdictGroup } from "../diagnosis/group-verdicts.ts";
import type { LogLookup } from "../diagnosis/question.ts";
import { groupView } from "../diagnosis/verdict-view.ts";
import type { DiagnosisView, LogTailView } from "../model/detail-view.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import type { ClusterSource } from "../sources/kubernetes/cluster-source.ts";
import { SourceError } from "../sources/source-error.ts";
import type { Basis } from "./fleet-observer.ts";
import type { DiagnosisQuestion } from "./live-state.ts";

/** Most containers of one pod whose logs are read. */
const CONTAINERS = 8;

/**
 * The verdict on what is asked about; undefined where nothing says that it is stuck. With `logs` its pod's logs are read
 * now, and a pod that looks well by its objects can turn out to hang. Logs that cannot be read are said, and no error.
 */
export async function answerDiagnosis(
  question: DiagnosisQuestion,
  { basis, now, readLogs }: { basis: Basis; now: number; readLogs: ClusterSource["readLogs"] },
): Promise<DiagnosisView | undefined> {
  const { derived, snapshot } = basis;
  const view = (group: VerdictGroup) => groupView(group, snapshot.owners);
  const group = findSubject(derived.verdicts, question);
  if (!question.logs) return group && { ...view(group), logs: null };
  const pod = podOf(question, group, derived.fleet.pods);
  if (!pod) return group && { ...view(group), logs: [] };
  const logs = await readPodLogs(pod, readLogs);
  const first = diagnoseHeldPod(pod, derived.fleet, now, lookupIn(logs, pod)) ?? group?.first;
  if (!first) return undefined;
  return { ...view({ members: [first], gpus: first.gpus, ...group, first }), logs };
}

/** The pod that is asked about, or the one that speaks for what is. */
function podOf(
  { kind, namespace, name }: DiagnosisQuestion,
  group: VerdictGroup | undefined,
  pods: readonly PodRecord[],
): PodRecord | undefined {
  const isPod = kind === undefined || kind === "Pod";
  const wanted = isPod ? { namespace, name } : group?.first.kind === "Pod" ? group.first : undefined;
  return wanted && pods.find((pod) => pod.namespace === wanted.namespace && pod.name === wanted.name);
}

async function readPodLogs(pod: PodRecord, readLogs: ClusterSource["readLogs"]): Promise<LogTailView[]> {
  const ran = pod.containers.filter(({ state, restarts }) => restarts > 0 || hasRun(state.kind));
  const tails = await Promise.all(
    ran.slice(0, CONTAINERS).map(async ({ name: container, restarts }): Promise<LogTailView[]> => {
      const restarted = restarts > 0;
      try {
        const of = { namespace: pod.namespace, pod: pod.name, container, restarted };
        const { current, previous } = await readLogs(of);
        const before =
          previous === undefined ? [] : [{ container, previous: true, text: previous, problem: null }];
        return [...before, { container, previous: false, text: current ?? "", problem: null }];
      } catch (error) {
        return [{ container, previous: false, text: "", problem: inWords(error) }];
      }
    }),
  );
  return tails.flat();
}

function hasRun(state: PodRecord["containers"][number]["state"]["kind"]): boolean {
  return state === "running" || state === "terminated";
}

/** The run before the current one first: it is the one that failed. */
function lookupIn(logs: readonly LogTailView[], pod: PodRecord): LogLookup {
  return (namespace, name, container) => {
    if (namespace !== pod.namespace || name !== pod.name) return undefined;
    const texts = logs
      .filter((log) => log.container === container && log.text !== "")
      .map(({ text }) => text);
    return texts.length === 0 ? undefined : texts.join("\n");
  };
}

function inWords(error: unknown): string {
  if (error instanceof SourceError) return [error.message, error.hint].filter(Boolean).join(" ");
  return String(error);
}
