import type { Facts } from "../model/facts/facts.ts";
import type { EventRecord, NodeRecord, PodRecord, Resources } from "../model/kubernetes.ts";
import type { Rate } from "../model/money.ts";
import type { Reservation, ReservationState } from "../model/reservation.ts";
import type { Issue } from "../model/snapshot.ts";
import type { LaunchedMachine } from "./launched-machines.ts";
import type { PastReservation } from "./past-reservation.ts";
import type { ReservationStanding } from "./reservation-state.ts";

/** What the layers make of a Snapshot: nodes with their GPUs and pods, joined to what pays for them. */
export interface Fleet {
  /** Node name -> node. */
  readonly nodes: ReadonlyMap<string, FleetNode>;
  readonly pools: readonly Pool[];
  /** GPU pods that are neither terminal nor system pods, nor only hold a device that others share; bound or not. */
  readonly gpuPods: readonly PodRecord[];
  /** `NAMESPACE/NAME` of a pod or name of a node -> its events, newest first. */
  readonly events: EventIndex;
  /** All pods, GPU or not, terminal ones included. */
  readonly pods: readonly PodRecord[];
  readonly facts: Facts;
  readonly podsKnown: boolean;
  readonly nodesKnown: boolean;
  /** Accelerator resource names beyond the built-in ones. */
  readonly acceleratorNames: readonly string[];
  /** The least CPU (millicores) and memory (bytes) that a known GPU pod asks for. */
  readonly leastGpuPod: { readonly cpu: number; readonly memory: number } | undefined;
  readonly issues: readonly Issue[];
}

export interface EventIndex {
  ofPod(namespace: string, name: string): readonly EventRecord[];
  ofNode(name: string): readonly EventRecord[];
  /** Events about any object; `namespace` is empty for kinds without one. */
  of(kind: string, namespace: string, name: string): readonly EventRecord[];
  /** Every event, in no order. */
  readonly all: readonly EventRecord[];
}

export interface FleetNode {
  readonly record: NodeRecord;
  /** Id of its pool; undefined for a node without accelerators. */
  readonly poolId: string | undefined;
  /** The reservation that it ran in, or names, and that pays for it no more. */
  readonly past: PastReservation | undefined;
  readonly gpus: NodeGpus;
  readonly readiness: Readiness;
  /** Why it takes no new pods; undefined where it does. */
  readonly blocked: Blocked | undefined;
  /** Bound, not terminal. */
  readonly pods: readonly PodRecord[];
  /** Allocatable minus requests of `pods`, every resource; never below 0. */
  readonly free: Resources;
  /** GPU pods elsewhere that are nominated to run here, by their own requests. */
  readonly nominated: readonly PodRecord[];
}

/** GPUs of one node in whole physical devices. physical ≥ advertised ≥ allocatable ≥ requested. */
export interface NodeGpus {
  readonly physical: number;
  /** Which rule gave `physical`. */
  readonly physicalFrom: "reservation" | "instance-type" | "label" | "annotation" | "capacity" | "none";
  readonly model: string | undefined;
  /** From status.capacity. */
  readonly advertised: number;
  /** From status.allocatable. */
  readonly allocatable: number;
  /** Held by bound, non-terminal pods; whole devices, shared ones rounded up. */
  readonly requested: number;
  /** Accelerator resource name -> units a physical device is advertised as (1, or replicas, or 7 slices). */
  readonly unitsPerDevice: Readonly<Record<string, number>>;
}

export interface Readiness {
  readonly ready: boolean;
  /** Reason and message of the Ready condition, or what is missing. */
  readonly reason: string;
  readonly message: string;
  readonly since: number | undefined;
}

export interface Blocked {
  /** `unschedulable`, or the key of the taint. */
  readonly by: string;
  readonly since: number | undefined;
}

/** One column of the picture. */
export interface Pool {
  readonly id: string;
  readonly name: string;
  readonly kind: "reservation" | "node-pool" | "instance-type";
  readonly provider: string | undefined;
  readonly gpuModel: string | undefined;
  readonly reservation: PoolReservation | undefined;
  /** Members in the order in which they are drawn. */
  readonly members: readonly PoolMember[];
}

export interface PoolReservation extends ReservationStanding {
  readonly record: Reservation;
  readonly state: ReservationState;
  /** Billed slots now: `count` while billed, else 0; undefined where that cannot be told. */
  readonly paidSlots: number | undefined;
  readonly matchedBy: readonly string[];
  /** Names of nodes that name it, or that its provider lists in it, beyond its slots: they are on-demand. */
  readonly excess: readonly string[];
}

/** What is so with a slot that has no node. */
export type SlotUse =
  /** A machine could be launched into it. */
  | "free"
  /** In use by a machine that is a node of no watched cluster. */
  | "elsewhere"
  /** In use by a machine that has not become a node. */
  | "unregistered"
  /** The provider says that its host is not usable. */
  | "broken"
  /** The reservation's state allows no launch. */
  | "not-consumable"
  /** The reservation is in its last minutes. */
  | "ending";

/** What a pool pays for: a machine that is a node, or a slot with none; outside reservations, such a machine alone. */
export type PoolMember =
  | {
      readonly kind: "node";
      readonly node: FleetNode;
      readonly gpus: number;
      readonly rate: Rate;
      readonly matchedBy: string | undefined;
    }
  | {
      readonly kind: "slot";
      readonly index: number;
      readonly gpus: number;
      readonly rate: Rate;
      readonly use: SlotUse;
      /** Of a slot that is `unregistered`. */
      readonly machine?: LaunchedMachine;
    };
