import { groupVerdicts, type VerdictGroup } from "./group-verdicts.ts";
import type { Verdict } from "./verdict.ts";

/** What is asked about; without a kind any object of that name, pods first. */
export interface Subject {
  readonly kind?: string | undefined;
  readonly namespace: string;
  readonly name: string;
}

/**
 * The entry that answers for `subject`, with the subject's own verdict as the one that speaks: its verdict, or that of
 * what it has made, such as the pods of a Job; undefined where none of them is stuck.
 */
export function findSubject(verdicts: readonly Verdict[], subject: Subject): VerdictGroup | undefined {
  const first =
    verdicts.find((verdict) => isSubject(verdict, subject)) ??
    verdicts.find((verdict) => isMadeBy(verdict, subject)) ??
    verdicts.find((verdict) => isMadeWithin(verdict, subject));
  if (!first) return undefined;
  const group = groupVerdicts(verdicts).find(({ members }) => members.includes(first));
  return group && { ...group, first };
}

function isSubject(verdict: Verdict, { kind, namespace, name }: Subject): boolean {
  const isOfKind = kind === undefined || verdict.kind === kind;
  return isOfKind && verdict.namespace === namespace && verdict.name === name;
}

function isMadeBy({ namespace, workload }: Verdict, subject: Subject): boolean {
  if (!workload || namespace !== subject.namespace || workload.name !== subject.name) return false;
  return subject.kind === undefined || workload.kind === subject.kind;
}

/** What makes pods by way of another object, whose name begins with its own. */
const MADE_WITHIN: Readonly<Record<string, readonly string[]>> = {
  Deployment: ["ReplicaSet"],
  InferenceService: ["ReplicaSet"],
  CronJob: ["Job"],
  JobSet: ["Job"],
  TrainJob: ["Job"],
  LeaderWorkerSet: ["StatefulSet"],
  Notebook: ["StatefulSet"],
  RayJob: ["RayCluster"],
  RayService: ["RayCluster"],
};

/** The pods of a ReplicaSet are those of its Deployment; those of a Workload of Kueue have its owner, `job-OWNER-1a2b3`. */
function isMadeWithin({ kind, namespace, name, workload }: Verdict, subject: Subject): boolean {
  if (namespace !== subject.namespace || subject.kind === undefined) return false;
  if (subject.kind === "Workload") {
    const owner = workload ?? { kind, name };
    return subject.name.startsWith(`${owner.kind.toLowerCase()}-${owner.name}-`);
  }
  if (!workload || !MADE_WITHIN[subject.kind]?.includes(workload.kind)) return false;
  return workload.name === subject.name || workload.name.startsWith(`${subject.name}-`);
}
