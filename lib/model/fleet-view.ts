import type { Certainty, Figure, Money } from "./money.ts";
import type { Reason } from "./reasons.ts";
import type { ReservationMarket } from "./reservation.ts";
import type { ObjectRef, SourceProblem, SourceState } from "./snapshot.ts";
import type { Layer, Stage } from "./stages.ts";

/** The wire's promise: what `GET /api/view`, the stream and `npm run view` answer. Times are ISO 8601 in UTC. */
export const API_VERSION = "seamline.dev/v1";

export interface FleetView {
  readonly apiVersion: typeof API_VERSION;
  readonly generatedAt: string;
  readonly cluster: ClusterView;
  readonly sources: readonly SourceView[];
  readonly counts: CountsView;
  readonly totals: LedgerView;
  /** Largest seam ($/hour, then GPUs) first. */
  readonly pools: readonly PoolView[];
  /** L1 first. */
  readonly lanes: readonly LaneView[];
  /** Largest $/hour first, then GPUs. */
  readonly losses: readonly LossView[];
  /** Most GPUs first, then longest waiting. */
  readonly stuck: readonly StuckView[];
  /** What the capacity team should look at, largest $/hour first, then GPUs. */
  readonly findings: readonly FindingView[];
  readonly issues: readonly IssueView[];
}

export interface ClusterView {
  readonly name: string;
  readonly kind: "cluster" | "demo" | "snapshot";
  readonly server: string | null;
}

export interface SourceView {
  readonly id: string;
  readonly kind: "kubernetes" | "reservations" | "prometheus";
  readonly state: SourceState;
  readonly asOf: string | null;
  readonly error: SourceProblem | null;
}

export interface CountsView {
  readonly nodes: number | null;
  readonly nodesWithoutAccelerators: number | null;
  readonly pods: number | null;
  readonly gpuPods: number | null;
  readonly systemPods: number | null;
}

/** A ledger: all figures of one pool or of all. Sum of `stages` plus `unknown` is `paid`. */
export interface LedgerView {
  readonly paid: Figure;
  readonly schedulable: Figure;
  readonly seam: Figure;
  readonly working: Figure;
  /** Paid GPUs whose stage cannot be told since a source was never read; 0 GPUs when all are told. */
  readonly unknown: Figure;
  /** All thirteen, in the ledger's order. */
  readonly stages: readonly StageView[];
}

export interface StageView extends Figure {
  readonly stage: Stage;
  readonly layer: Layer;
  readonly causes: readonly CauseView[];
}

/** Why GPUs are in a stage. */
export interface CauseView {
  /** A reason code, or a CamelCase word of its own where nothing is wrong (`Free`, `Running`). */
  readonly reason: string;
  readonly gpus: number;
  /** One line: what is so. */
  readonly detail: string;
  readonly since: string | null;
  readonly objects: readonly ObjectRef[];
  /** All objects, where `objects` is cut. */
  readonly objectCount: number;
}

export interface PoolView extends LedgerView {
  /** Stable, URL-safe after encoding: `reservation/ID`, `node-pool/NAME`, `instance-type/NAME`. */
  readonly id: string;
  readonly name: string;
  readonly kind: "reservation" | "node-pool" | "instance-type";
  readonly provider: string | null;
  readonly instanceTypes: readonly string[];
  readonly gpuModel: string | null;
  readonly zones: readonly string[];
  readonly capacityType: "reserved" | "on-demand" | "spot" | "mixed" | "unknown";
  readonly rate: RateView;
  readonly reservation: ReservationView | null;
  readonly nodes: number;
  /** One entry a node or empty slot; null above BLOCK_LIMIT GPUs, where only sums travel. */
  readonly blocks: readonly BlockView[] | null;
  /** Stuck unplaced pods that would fit on this pool's nodes as written. */
  readonly waiting: { readonly pods: number; readonly gpus: number };
}

/** Pools above this many GPUs are drawn as bars: their blocks do not travel. */
export const BLOCK_LIMIT = 512;

export interface RateView {
  /** null: unknown, or several rates within the pool (then `min` and `max`). */
  readonly perGpuHour: Money | null;
  readonly min: Money | null;
  readonly max: Money | null;
  readonly source: "contract" | "provider" | "fee" | "list" | "mixed" | "unknown";
  readonly asOf: string | null;
}

export interface ReservationView {
  /** The provider's own id. */
  readonly id: string;
  readonly state: "scheduled" | "active" | "ended" | "failed" | "unknown";
  /** The provider's own word for its state; null where the dates alone decide. */
  readonly rawState: string | null;
  /** Its slots cost money now; null where that cannot be told. */
  readonly billed: boolean | null;
  /** Machines can be launched into its free slots now; null where that cannot be told. */
  readonly launchable: boolean | null;
  /** The provider's page with the billing rule. */
  readonly doc: string | null;
  readonly market: ReservationMarket;
  /** `open`: machines of its kind take its slots by themselves. `targeted`: only those that name it. */
  readonly matching: "open" | "targeted" | null;
  readonly region: string | null;
  readonly zone: string | null;
  /** Account, project or subscription. */
  readonly account: string | null;
  readonly start: string | null;
  readonly end: string | null;
  /** When the provider begins to take the machines back, before `end`. */
  readonly usableUntil: string | null;
  /** What happens to it next by its dates; null where nothing is known. */
  readonly nextChange: { readonly at: string; readonly what: string } | null;
  readonly slots: number;
  /** Slots with a node of this cluster. */
  readonly launched: number;
  /** Slots in use by anyone as the provider says, above `slots` where it lets machines run beyond them; null: it does not say. */
  readonly used: number | null;
  /** Paid slots without a machine into which one could be launched now. */
  readonly free: number;
  /** Slots that the provider itself reports as not usable. */
  readonly broken: number;
  readonly gpusPerInstance: number;
  readonly billing: "continuous" | "upfront" | "none";
  readonly owner: string | null;
  /** Rules by which its nodes were found, e.g. `selector`, `label`, `inferred`. */
  readonly matchedBy: readonly string[];
}

/** The GPUs of one node or one empty slot, one character each (`StageInfo.code`). */
export interface BlockView {
  readonly kind: "node" | "slot";
  /** The node's name, or the slot's number within the reservation. */
  readonly name: string;
  readonly cells: string;
}

export interface LaneView {
  readonly layer: Layer;
  readonly title: string;
  readonly what: string;
  readonly owner: string;
  readonly failsAs: string;
  /** The worst state among the sources that feed this lane, and how old its data is. */
  readonly state: SourceState;
  readonly asOf: string | null;
  /** GPUs that reach the layer, that get through it, that it loses, that cannot be told. */
  readonly reach: number;
  readonly through: number;
  readonly lost: Figure;
  readonly unknown: number;
  /** L3 only: unplaced GPU pods. */
  readonly waiting: { readonly pods: number; readonly gpus: number } | null;
  readonly pools: readonly LanePoolView[];
}

export interface LanePoolView {
  readonly pool: string;
  readonly through: number;
  readonly lost: number;
  readonly unknown: number;
}

/** GPUs of one pool lost in one stage for one cause. */
export interface LossView extends Figure {
  readonly id: string;
  readonly pool: string;
  readonly poolName: string;
  readonly stage: Stage;
  readonly layer: Layer;
  /** True where the loss is in the seam, false above it. */
  readonly seam: boolean;
  readonly reason: string;
  readonly title: string;
  readonly detail: string;
  readonly owner: string;
  /** Where the owner is reached, as the configuration says. */
  readonly contact: string | null;
  readonly since: string | null;
  /** True where no object dates the loss: `since` is when it was first seen, and it may be older. */
  readonly sinceSeen: boolean;
  readonly objects: readonly ObjectRef[];
  readonly objectCount: number;
}

/** Something about paid capacity that costs money or soon will, with its cost. */
export interface FindingView extends Figure {
  readonly id: string;
  readonly kind: FindingKind;
  /** Id of the reservation concerned. */
  readonly reservation: string;
  /** Id of the pool concerned: the reservation's own. */
  readonly pool: string;
  readonly since: string | null;
  /** When it ends by itself, or comes true; null where nothing is known. */
  readonly until: string | null;
  readonly title: string;
  readonly detail: string;
  readonly owner: string;
  readonly contact: string | null;
  readonly objects: readonly ObjectRef[];
  readonly objectCount: number;
}

export type FindingKind =
  /** Paid slots into which a machine could be launched, and none is. */
  | "idle"
  /** Ends within the notice time; with GPUs that pods hold in it. */
  | "ending"
  | "ending-with-work"
  /** On-demand or spot machines run where slots of the same type and zone are free. */
  | "double-pay"
  /** More machines than slots: the excess is on-demand. */
  | "overallocated"
  /** Paid, but the provider itself says that it is not usable. */
  | "not-consumable"
  /** Machines that outlived their reservation run on, on-demand. */
  | "ended-still-running";

export const FINDING_KINDS: readonly FindingKind[] = [
  "idle",
  "ending",
  "ending-with-work",
  "double-pay",
  "overallocated",
  "not-consumable",
  "ended-still-running",
];

export interface StuckView {
  /** Stable: `pod/NAMESPACE/NAME`, the kind in lower case. */
  readonly id: string;
  /** `Pod`, or the kind of the object that should have made one. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly layer: Layer;
  readonly reason: Reason;
  readonly certainty: "high" | "medium" | "low";
  /** Why `certainty` is what it is. */
  readonly certaintyWhy: string;
  readonly sentence: string;
  readonly owner: string;
  readonly contact: string | null;
  readonly gpus: number;
  readonly since: string | null;
  /** The workload the pod belongs to, as far as the pod names it. */
  readonly workload: ObjectRef | null;
  /** Pool it is bound to or would fit; null where none. */
  readonly pool: string | null;
  readonly evidence: readonly EvidenceView[];
  readonly ladder: Readonly<Record<Layer, LadderStepView>>;
  readonly considered: readonly ConsideredView[];
  readonly holders: readonly HolderView[];
  readonly next: readonly string[];
  /** What would stand in the way once this is mended. */
  readonly blocksNext: readonly BlockerView[];
  /** How many pods this entry stands for: those of one workload that wait for the same thing. */
  readonly count: number;
  /** The first of them, `name` among them. */
  readonly members: readonly ObjectRef[];
  /** Members of a gang that have their place, of all that it needs; null: it is no gang. */
  readonly gang: GangView | null;
  /** With DRA the border between L2 and L3 is blurred. */
  readonly isBlurred: boolean;
}

export interface BlockerView {
  readonly layer: Layer;
  readonly reason: Reason;
  readonly step: string;
}

export interface GangView {
  readonly placed: number;
  readonly size: number;
}

export interface EvidenceView {
  readonly object: ObjectRef;
  /** Path of the field; null for a message. */
  readonly field: string | null;
  readonly value: string;
  readonly at: string | null;
}

export interface LadderStepView {
  readonly state: "ok" | "broken" | "not-reached" | "unknown";
  readonly detail: string;
}

/** Nodes that were looked at for a pod and why none of them takes it; alike ones are one row. */
export interface ConsideredView {
  readonly nodes: readonly string[];
  readonly nodeCount: number;
  readonly pool: string | null;
  readonly gpusFree: number;
  readonly gpusTotal: number;
  readonly layer: Layer;
  readonly why: string;
}

/** Who holds GPUs that the pod waits for. */
export interface HolderView {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly gpus: number;
}

export interface IssueView {
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly object: ObjectRef | null;
  readonly source: string | null;
  /** How many objects it holds for; `object` is the first. */
  readonly count: number;
}

export type { Certainty, Figure, Money };
