import type { FactObject } from "./fact-object.ts";

/** A group of pods that is placed as a whole: of Volcano, KAI or coscheduling. */
export interface PodGroupRecord extends FactObject {}

/** A queue of Volcano or KAI. */
export interface QueueRecord extends FactObject {}
