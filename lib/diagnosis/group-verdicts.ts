import { oncePer } from "../model/once-per.ts";
import type { Verdict } from "./verdict.ts";

/** Pods that wait for the same thing, as one entry. */
export interface VerdictGroup {
  /** Of the one that waits longest, which speaks for all. */
  readonly first: Verdict;
  /** `first` and the others, longest waiting first. */
  readonly members: readonly Verdict[];
  /** Whole devices that all of them ask for. */
  readonly gpus: number;
}

/**
 * Folds verdicts of one namespace and reason whose pods have one owner, or are alike to the scheduler: replicas, and the
 * runs of a sweep. Most GPUs first, then longest waiting. Worked out once for one list of verdicts, which answers for the
 * view and for every question about it.
 */
export const groupVerdicts = oncePer((verdicts: readonly Verdict[]): readonly VerdictGroup[] => {
  const groups = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const keys = keysOf(verdict);
    const [group = [], ...further] = new Set(
      keys.flatMap((key) => {
        const known = groups.get(key);
        return known ? [known] : [];
      }),
    );
    const added = [verdict, ...further.flat()];
    group.push(...added);
    for (const key of added.flatMap(keysOf)) groups.set(key, group);
  }
  return [...new Set(groups.values())].map(groupOf).sort(byWeight);
});

/** Jobs come by the hundred for one purpose; two Deployments are two things, however alike their pods are. */
const ONE_OF_MANY = /^(Job|Workflow|EphemeralRunner)$/;

function keysOf({ kind, namespace, name, layer, reason, workload, alike }: Verdict): string[] {
  const what = [namespace, kind, layer, reason];
  const owner = workload ? [JSON.stringify([...what, "owner", workload.kind, workload.name])] : [];
  const isAlike = alike !== undefined && (!workload || ONE_OF_MANY.test(workload.kind));
  const signature = isAlike ? [JSON.stringify([...what, "alike", workload?.kind ?? "", alike])] : [];
  const keys = [...owner, ...signature];
  return keys.length > 0 ? keys : [JSON.stringify([...what, "name", name])];
}

function groupOf(verdicts: readonly Verdict[]): VerdictGroup {
  const members = [...verdicts].sort(
    (a, b) => sinceOf(a) - sinceOf(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  const [first] = members;
  if (!first) throw new Error("a group of verdicts has at least one");
  return { first, members, gpus: members.reduce((sum, { gpus }) => sum + gpus, 0) };
}

function byWeight(a: VerdictGroup, b: VerdictGroup): number {
  return b.gpus - a.gpus || sinceOf(a.first) - sinceOf(b.first) || (idOf(a) < idOf(b) ? -1 : 1);
}

const sinceOf = ({ since }: Verdict): number => since ?? Number.MAX_SAFE_INTEGER;

const idOf = ({ first }: VerdictGroup): string => `${first.namespace}/${first.name}`;
