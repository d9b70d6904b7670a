import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { root } from "../../../lib/cli/prepare.mjs";
import type { FleetSize } from "./fleet-objects.ts";
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";
import { startDashboard } from "./start-dashboard.ts";

/** Somebody who reads all nodes and pods of a cluster. */
export interface Contestant {
  readonly name: string;
  /** True where one run takes so long, and so much memory, that it is not repeated. */
  readonly once: boolean;
  /** Pods that it can read on a small machine: with more, its memory ends or it does. */
  readonly most: number;
  run(where: Where): Promise<Run>;
}

export interface Where {
  readonly kubeconfig: string;
  readonly kubectl: string;
  /** For what a run leaves; it is removed after the run. */
  readonly folder: string;
}

/** One run: what it has seen, and what that took. */
export interface Run {
  readonly counts: FleetSize;
  /** Milliseconds from the start of the process to all nodes and pods. */
  readonly complete: number;
  /** Milliseconds from the start to `/api/readyz`, where there is one. */
  readonly ready: number | undefined;
  /** Bytes. */
  readonly peakRss: number;
}

/** In the order in which they take their turns. */
export const contestants: readonly Contestant[] = [
  { name: "Seamline", once: false, most: Number.POSITIVE_INFINITY, run: runDashboard },
  {
    name: "the bytes alone, in Node.js",
    once: false,
    most: Number.POSITIVE_INFINITY,
    run: (where) => runScript("bare-bytes.ts", where),
  },
  {
    name: "client-node 2.0, informer",
    once: false,
    // It holds the list in one string, of which V8 allows half a gigabyte.
    most: 40_000,
    run: (where) => runScript("informer.ts", where),
  },
  {
    name: "client-node 2.0, list in pages of 500",
    once: false,
    most: 100_000,
    run: (where) => runScript("paged-list.ts", where),
  },
  { name: "kubectl get nodes,pods -A -o json", once: true, most: 40_000, run: runKubectl },
];

const counts = z.object({ nodes: z.number(), pods: z.number() });

async function runDashboard({ kubeconfig, folder }: Where): Promise<Run> {
  const dashboard = await startDashboard({ kubeconfig, home: folder });
  try {
    const { ready, complete, counts: seen } = await dashboard.complete();
    return { counts: seen, complete, ready, peakRss: dashboard.process.peakRss() };
  } finally {
    await dashboard.process.stop();
  }
}

async function runScript(script: string, { kubeconfig, folder }: Where): Promise<Run> {
  const measured = await startMeasured({
    program: process.execPath,
    args: [join(import.meta.dirname, script)],
    env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: "production", KUBECONFIG: kubeconfig },
    cwd: root,
  });
  try {
    const [line] = await measured.line(/^\{.*\}$/);
    const complete = performance.now() - measured.started;
    await measured.succeeded();
    const seen = counts.parse(JSON.parse(line));
    return { counts: seen, complete, ready: undefined, peakRss: measured.peakRss() };
  } finally {
    await measured.stop();
  }
}

async function runKubectl({ kubeconfig, kubectl, folder }: Where): Promise<Run> {
  const output = join(folder, "kubectl.json");
  let measured: MeasuredProcess | undefined;
  try {
    measured = await startMeasured({
      program: kubectl,
      args: [
        "get",
        "nodes,pods",
        "--all-namespaces",
        "--output=json",
        `--cache-dir=${join(folder, "kubectl")}`,
      ],
      env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: "production", KUBECONFIG: kubeconfig },
      cwd: folder,
      output,
    });
    await measured.succeeded();
    const complete = performance.now() - measured.started;
    const seen = await countItems(output);
    return { counts: seen, complete, ready: undefined, peakRss: measured.peakRss() };
  } finally {
    await measured?.stop();
    await rm(output, { force: true });
  }
}

/** The items of a list as kubectl indents them. */
async function countItems(file: string): Promise<FleetSize> {
  let nodes = 0;
  let pods = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line === '            "kind": "Node",') nodes += 1;
    else if (line === '            "kind": "Pod",') pods += 1;
  }
  return { nodes, pods };
}
