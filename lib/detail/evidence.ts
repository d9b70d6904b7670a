import type { EvidenceView } from "../model/fleet-view.ts";
import type { Condition, EventRecord } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/snapshot.ts";
import { isoOf } from "../seam/ledger.ts";

/** Events that travel with a detail view, the newest. */
const EVENT_LIMIT = 20;

/** Conditions as evidence: the field, its status with reason and message, when it came to be so. */
export function conditionEvidence(object: ObjectRef, conditions: readonly Condition[]): EvidenceView[] {
  return conditions.map((condition) => ({
    object,
    field: `status.conditions[${condition.type}]`,
    value: [condition.status, condition.reason, condition.message].filter((text) => text !== "").join(" · "),
    at: isoOf(condition.lastTransitionTime),
  }));
}

/** Events as evidence, newest first. */
export function eventEvidence(object: ObjectRef, events: readonly EventRecord[]): EvidenceView[] {
  return events.slice(0, EVENT_LIMIT).map((event) => ({
    object,
    field: null,
    value: `${event.reason}${event.count > 1 ? ` ×${event.count}` : ""}: ${event.message}`,
    at: isoOf(event.lastAt ?? event.firstAt),
  }));
}
