import type { FieldProblem } from "../../model/kubernetes.ts";
import type { RecordStore } from "./record-store.ts";

/** What every record has that a reflector keeps. */
export interface WatchedRecord {
  readonly uid: string;
  readonly name: string;
  readonly namespace?: string;
  readonly problems?: readonly FieldProblem[];
}

/** One resource of the API and what is kept of its objects. */
export interface WatchedResource<T extends WatchedRecord> {
  /** Id of the source: `kubernetes/pods`. */
  readonly id: string;
  readonly kind: string;
  /** `/api/v1/pods` */
  readonly path: string;
  /** Accept header of its requests. */
  readonly accept: string;
  /** Narrows what is listed and watched, e.g. `metadata.name=x`. */
  readonly fieldSelector?: string;
  /** A JSON-shaped object as its record; undefined where it is not to be kept. Never throws; a record without a name is not kept. */
  readonly normalize: (raw: unknown) => T | undefined;
  readonly createStore: () => RecordStore<T>;
}
