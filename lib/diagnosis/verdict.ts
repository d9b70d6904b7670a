import type { ConsideredView, HolderView, LadderStepView, StuckView } from "../model/fleet-view.ts";
import type { OwnerReference } from "../model/kubernetes.ts";
import type { Reason } from "../model/reasons.ts";
import type { ObjectRef } from "../model/snapshot.ts";
import type { Layer } from "../model/stages.ts";

/** Which layer is at fault for one stuck pod, and why. Times are epoch milliseconds. */
export interface Verdict {
  /** `Pod`, or the kind of the object that should have made one. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly layer: Layer;
  readonly reason: Reason;
  readonly certainty: Certainty;
  readonly certaintyWhy: string;
  /** What a person would say in a meeting. */
  readonly sentence: string;
  /** Whole devices that it asks for. */
  readonly gpus: number;
  /** Since when it is stuck. */
  readonly since: number | undefined;
  readonly workload: OwnerReference | undefined;
  /** Pool it is bound to, or would most likely run in; undefined where none. */
  readonly pool: string | undefined;
  readonly evidence: readonly Evidence[];
  /** Exactly one step is broken: that of `layer`. */
  readonly ladder: Ladder;
  readonly considered: readonly ConsideredView[];
  /** The biggest holders of what it waits for, biggest first. */
  readonly holders: readonly HolderView[];
  /** Commands and actions, none of them destructive. */
  readonly next: readonly string[];
  /** What would stand in the way once this is mended, in the order in which it would show. */
  readonly blocksNext: readonly Blocker[];
  /** What the scheduler goes by, the same for pods that it cannot tell apart; undefined for what is not waiting for it. */
  readonly alike: string | undefined;
  /** Members of the gang that have their place, of all that it needs; undefined: it is no gang. */
  readonly gang: Gang | undefined;
  /** With DRA a part of provisioning happens while scheduling: L2 and L3 cannot be told apart sharply. */
  readonly isBlurred: boolean;
}

export interface Blocker {
  readonly layer: Layer;
  readonly reason: Reason;
  /** One line. */
  readonly step: string;
}

export interface Gang {
  readonly placed: number;
  readonly size: number;
}

/** How sure a verdict is. */
export type Certainty = StuckView["certainty"];

/** What the four layers look like for one pod. */
export type Ladder = Readonly<Record<Layer, LadderStepView>>;

/** One fact about one object: the value of a field, or a message. */
export interface Evidence {
  readonly object: ObjectRef;
  /** Path of the field; undefined for a message. */
  readonly field: string | undefined;
  readonly value: string;
  readonly at: number | undefined;
}
