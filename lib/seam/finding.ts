import type { Pool, PoolReservation } from "../layers/fleet.ts";
import type { FindingKind } from "../model/fleet-view.ts";
import type { ObjectRef } from "../model/snapshot.ts";
import type { ClassifiedMember } from "./classify.ts";
import type { Entry } from "./entry.ts";
import type { PricedGpus } from "./figure.ts";

/** A pool with what became of its GPUs. */
export interface ClassifiedPool {
  readonly pool: Pool;
  readonly members: readonly ClassifiedMember[];
  readonly entries: readonly Entry[];
}

export interface ReservedPool extends ClassifiedPool {
  readonly pool: Pool & { readonly reservation: PoolReservation };
}

export function isReserved(classified: ClassifiedPool): classified is ReservedPool {
  return classified.pool.reservation !== undefined;
}

/** A finding before its figure is added up and its owner looked up. */
export interface FindingDraft {
  readonly kind: FindingKind;
  /** Id of the reservation concerned. */
  readonly reservation: string;
  /** Id of the pool concerned. */
  readonly pool: string;
  readonly parts: readonly PricedGpus[];
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly title: string;
  readonly detail: string;
  readonly objects: readonly ObjectRef[];
}

/** `1 machine`, `3 machines`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
