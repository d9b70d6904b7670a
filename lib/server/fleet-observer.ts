import type { FleetView, IssueView } from "../model/fleet-view.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { type Derived, derive } from "../pipeline.ts";
import type { Clock } from "../sources/kubernetes/clock.ts";
import { coalesce } from "./coalesce.ts";
import { readSnapshot, type Sources } from "./read-snapshot.ts";
import { stuckObjects } from "./stuck-objects.ts";

/** The newest picture of what the sources know, kept up to date while it is started. */
export interface FleetObserver {
  start(): void;
  stop(): Promise<void>;
  view(): FleetView;
  /** What the detail views are made of: the last snapshot that could be put together, and what it gave. */
  basis(): Basis;
  /** Calls `listener` after each new view; gives the function that ends it. */
  onView(listener: () => void): () => void;
}

export interface Basis {
  readonly snapshot: Snapshot;
  readonly derived: Derived;
}

/** A change is derived this soon after it came, in milliseconds, ... */
const WAIT = 50;
/** ... and never sooner than this after the one before. */
const GAP = 250;
/** Without any change the view is derived this often, since time alone changes states and ages. */
const REFRESH = 10_000;

/**
 * Derives a view whenever a source changes. Where deriving fails, which no input may cause, the last good view stays,
 * with an issue that says so.
 */
export function createFleetObserver(
  sources: Sources,
  clock: Clock,
  deriveFrom: typeof derive = derive,
): FleetObserver {
  const listeners = new Set<() => void>();
  const stops: (() => void)[] = [];
  let firstSeen: ReadonlyMap<string, number> = new Map();
  let reserved: Derived["reserved"] = new Map();
  let basis = build();
  let { view } = basis.derived;
  let cancelRefresh: (() => void) | undefined;

  function build(): Basis {
    const now = clock.now();
    const snapshot = readSnapshot(sources, now);
    return { snapshot, derived: deriveFrom(snapshot, now, firstSeen, reserved) };
  }

  function update(): void {
    const seenBefore = firstSeen;
    try {
      basis = build();
      view = basis.derived.view;
      firstSeen = rememberLosses(view, firstSeen, clock.now());
      ({ reserved } = basis.derived);
      sources.kubernetes.retain(stuckObjects(basis.derived));
    } catch (error) {
      view = withFailure(basis.derived.view, error);
    }
    // A loss without a date has one from its second view on.
    if ([...firstSeen.keys()].some((id) => !seenBefore.has(id))) changed.trigger();
    for (const listener of listeners) listener();
  }

  const changed = coalesce({ run: update, wait: WAIT, gap: GAP, clock });

  function refresh(): void {
    cancelRefresh = clock.schedule(refresh, REFRESH);
    changed.trigger();
  }

  return {
    start() {
      const all = [sources.kubernetes, ...sources.reservations];
      stops.push(...all.map((source) => source.onChange(changed.trigger)));
      sources.kubernetes.start();
      for (const source of sources.reservations) void source.start();
      refresh();
    },
    async stop() {
      cancelRefresh?.();
      changed.stop();
      for (const stop of stops) stop();
      for (const source of sources.reservations) source.stop();
      await sources.kubernetes.stop();
    },
    view: () => view,
    basis: () => basis,
    onView(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Loss id -> when it was first in a view; those that are gone are forgotten. */
function rememberLosses(
  { losses }: FleetView,
  before: ReadonlyMap<string, number>,
  now: number,
): ReadonlyMap<string, number> {
  return new Map(losses.map(({ id }) => [id, before.get(id) ?? now]));
}

function withFailure(view: FleetView, error: unknown): FleetView {
  const issue: IssueView = {
    code: "DeriveFailed",
    severity: "error",
    message: `This view is the one of ${view.generatedAt}: what was read since cannot be put together (${String(error)}).`,
    object: null,
    source: null,
    count: 1,
  };
  return { ...view, issues: [issue, ...view.issues] };
}
