import type { Fleet } from "../layers/fleet.ts";
import type { FactObject } from "../model/facts/fact-object.ts";
import type { FactName } from "../model/facts/facts.ts";
import type { HolderView } from "../model/fleet-view.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import type { Reason } from "../model/reasons.ts";
import type { Ask } from "./ask.ts";
import type { Placement } from "./placement/placement.ts";
import type { SchedulerWords } from "./scheduler-words.ts";
import type { Certainty, Evidence, Gang, Ladder } from "./verdict.ts";

/** One pod, with everything that a rule may look at. */
export interface Question {
  readonly pod: PodRecord;
  readonly ask: Ask;
  readonly fleet: Fleet;
  readonly now: number;
  readonly logs: LogLookup;
}

/**
 * The last lines that a pod's container has printed, of its previous run where it crashed; undefined where they were
 * not asked for or cannot be had. Secrets in them are blanked out already.
 */
export type LogLookup = (namespace: string, pod: string, container: string) => string | undefined;

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
  /** What it rests on: where one of them cannot be read, the finding is less sure and says so. */
  readonly reads?: readonly FactName[];
  readonly gang?: Gang | undefined;
  readonly isBlurred?: boolean;
}

/** What is wrong with an object that should have made pods and has not, or not all. */
export interface SubjectFinding extends Finding {
  readonly object: FactObject;
  /** Whole devices that its missing pods would ask for. */
  readonly gpus: number;
  readonly since: number | undefined;
  /** L1 and L2 as far as they are known for it; what is left out is `not reached`. */
  readonly ladder?: Partial<Ladder>;
}

/** All objects of one family that lack pods, each with why. Those that are not stuck are left out. */
export type SubjectRule = (fleet: Fleet, now: number) => readonly SubjectFinding[];

/** How sure a finding is, and why. */
export interface Sure {
  readonly certainty: Certainty;
  readonly why: string;
}

/** One small question; undefined: this is not what is wrong, ask the next one. */
export type Rule<Q extends Question> = (question: Q) => Finding | undefined;
