import type { Money } from "./money.ts";

/** What travels beside the FleetView on `GET /api/stream`: events `trend` and `demo`. */

/** One sample of the totals. */
export interface TrendPoint {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly paid: TrendFigure;
  readonly schedulable: TrendFigure;
  readonly working: TrendFigure;
}

/** null: it could not be told at that moment, drawn as a gap. */
export interface TrendFigure {
  readonly gpus: number | null;
  readonly perHour: readonly Money[];
}

export interface TrendView {
  /** Epoch milliseconds at which the process began to look. */
  readonly since: number;
  /** Milliseconds between two samples. */
  readonly interval: number;
  /** Oldest first. */
  readonly points: readonly TrendPoint[];
}

/** The bundled demo cluster's state; null on the wire when something else is read. */
export interface DemoView {
  readonly scenario: string;
  readonly title: string;
  /** Names of all bundled scenarios. */
  readonly scenarios: readonly string[];
  readonly steps: readonly DemoStepView[];
  /** Index into `steps` of the one that is shown. */
  readonly step: number;
  /** True while the steps advance on their own. */
  readonly playing: boolean;
  /** True where the steps are small ongoing changes that repeat, not a walk-through. */
  readonly loops: boolean;
  /** Address for `kubectl --server=`. */
  readonly server: string;
}

export interface DemoStepView {
  readonly title: string;
  readonly text: string;
}
