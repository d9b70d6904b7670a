import type { Fleet } from "../layers/fleet.ts";
import type { HolderView } from "../model/fleet-view.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import type { Reason } from "../model/reasons.ts";
import type { Ask } from "./ask.ts";
import type { Placement } from "./placement.ts";
import type { SchedulerWords } from "./scheduler-words.ts";
import type { Certainty, Evidence } from "./verdict.ts";

/** One pod, with everything that a rule may look at. */
export interface Question {
  readonly pod: PodRecord;
  readonly ask: Ask;
  readonly fleet: Fleet;
  readonly now: number;
}

/** A pod that is bound to no node. */
export interface PlacementQuestion extends Question {
  readonly placement: Placement;
  readonly words: SchedulerWords | undefined;
}

/** What a rule found: the data first, then its words. */
export interface Finding {
  readonly reason: Reason;
  readonly sure: Sure;
  /** Id of the pool that it is about; undefined: that of most candidates. */
  readonly pool?: string | undefined;
  readonly evidence: readonly Evidence[];
  readonly holders?: readonly HolderView[];
  readonly sentence: string;
  /** What the ladder says at the layer that is broken. */
  readonly step: string;
  readonly next: readonly string[];
}

/** How sure a finding is, and why. */
export interface Sure {
  readonly certainty: Certainty;
  readonly why: string;
}

/** One small question; undefined: this is not what is wrong, ask the next one. */
export type Rule<Q extends Question> = (question: Q) => Finding | undefined;
