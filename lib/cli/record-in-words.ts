import { LAYERS } from "../model/stages.ts";
import type { DiagnosisRecord } from "./diagnosis-records.ts";

/** A record for a terminal: the answer first, then the layers from the ground up, the evidence and what to do. */
export function recordInWords(record: DiagnosisRecord, now: number): string {
  if (record.layer === null) return `${record.case}: ${record.sentence}`;
  const { layer, reason, kind, namespace, name, count, gpus, owner, certainty, since, sentence } = record;
  const more = count > 1 ? ` and ${count - 1} more` : "";
  const waiting = since === null ? "" : `, for ${minutes(now - Date.parse(since))}`;
  return [
    `${layer} ${reason}  ${kind} ${namespace}/${name}${more}  (${gpus} GPU${gpus === 1 ? "" : "s"}${waiting})`,
    `  ${sentence}`,
    `  whose move: ${owner}; sure: ${certainty} (${record.certaintyWhy})`,
    ...LAYERS.map((each) => `  ${each} ${record.ladder[each].state}: ${record.ladder[each].detail}`),
    ...record.evidence.map(({ object, field, value }) => {
      const of = object.namespace ? `${object.namespace}/${object.name}` : object.name;
      return `  evidence: ${object.kind} ${of}${field === null ? "" : ` ${field}`}: ${value}`;
    }),
    ...record.blocksNext.map((next) => `  then: ${next.layer} ${next.reason}: ${next.step}`),
    ...record.next.map((step) => `  next: ${step}`),
  ].join("\n");
}

function minutes(ms: number): string {
  const whole = Math.max(0, Math.round(ms / 60_000));
  return whole < 120 ? `${whole} min` : `${Math.round(whole / 60)} h`;
}
