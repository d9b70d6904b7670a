import type { Facts } from "./facts/facts.ts";
import type { EventRecord, NodeRecord, PodRecord } from "./kubernetes.ts";
import type { OwnerRule } from "./owners.ts";
import type { PriceRule } from "./prices.ts";
import type { Reservation } from "./reservation.ts";

/** What a source can be; only `live` and `stale` ones have data behind them. */
export type SourceState =
  | "live"
  | "stale"
  | "unreachable"
  | "forbidden"
  | "absent"
  | "loading"
  | "not-configured";

export type SourceErrorCode =
  | "unreachable"
  | "unauthorized"
  | "forbidden"
  | "expired"
  | "invalid"
  | "rate-limited"
  | "absent";

/** What went wrong at an edge: what, where, and what to do about it. */
export interface SourceProblem {
  readonly code: SourceErrorCode;
  readonly message: string;
  /** What the user can do; empty where there is nothing. */
  readonly hint: string;
}

/** The state of one source: one watched resource, or one reservation file. */
export interface SourceStatus {
  /** Stable: `kubernetes/nodes`, `kubernetes/pods`, `kubernetes/events`, `reservations/NAME`. */
  readonly id: string;
  readonly kind: "kubernetes" | "reservations" | "prometheus";
  readonly state: SourceState;
  /** When its data was last known to be true; undefined where it never was. */
  readonly asOf: number | undefined;
  readonly error: SourceProblem | undefined;
}

/** Data with whether it was ever read: `items` of a source that was never read mean nothing, not none. */
export interface Sourced<T> {
  readonly known: boolean;
  readonly items: readonly T[];
}

/** Something that was read and is odd: counted and shown, never dropped in silence. */
export interface Issue {
  /** CamelCase, stable. */
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly object?: ObjectRef;
  readonly source?: string;
}

export interface ObjectRef {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** What is looked at, for the header. */
export interface ClusterInfo {
  readonly name: string;
  readonly kind: "cluster" | "demo" | "snapshot";
  /** Base URL of the API server; undefined for a snapshot file. */
  readonly server: string | undefined;
}

/** Everything that was read at one moment: the core's only input besides `now`. */
export interface Snapshot {
  readonly cluster: ClusterInfo;
  readonly nodes: Sourced<NodeRecord>;
  readonly pods: Sourced<PodRecord>;
  readonly events: Sourced<EventRecord>;
  /** Objects of all further kinds. */
  readonly facts: Facts;
  /** Each id once, whatever its case. */
  readonly reservations: Sourced<Reservation>;
  readonly sources: readonly SourceStatus[];
  /** What the edges found odd. */
  readonly issues: readonly Issue[];
  /** Further accelerator resource names from the configuration. */
  readonly acceleratorNames: readonly string[];
  /** Who owns what, from the configuration. */
  readonly owners: readonly OwnerRule[];
  /** Contract prices from the configuration. */
  readonly prices: readonly PriceRule[];
  /** Capacity that ends within so many hours is announced. */
  readonly noticeHours: number;
}
