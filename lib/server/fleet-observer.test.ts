import { afterEach, describe, expect, it, vi } from "vitest";
import { NO_FACTS } from "../model/facts/facts.ts";
import type { Reservation } from "../model/reservation.ts";
import type { SourceStatus } from "../model/snapshot.ts";
import { derive } from "../pipeline.ts";
import type { ClusterSource, ClusterState } from "../sources/kubernetes/cluster-source.ts";
import type { ReservationSource } from "../sources/reservations/reservation-source.ts";
import { aNode, aPod, aReservation, NOW } from "../testing/builders.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { NO_SETTINGS } from "./config-file.ts";
import { createFleetObserver, type FleetObserver } from "./fleet-observer.ts";

/** A source of which the test says what it reads, and when that has changed. */
function scripted<T>(initial: T) {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    read: () => value,
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(next: T) {
      value = next;
      for (const listener of listeners) listener();
    },
    listeners,
  };
}

function clusterState(
  state: SourceStatus["state"],
  nodes: ClusterState["nodes"]["items"] = [],
): ClusterState {
  const known = state === "live";
  const status: SourceStatus = {
    id: "kubernetes/nodes",
    kind: "kubernetes",
    state,
    asOf: undefined,
    error: undefined,
  };
  return {
    nodes: { known, items: nodes },
    pods: { known, items: [] },
    facts: NO_FACTS,
    events: { known, items: [] },
    sources: [status],
    issues: [],
  };
}

function reservationState(items: readonly Reservation[]) {
  const status: SourceStatus = {
    id: "reservations/a",
    kind: "reservations",
    state: "live",
    asOf: NOW,
    error: undefined,
  };
  return { reservations: { known: true, items }, status, issues: [] };
}

let observer: FleetObserver | undefined;

const retain = vi.fn<ClusterSource["retain"]>();

function observe(options: { deriveFrom?: typeof derive } = {}) {
  const clock = createManualClock(NOW);
  const cluster = scripted(clusterState("loading"));
  const reserved = scripted(reservationState([aReservation({ id: "r", count: 2 })]));
  const kubernetes: ClusterSource = {
    ...cluster,
    start: () => {},
    stop: async () => {},
    retain,
    readLogs: async () => ({ current: undefined, previous: undefined }),
  };
  const reservation: ReservationSource = { ...reserved, start: async () => {}, stop: () => {} };
  const made = createFleetObserver(
    {
      cluster: { name: "test", kind: "cluster", server: undefined },
      kubernetes,
      reservations: [reservation],
      issues: [],
      acceleratorNames: [],
      settings: NO_SETTINGS,
    },
    clock,
    options.deriveFrom,
  );
  observer = made;
  let views = 0;
  made.onView(() => {
    views += 1;
  });
  return { observer: made, cluster, reserved, clock, views: () => views };
}

afterEach(() => observer?.stop());

describe("createFleetObserver", () => {
  it("has a view before anything was read", () => {
    const { view } = observe().observer;
    expect(view().sources[0]?.state).toBe("loading");
    expect(view().counts.nodes).toBeNull();
  });

  it("shows a change within 100 ms, whichever source it comes from", () => {
    const run = observe();
    run.observer.start();
    run.clock.advance(1000);
    run.cluster.set(clusterState("live", [aNode({ name: "a" })]));
    run.clock.advance(100);
    expect(run.observer.view().counts.nodes).toBe(1);
    run.clock.advance(1000);
    run.reserved.set(reservationState([]));
    run.clock.advance(100);
    expect(run.observer.view().pools.map(({ kind }) => kind)).not.toContain("reservation");
  });

  it("tells the cluster what is stuck, so that events about it are kept", () => {
    const run = observe();
    run.observer.start();
    run.clock.advance(1000);
    const stuck = aPod({ name: "stuck", owner: { kind: "Job", name: "train", uid: "uid-job" } });
    const running = aPod({ name: "running", nodeName: "a" });
    const state = clusterState("live", [aNode({ name: "a", gpus: 1 })]);
    run.cluster.set({ ...state, pods: { known: true, items: [stuck, running] } });
    run.clock.advance(100);
    expect(retain.mock.lastCall?.[0]).toEqual(new Set(["Pod/ml/stuck", "Job/ml/train"]));
  });

  it("derives a storm of changes a few times a second only", () => {
    const run = observe();
    run.observer.start();
    run.clock.advance(2000);
    const before = run.views();
    for (let n = 0; n < 100; n++) {
      run.cluster.set(clusterState("live", [aNode({ name: `node-${n}` })]));
      run.clock.advance(10);
    }
    run.clock.advance(300);
    expect(run.views() - before).toBeLessThanOrEqual(6);
    expect(run.observer.basis().snapshot.nodes.items[0]?.name).toBe("node-99");
  });

  it("derives again every 10 s without any change", () => {
    const run = observe();
    run.observer.start();
    run.clock.advance(2000);
    const before = run.views();
    run.clock.advance(30_000);
    expect(run.views() - before).toBe(3);
    expect(Date.parse(run.observer.view().generatedAt)).toBeGreaterThan(NOW + 25_000);
  });

  it("remembers since when it has seen a loss that has no date of its own, until it is gone", () => {
    const run = observe();
    run.cluster.set(clusterState("live"));
    run.observer.start();
    run.clock.advance(1000);
    const since = () => run.observer.view().losses.find(({ stage }) => stage === "not-launched")?.since;
    const first = since();
    expect(Date.parse(first ?? "")).toBeLessThanOrEqual(NOW + 100);
    run.clock.advance(60_000);
    expect(since()).toBe(first);
    run.reserved.set(reservationState([]));
    run.clock.advance(1000);
    run.reserved.set(reservationState([aReservation({ id: "r", count: 2 })]));
    run.clock.advance(1000);
    expect(Date.parse(since() ?? "")).toBeGreaterThan(NOW + 60_000);
  });

  it("remembers the reservation of a node that has lost its label", () => {
    const run = observe();
    const label = { "karpenter.k8s.aws/capacity-reservation-id": "r" };
    const node = aNode({ name: "a", labels: label });
    run.cluster.set(clusterState("live", [node]));
    run.observer.start();
    run.clock.advance(1000);
    run.cluster.set(clusterState("live", [{ ...node, labels: {} }]));
    run.reserved.set(reservationState([]));
    run.clock.advance(60_000);
    const { derived } = run.observer.basis();
    expect(derived.fleet.nodes.get("a")?.past).toMatchObject({ id: "r" });
    expect(run.observer.view().findings).toMatchObject([
      { kind: "ended-still-running", reservation: "r", objects: [{ kind: "Node", name: "a" }] },
    ]);
    const { until } = derived.fleet.nodes.get("a")?.past ?? {};
    expect(until).toBeLessThanOrEqual(NOW + 1000);
  });

  it("keeps the last good view and says so where deriving fails, and recovers", () => {
    let broken = false;
    const run = observe({
      deriveFrom: (...args) => {
        if (broken) throw new Error("does not add up");
        return derive(...args);
      },
    });
    run.observer.start();
    run.cluster.set(clusterState("live", [aNode({ name: "a" })]));
    run.clock.advance(1000);
    broken = true;
    run.cluster.set(clusterState("live", [aNode({ name: "b" }), aNode({ name: "c" })]));
    run.clock.advance(1000);
    const { issues, counts } = run.observer.view();
    expect(counts.nodes).toBe(1);
    expect(issues[0]).toMatchObject({ code: "DeriveFailed", severity: "error" });
    expect(issues[0]?.message).toContain("does not add up");
    broken = false;
    run.clock.advance(11_000);
    expect(run.observer.view().counts.nodes).toBe(2);
    expect(run.observer.view().issues.map(({ code }) => code)).not.toContain("DeriveFailed");
  });

  it("listens to nothing any more after stop", async () => {
    const run = observe();
    run.observer.start();
    await run.observer.stop();
    const before = run.views();
    run.cluster.set(clusterState("live"));
    run.clock.advance(60_000);
    expect(run.views()).toBe(before);
    expect(run.cluster.listeners.size + run.reserved.listeners.size).toBe(0);
  });
});
