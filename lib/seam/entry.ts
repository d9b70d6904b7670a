import type { Rate } from "../model/money.ts";
import type { ObjectRef } from "../model/snapshot.ts";
import type { Stage } from "../model/stages.ts";

/** Some GPUs of one pool member that are in the same stage for the same reason. */
export interface Entry {
  /** undefined: it cannot be told, since the pods (or nodes) were never read. */
  readonly stage: Stage | undefined;
  /** Of an entry without a stage: whether its GPUs count as schedulable all the same. */
  readonly schedulable: boolean | undefined;
  readonly gpus: number;
  readonly rate: Rate;
  readonly reason: string;
  /** What is so with this object, without its name. */
  readonly detail: string;
  readonly since: number | undefined;
  readonly object: ObjectRef | undefined;
}
