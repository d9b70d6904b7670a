import type { FactName, Facts } from "../model/facts/facts.ts";
import type { Sure } from "./question.ts";
import type { SchedulerWords } from "./scheduler-words.ts";
import { listInWords } from "./wording.ts";

/** How sure the objects are, by whether the scheduler says the same. Objects decide, messages only support. */
export function sureBySchedulersWords(words: SchedulerWords | undefined, agrees: RegExp): Sure {
  if (!words) {
    return {
      certainty: "medium",
      why: "the objects show it; the scheduler has left no message about this pod",
    };
  }
  if (agrees.test(words.refusal)) {
    return { certainty: "high", why: "the objects and the scheduler's message agree" };
  }
  return { certainty: "medium", why: "the objects show it, the scheduler's message names other reasons" };
}

/** `sure`, but at most `certainty`, with the reason for that. */
export function butAtMost(sure: Sure, certainty: "medium" | "low", why: string): Sure {
  if (sure.certainty === "low" || sure.certainty === certainty)
    return { ...sure, why: `${sure.why}; ${why}` };
  return { certainty, why: `${sure.why}; ${why}` };
}

/** `sure`, but at most medium where something that it rests on cannot be read, which is named. */
export function butUnread(sure: Sure, reads: readonly FactName[], facts: Facts): Sure {
  const unread = reads.filter((name) => !facts[name].known);
  if (unread.length === 0) return sure;
  return butAtMost(sure, "medium", `cannot see ${listInWords(unread.map(factInWords))}`);
}

/** `NodePools` for `nodePools`. */
function factInWords(name: FactName): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** What kube-scheduler and KAI print where a resource is used up. */
export const SAYS_INSUFFICIENT = /Insufficient|Too many pods|didn't have enough resources/;
