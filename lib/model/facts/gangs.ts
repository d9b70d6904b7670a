import type { Resources } from "../kubernetes.ts";
import type { FactObject } from "./fact-object.ts";

/** A group of pods that is placed as a whole: of Volcano, KAI or coscheduling. */
export interface PodGroupRecord extends FactObject {
  /** Pods that have to find a place at once; undefined: the object does not say. */
  readonly minMember: number | undefined;
  /** Empty: none is named. */
  readonly queue: string;
  /** What `minMember` pods ask for together; undefined: the object does not say. */
  readonly minResources: Resources | undefined;
  /** Volcano: `Pending`, `Inqueue`, `Running`, `Unknown`, `Completed`; empty where none is kept. */
  readonly phase: string;
}

/** A queue of Volcano or KAI. A limit that is not there does not limit. */
export interface QueueRecord extends FactObject {
  /** Empty: it has none. */
  readonly parent: string;
  /** Volcano: `Open`, `Closing`, `Closed`; empty where the queue has no such state. */
  readonly state: string;
  /** Most that may be held at once, by resource. KAI counts all GPUs as `nvidia.com/gpu`, parts of one included. */
  readonly limit: Readonly<Record<string, number>>;
  /** What pods that may not be preempted can hold at most (KAI's quota). */
  readonly quota: Readonly<Record<string, number>>;
  /** What is held; undefined: the status does not say. */
  readonly allocated: Readonly<Record<string, number>> | undefined;
  /** That part of it which may not be preempted; undefined: the status does not say. */
  readonly allocatedFixed: Readonly<Record<string, number>> | undefined;
}
