import type { FactObject } from "../model/facts/fact-object.ts";
import type { Condition } from "../model/kubernetes.ts";
import type { Evidence } from "./verdict.ts";
import { cutText } from "./wording.ts";

/** A field of an object beside nodes and pods; `value` is cut. */
export function factEvidence(
  { kind, namespace, name }: FactObject,
  field: string,
  value: string,
  at?: number,
): Evidence {
  const object = namespace === "" ? { kind, name } : { kind, namespace, name };
  return { object, field, value: cutText(value), at };
}

/** One condition of such an object, with its reason and message. */
export function conditionEvidence(object: FactObject, condition: Condition): Evidence {
  const why = [condition.reason, condition.message].filter((part) => part !== "").join(": ");
  const value = why === "" ? condition.status : `${condition.status} (${why})`;
  return factEvidence(object, `status.conditions["${condition.type}"]`, value, condition.lastTransitionTime);
}
