import type { DiagnosisView, NodeDetailView, PodDetailView } from "../model/detail-view.ts";
import type { FleetView } from "../model/fleet-view.ts";
import type { DemoView, TrendView } from "../model/live-view.ts";

/**
 * The process' one state, as the pages and route handlers see it. They only read: everything is composed by
 * `lib/server/main.ts`, whose modules are not the copies that Next bundles for pages and routes.
 */
export interface LiveState {
  /** The newest view; before the first answer of the cluster one whose sources are `loading`. */
  view(): FleetView;
  trend(): TrendView;
  /** null where no demo is read. */
  demo(): DemoView | null;
  /** undefined: no such node is known. */
  nodeDetail(name: string): NodeDetailView | undefined;
  /** undefined: no such pod is known. */
  podDetail(namespace: string, name: string): PodDetailView | undefined;
  /**
   * The verdict on one object that is stuck, or on what it has made; undefined where none is. With `logs` those of its
   * pod are read first and looked at too.
   */
  diagnosis(question: DiagnosisQuestion): Promise<DiagnosisView | undefined>;
  /** A new event stream, newest state first; undefined where too many are open or the process ends. */
  openStream(): ReadableStream<Uint8Array> | undefined;
  readiness(): Readiness;
  /** Moves the demo to a step and/or plays or pauses it; undefined where no demo is read. */
  steerDemo(change: DemoChange): DemoView | undefined;
}

/** An object by its name; without a kind the first of that name, pods before others. */
export interface DiagnosisQuestion {
  readonly kind: string | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly logs: boolean;
}

/** Whether the page says something of the cluster already, and if not, why. */
export interface Readiness {
  readonly ready: boolean;
  readonly why: string;
}

export interface DemoChange {
  readonly step?: number | undefined;
  readonly playing?: boolean | undefined;
}

const KEY = Symbol.for("seamline");

/** A symbol on `globalThis` is the one thing that all copies of this module share. */
const shared: typeof globalThis & { [KEY]?: LiveState } = globalThis;

/** Makes `state` the process' own; undefined takes it away. */
export function setLiveState(state: LiveState | undefined): void {
  if (state) shared[KEY] = state;
  else delete shared[KEY];
}

/** The process' state. Throws where the server was not started by `lib/server/main.ts`. */
export function liveState(): LiveState {
  const state = shared[KEY];
  if (!state) throw new Error("Seamline's state is not there: start the server with lib/server/main.ts");
  return state;
}
