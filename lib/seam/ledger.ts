import type { CauseView, LedgerView, StageView } from "../model/fleet-view.ts";
import type { ObjectRef } from "../model/snapshot.ts";
import { STAGES, stageInfo } from "../model/stages.ts";
import type { Entry } from "./entry.ts";
import { figureOf } from "./figure.ts";

/** Objects that travel with a cause; the rest is counted. */
const OBJECT_LIMIT = 20;

/**
 * The ledger of some entries: the thirteen stages, and the sums that the seam is made of. `morePaid`: there are paid
 * GPUs that could not be read at all, which makes every sum a lower bound.
 */
export function buildLedger(entries: readonly Entry[], morePaid: boolean): LedgerView {
  const untold = entries.filter((entry) => entry.stage === undefined);
  const doubtful = untold.some((entry) => entry.schedulable === undefined);
  const stages = STAGES.map(({ stage }) => buildStage(stage, entries, morePaid || untold.length > 0));
  const schedulable = entries.filter((e) =>
    e.stage ? stageInfo(e.stage).schedulable : e.schedulable === true,
  );
  const seam = entries.filter((e) => e.stage !== undefined && !stageInfo(e.stage).schedulable);
  const working = entries.filter((e) => e.stage === "working");
  return {
    paid: figureOf(entries, morePaid),
    schedulable: figureOf(schedulable, morePaid || doubtful),
    seam: figureOf(seam, morePaid || doubtful),
    working: figureOf(working, morePaid || untold.length > 0),
    unknown: figureOf(untold, morePaid),
    stages,
  };
}

function buildStage(stage: StageView["stage"], entries: readonly Entry[], more: boolean): StageView {
  const own = entries.filter((entry) => entry.stage === stage);
  return { stage, layer: stageInfo(stage).layer, ...figureOf(own, more), causes: buildCauses(own) };
}

/** Entries of one stage by reason, most GPUs first. */
function buildCauses(entries: readonly Entry[]): CauseView[] {
  return groupByReason(entries)
    .map(([reason, group]) => ({
      reason,
      gpus: group.reduce((sum, entry) => sum + entry.gpus, 0),
      detail: describeEntries(group),
      since: isoOf(earliest(group)),
      ...objectsOf(group),
    }))
    .sort((a, b) => b.gpus - a.gpus || (a.reason < b.reason ? -1 : 1));
}

/** Reason -> its entries. */
export function groupByReason(entries: readonly Entry[]): [string, Entry[]][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.reason);
    if (group) group.push(entry);
    else groups.set(entry.reason, [entry]);
  }
  return [...groups];
}

/** What is so with the objects of `entries`, in one line: all of one object's detail, or the names of several. */
export function describeEntries(entries: readonly Entry[]): string {
  const [first] = entries;
  if (!first) return "";
  const names = [...new Set(entries.flatMap((entry) => (entry.object ? [nameOf(entry.object)] : [])))];
  if (names.length === 0) return first.detail;
  if (names.length === 1) return `${names[0]}: ${first.detail}`;
  const shown = names.slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const details = new Set(entries.map((entry) => entry.detail));
  return details.size === 1 ? `${shown}${more}: ${first.detail}` : `${shown}${more}`;
}

const nameOf = (object: ObjectRef): string =>
  object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;

/** The first moment named by any of `entries`; undefined where none names one. */
export function earliest(entries: readonly Pick<Entry, "since">[]): number | undefined {
  const times = entries.flatMap((entry) => (entry.since === undefined ? [] : [entry.since]));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The objects behind `entries`, each once, cut for the wire. */
export function objectsOf(entries: readonly Pick<Entry, "object">[]): {
  objects: readonly ObjectRef[];
  objectCount: number;
} {
  const byKey = new Map<string, ObjectRef>();
  for (const { object } of entries) if (object) byKey.set(`${object.kind}/${nameOf(object)}`, object);
  return { objects: [...byKey.values()].slice(0, OBJECT_LIMIT), objectCount: byKey.size };
}

/** A moment on the wire. */
export function isoOf(time: number | undefined): string | null {
  return time === undefined || !Number.isFinite(time) || Math.abs(time) > 8.64e15
    ? null
    : new Date(time).toISOString();
}
