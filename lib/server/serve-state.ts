import type { Demo } from "../demo/demo.ts";
import { nodeDetail } from "../detail/node-detail.ts";
import { podDetail } from "../detail/pod-detail.ts";
import type { Clock } from "../sources/kubernetes/clock.ts";
import type { ClusterSource } from "../sources/kubernetes/cluster-source.ts";
import { answerDiagnosis } from "./answer-diagnosis.ts";
import type { FleetObserver } from "./fleet-observer.ts";
import type { LiveState } from "./live-state.ts";
import { readinessOf } from "./readiness.ts";
import type { SseHub } from "./sse.ts";
import { emptyTrend, FIRST_INTERVAL, sampleTrend } from "./trend.ts";

/** What of the process' state is alive, beside what the pages read of it. */
export interface ServedState {
  readonly state: LiveState;
  /** From now on not ready; ends all streams. */
  stop(): void;
}

/** Proxies and browsers that went away unnoticed hear from every stream this often, in milliseconds. */
const HEARTBEAT = 15_000;

/** Makes of the observer's views what pages, routes and streams give out, and keeps their trend. */
export function serveState(parts: {
  readonly observer: FleetObserver;
  readonly hub: SseHub;
  readonly demo: Demo | undefined;
  readonly clock: Clock;
  readonly readLogs: ClusterSource["readLogs"];
}): ServedState {
  const { observer, hub, demo, clock, readLogs } = parts;
  let trend = emptyTrend(clock.now());
  let stopped = false;

  function publishView(): void {
    hub.publish("view", JSON.stringify(observer.view()));
    sample();
  }

  function sample(): void {
    const { sources, totals } = observer.view();
    // What is only not read yet is no gap in the history.
    if (sources.some(({ state }) => state === "loading")) return;
    const next = sampleTrend(trend, totals, clock.now());
    if (next !== trend) hub.publish("trend", JSON.stringify(next));
    trend = next;
  }

  function publishDemo(): void {
    hub.publish("demo", JSON.stringify(demo?.view() ?? null));
  }

  const stops = [
    observer.onView(publishView),
    demo?.onChange(publishDemo),
    repeat(clock, FIRST_INTERVAL, sample),
    repeat(clock, HEARTBEAT, hub.heartbeat),
  ];
  publishView();
  hub.publish("trend", JSON.stringify(trend));
  publishDemo();

  return {
    state: {
      view: observer.view,
      trend: () => trend,
      demo: () => demo?.view() ?? null,
      nodeDetail: (name) => nodeDetail(observer.basis().derived, name),
      podDetail: (namespace, name) => {
        const { snapshot, derived } = observer.basis();
        return podDetail(snapshot, derived, namespace, name);
      },
      diagnosis: (question) =>
        answerDiagnosis(question, {
          basis: observer.basis(),
          now: clock.now(),
          readLogs,
        }),
      openStream: hub.open,
      readiness: () =>
        stopped ? { ready: false, why: "the process ends" } : readinessOf(observer.view().sources),
      steerDemo: ({ step, playing }) => {
        if (step !== undefined) demo?.goTo(step);
        if (playing !== undefined) demo?.setPlaying(playing);
        return demo?.view();
      },
    },
    stop() {
      stopped = true;
      for (const stop of stops) stop?.();
      hub.close();
    },
  };
}

/** Calls `run` every `ms` milliseconds; gives the function that ends it. */
function repeat(clock: Clock, ms: number, run: () => void): () => void {
  let cancel = clock.schedule(again, ms);
  function again(): void {
    cancel = clock.schedule(again, ms);
    run();
  }
  return () => cancel();
}
