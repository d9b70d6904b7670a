import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Api } from "../api.ts";
import { type FleetSize, gpuPodPaths } from "./fleet-objects.ts";
import { type Change, type Latencies, latencies, type Sighting } from "./latencies.ts";
import type { Dashboard } from "./start-dashboard.ts";
import { readViewStream, type ViewFrame } from "./view-stream.ts";

export interface ChurnOptions {
  readonly size: FleetSize;
  /** Changes a second, at most. */
  readonly rate: number;
  readonly seconds: number;
}

export interface Churned extends Latencies {
  /** Changes a second that the API server has taken. */
  readonly achieved: number;
  readonly changes: number;
  /** Views that the stream has brought, and their bytes. */
  readonly views: number;
  readonly viewBytes: number;
  /** Part of one core that the dashboard has used meanwhile. */
  readonly cpuShare: number;
  /** Bytes, since it was started. */
  readonly peakRss: number;
}

/** GPU pods that take turns. */
const PODS = 100;
/** The last changes have this long to show, in milliseconds. */
const PATIENCE = 10_000;
const POLL = 50;

/** The part of a view in which the changes show. */
const view = z.object({ stuck: z.array(z.object({ id: z.string(), sentence: z.string() })) });

/**
 * Lets GPU pods fail again and again through the API, each failure with a number in its container's last message, and
 * finds the numbers in the views that come over the dashboard's stream.
 */
export async function churn(api: Api, dashboard: Dashboard, options: ChurnOptions): Promise<Churned> {
  const paths = gpuPodPaths(options.size, PODS);
  const seen = new Map<string, number>();
  const sightings: Sighting[] = [];
  let views = 0;
  let viewBytes = 0;
  const look = ({ at, data }: ViewFrame) => {
    views += 1;
    viewBytes += data.length;
    for (const { id, sentence } of view.parse(JSON.parse(data)).stuck) {
      const number = Number(/: change (\d+)\.$/.exec(sentence)?.[1] ?? 0);
      if (number <= (seen.get(id) ?? 0)) continue;
      seen.set(id, number);
      sightings.push({ pod: id, number, at });
    }
  };
  const end = new AbortController();
  const stream = readViewStream(dashboard.url, end.signal, look);
  const cpuBefore = dashboard.process.cpuSeconds();
  const started = performance.now();
  const changes = await change(api, paths, options);
  const achieved = changes.length / ((performance.now() - started) / 1_000);
  const last = new Map(changes.map(({ pod, number }) => [pod, number]));
  const deadline = performance.now() + PATIENCE;
  const isShown = () => [...last].every(([pod, number]) => (seen.get(pod) ?? 0) >= number);
  while (!isShown() && performance.now() < deadline) await delay(POLL);
  const cpuShare = (dashboard.process.cpuSeconds() - cpuBefore) / ((performance.now() - started) / 1_000);
  end.abort();
  await stream;
  return {
    ...latencies(changes, sightings),
    achieved,
    changes: changes.length,
    views,
    viewBytes,
    cpuShare,
    peakRss: dashboard.process.peakRss(),
  };
}

/**
 * Changes one pod after the other, at even times, as long as the API server keeps up: a pod's next change waits for its
 * last one.
 */
async function change(
  api: Api,
  paths: readonly string[],
  { rate, seconds }: ChurnOptions,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const pending = new Map<string, Promise<void>>();
  const started = performance.now();
  const end = started + seconds * 1_000;
  for (let number = 1; performance.now() < end; number += 1) {
    const wait = started + (number * 1_000) / rate - performance.now();
    if (wait > 0) await delay(wait);
    const path = paths[number % paths.length];
    if (path === undefined) throw new Error("no GPU pod to change");
    await pending.get(path);
    const send = async () => {
      await api.send("PATCH", `${path}/status`, failing(number), "application/merge-patch+json");
      const [, pod = ""] = /namespaces\/(.*)$/.exec(path) ?? [];
      changes.push({ pod: `pod/${pod.replace("/pods/", "/")}`, number, acknowledgedAt: performance.now() });
    };
    const sent = send();
    // Whoever waits for it is told; until then a failure is not one that nobody sees.
    sent.catch(() => undefined);
    pending.set(path, sent);
  }
  await Promise.all(pending.values());
  return changes;
}

/** https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-states */
function failing(number: number) {
  const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const terminated = {
    exitCode: 1,
    reason: "Error",
    message: `change ${number}`,
    startedAt: at,
    finishedAt: at,
  };
  const container = {
    name: "main",
    image: "registry.example.com/teams/main",
    imageID: "registry.example.com/teams/main",
    restartCount: number,
    ready: false,
    started: false,
    state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s restarting failed container" } },
    lastState: { terminated },
  };
  return { status: { containerStatuses: [container] } };
}
