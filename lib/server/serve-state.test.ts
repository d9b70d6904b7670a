import { describe, expect, it } from "vitest";
import type { Demo } from "../demo/demo.ts";
import type { FleetView } from "../model/fleet-view.ts";
import type { DemoView } from "../model/live-view.ts";
import { derive } from "../pipeline.ts";
import { aNode, aPod, aSnapshot, NOW } from "../testing/builders.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import type { FleetObserver } from "./fleet-observer.ts";
import { serveState } from "./serve-state.ts";
import type { SseHub } from "./sse.ts";
import { FIRST_INTERVAL } from "./trend.ts";

/** An observer whose view the test sets. */
function aFleet() {
  const snapshot = aSnapshot({ nodes: [aNode({ name: "a" })], pods: [aPod({ namespace: "ml", name: "p" })] });
  const derived = derive(snapshot, NOW);
  let view = derived.view;
  let tell = () => {};
  const observer: FleetObserver = {
    start: () => {},
    stop: async () => {},
    view: () => view,
    basis: () => ({ snapshot, derived }),
    onView(listener) {
      tell = listener;
      return () => {
        tell = () => {};
      };
    },
  };
  const show = (state: FleetView["sources"][number]["state"]) => {
    const source = { id: "kubernetes/nodes", kind: "kubernetes", state, asOf: null, error: null } as const;
    view = { ...view, sources: [source] };
    tell();
  };
  return { observer, show };
}

/** A hub that keeps what is published. */
function aHub() {
  const published: [event: string, data: unknown][] = [];
  let beats = 0;
  let closed = false;
  const hub: SseHub = {
    open: () => undefined,
    publish: (event, data) => published.push([event, JSON.parse(data)]),
    heartbeat: () => {
      beats += 1;
    },
    close: () => {
      closed = true;
    },
    clients: 0,
  };
  return { hub, published, beats: () => beats, closed: () => closed };
}

function aDemo() {
  const view: DemoView = {
    scenario: "s",
    title: "",
    scenarios: ["s"],
    steps: [
      { title: "1", text: "" },
      { title: "2", text: "" },
    ],
    step: 0,
    playing: true,
    loops: false,
    server: "http://127.0.0.1:1",
  };
  let now = view;
  let tell = () => {};
  const change = (next: Partial<DemoView>) => {
    now = { ...now, ...next };
    tell();
  };
  const demo: Demo = {
    url: view.server,
    reservations: {},
    providers: [],
    settingsFile: undefined,
    view: () => now,
    goTo: (step) => change({ step }),
    setPlaying: (playing) => change({ playing }),
    onChange(listener) {
      tell = listener;
      return () => {};
    },
    close: async () => {},
  };
  return demo;
}

function serve(demo?: Demo) {
  const clock = createManualClock(NOW);
  const fleet = aFleet();
  const hub = aHub();
  const served = serveState({
    observer: fleet.observer,
    hub: hub.hub,
    demo,
    clock,
    readLogs: async () => ({ current: undefined, previous: undefined }),
  });
  const of = (event: string) => hub.published.filter(([name]) => name === event).map(([, data]) => data);
  return { clock, ...fleet, ...hub, ...served, of };
}

describe("serveState", () => {
  it("publishes something of everything at once", () => {
    const { of } = serve();
    expect(of("view")).toMatchObject([{ apiVersion: "seamline.dev/v1" }]);
    expect(of("trend").length).toBeGreaterThan(0);
    expect(of("demo")).toEqual([null]);
  });

  it("publishes each new view", () => {
    const { show, of } = serve();
    show("live");
    show("stale");
    expect(of("view").slice(1)).toMatchObject([
      { sources: [{ state: "live" }] },
      { sources: [{ state: "stale" }] },
    ]);
  });

  it("samples the trend at each interval, but nothing while a source is only loading", () => {
    const { show, clock, state } = serve();
    show("loading");
    const before = state.trend().points.length;
    clock.advance(10 * FIRST_INTERVAL);
    expect(state.trend().points).toHaveLength(before);
    show("live");
    clock.advance(10 * FIRST_INTERVAL);
    expect(state.trend().points).toHaveLength(before + 11);
    expect(state.trend().points.at(-1)?.paid.gpus).toBe(8);
  });

  it("finds details, and knows what is not there", () => {
    const { state } = serve();
    expect(state.nodeDetail("a")?.name).toBe("a");
    expect(state.nodeDetail("b")).toBeUndefined();
    expect(state.podDetail("ml", "p")?.gpus).toBe(1);
    expect(state.podDetail("ml", "q")).toBeUndefined();
  });

  it("steers the demo and publishes what it does", () => {
    const { state, of } = serve(aDemo());
    expect(state.steerDemo({ step: 1, playing: false })).toMatchObject({ step: 1, playing: false });
    expect(of("demo").at(-1)).toMatchObject({ step: 1, playing: false });
    expect(state.steerDemo({})).toMatchObject({ step: 1 });
    expect(serve().state.steerDemo({ step: 1 })).toBeUndefined();
  });

  it("keeps streams alive, and is not ready once it stops", () => {
    const { state, show, clock, beats, closed, stop, published } = serve();
    show("live");
    expect(state.readiness().ready).toBe(true);
    clock.advance(60_000);
    expect(beats()).toBe(4);
    stop();
    expect(closed()).toBe(true);
    expect(state.readiness()).toEqual({ ready: false, why: "the process ends" });
    const before = published.length;
    clock.advance(60_000);
    show("stale");
    expect([published.length, beats()]).toEqual([before, 4]);
  });
});
