import type { EvidenceView, StuckView } from "../model/fleet-view.ts";
import { LAYER_INFO } from "../model/stages.ts";
import type { VerdictGroup } from "./group-verdicts.ts";
import type { Evidence, Verdict } from "./verdict.ts";

/** Members of an entry whose names travel. */
const MEMBERS_SHOWN = 20;

/** One pod's verdict as it goes over the wire. */
export function verdictView(verdict: Verdict): StuckView {
  return groupView({ first: verdict, members: [verdict], gpus: verdict.gpus });
}

/** An entry as it goes over the wire. */
export function groupView({ first: verdict, members, gpus }: VerdictGroup): StuckView {
  return {
    id: `${verdict.kind.toLowerCase()}/${verdict.namespace}/${verdict.name}`,
    kind: verdict.kind,
    namespace: verdict.namespace,
    name: verdict.name,
    layer: verdict.layer,
    reason: verdict.reason,
    certainty: verdict.certainty,
    certaintyWhy: verdict.certaintyWhy,
    sentence: verdict.sentence,
    owner: ownerOf(verdict),
    gpus,
    since: isoTime(verdict.since),
    workload: verdict.workload
      ? { kind: verdict.workload.kind, namespace: verdict.namespace, name: verdict.workload.name }
      : null,
    pool: verdict.pool ?? null,
    evidence: verdict.evidence.map(evidenceView),
    ladder: verdict.ladder,
    considered: verdict.considered,
    holders: verdict.holders,
    next: verdict.next,
    blocksNext: verdict.blocksNext,
    count: members.length,
    members: members.slice(0, MEMBERS_SHOWN).map(({ kind, namespace, name }) => ({ kind, namespace, name })),
    gang: verdict.gang ?? null,
    isBlurred: verdict.isBlurred,
  };
}

/** Who has to act: the layer's team, and for a workload its namespace's. */
function ownerOf(verdict: Verdict): string {
  return verdict.layer === "L4" ? `${verdict.namespace} team` : LAYER_INFO[verdict.layer].owner;
}

function evidenceView(evidence: Evidence): EvidenceView {
  return {
    object: evidence.object,
    field: evidence.field ?? null,
    value: evidence.value,
    at: isoTime(evidence.at),
  };
}

/** null for a time that no calendar has: hostile objects carry such. */
function isoTime(time: number | undefined): string | null {
  if (time === undefined) return null;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
