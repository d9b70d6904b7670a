import type { EvidenceView, StuckView } from "../model/fleet-view.ts";
import { type OwnerRule, ownerOf } from "../model/owners.ts";
import { LAYER_INFO } from "../model/stages.ts";
import type { VerdictGroup } from "./group-verdicts.ts";
import type { Evidence, Verdict } from "./verdict.ts";

/** Members of an entry whose names travel. */
const MEMBERS_SHOWN = 20;

/** One pod's verdict as it goes over the wire. */
export function verdictView(verdict: Verdict, owners: readonly OwnerRule[] = []): StuckView {
  return groupView({ first: verdict, members: [verdict], gpus: verdict.gpus }, owners);
}

/** An entry as it goes over the wire. `owners`: who owns what, as configured. */
export function groupView(
  { first: verdict, members, gpus }: VerdictGroup,
  owners: readonly OwnerRule[] = [],
): StuckView {
  const owner = ownerOf(owners, {
    layer: verdict.layer,
    pool: verdict.pool === undefined ? [] : [verdict.pool],
    namespace: verdict.namespace,
  });
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
    owner: owner?.team ?? usualOwner(verdict),
    contact: owner?.contact ?? null,
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

/** Who has to act where nobody is configured: the layer's team, and for a workload its namespace's. */
function usualOwner(verdict: Verdict): string {
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
