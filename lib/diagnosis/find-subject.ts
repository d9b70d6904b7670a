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
    verdicts.find((verdict) => isMadeBy(verdict, subject));
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
