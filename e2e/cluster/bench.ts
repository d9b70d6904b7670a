import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, PrepareError, root } from "../../lib/cli/prepare.mjs";
import { type Api, openApi } from "./api.ts";
import { measureTabs } from "./bench/browser-tab.ts";
import { churn } from "./bench/churn.ts";
import type { FleetSize } from "./bench/fleet-objects.ts";
import { race } from "./bench/race.ts";
import { type Race, report } from "./bench/report.ts";
import { seedFleet } from "./bench/seed-fleet.ts";
import { startDashboard } from "./bench/start-dashboard.ts";
import { type ProcessesCluster, processesRig } from "./processes.ts";
import { RigError } from "./rig.ts";

const USAGE = `usage: npm run bench:cluster [-- --nodes 1000 --pods 20000] [--rounds 3] [--churn 500 --seconds 60]
                            [--large]            then 5,000 nodes and 100,000 pods too: a quarter of an hour, 16 GiB
                            [--profile FOLDER]   one more start, with a CPU profile written there`;

/** What is measured after the smaller fleet where it is asked for. Kubernetes' own limits are 5,000 nodes and 150,000 pods. */
const LARGE = { nodes: 5_000, pods: 100_000 };

const workFolder = join(root, ".cache/rigs");

interface Options extends FleetSize {
  readonly rounds: number;
  readonly rate: number;
  readonly seconds: number;
  readonly large: boolean;
  readonly profile: string | undefined;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      nodes: { type: "string", default: "1000" },
      pods: { type: "string", default: "20000" },
      rounds: { type: "string", default: "3" },
      churn: { type: "string", default: "500" },
      seconds: { type: "string", default: "60" },
      large: { type: "boolean", default: false },
      profile: { type: "string" },
    },
  });
  const whole = (text: string) => {
    if (!/^[1-9]\d{0,6}$/.test(text)) throw new RigError(USAGE);
    return Number(text);
  };
  return {
    nodes: whole(values.nodes),
    pods: whole(values.pods),
    rounds: whole(values.rounds),
    rate: whole(values.churn),
    seconds: whole(values.seconds),
    profile: values.profile,
    large: values.large,
  };
}

const tell = (line: string) => console.error(line);

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  await build();
  await mkdir(workFolder, { recursive: true });
  const folder = await mkdtemp(join(workFolder, "bench-"));
  try {
    const cluster = await processesRig.up({ name: "bench", nodes: [], folder, keep: false, progress: tell });
    try {
      // Nothing but etcd and the API server beside those who read: no node is to be called lost, no pod to be run.
      const { scheduler, controllerManager, kwok } = cluster.programs;
      for (const each of [scheduler, controllerManager, kwok]) await each.kill();
      const api = await openApi(cluster.kubeconfig);
      try {
        console.log(await measure(options, cluster, api, folder));
      } finally {
        api.close();
      }
    } finally {
      await cluster.down();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  options: Options,
  cluster: ProcessesCluster,
  api: Api,
  folder: string,
): Promise<string> {
  const { rounds, rate, seconds } = options;
  const before = loadavg()[0] ?? Number.NaN;
  const races: Race[] = [];
  let size: FleetSize = { nodes: 0, pods: 0 };
  for (const next of options.large ? [options, LARGE] : [options]) {
    const began = performance.now();
    const objects = await seedFleet(api, next, size, tell);
    size = { nodes: next.nodes, pods: next.pods };
    tell(`seeded in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
    const standings = await race({ cluster, size, rounds, folder, progress: tell });
    races.push({ size, objects, standings });
  }

  const kubeconfig = await cluster.kubeconfigFor("seamline");
  if (options.profile !== undefined) {
    const flags = ["--cpu-prof", `--cpu-prof-dir=${options.profile}`];
    const profiled = await startDashboard({ kubeconfig, home: folder, flags });
    await profiled.complete();
    await profiled.process.stop();
  }
  const dashboard = await startDashboard({ kubeconfig, home: folder });
  try {
    await dashboard.complete();
    const churned = await churn(api, dashboard, { size, rate, seconds });
    const tabs = await measureTabs(dashboard.url, ["/", "/capacity"]);
    const { gitVersion: kubernetes } = await api.send<{ gitVersion: string }>("GET", "/version");
    const load = [before, loadavg()[0] ?? Number.NaN] as const;
    return report({ races, churned, asked: { rate, seconds }, tabs, kubernetes, load });
  } finally {
    await dashboard.process.stop();
  }
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

await main(process.argv.slice(2)).catch((error: unknown) => {
  const known =
    error instanceof RigError ||
    error instanceof PrepareError ||
    (error instanceof TypeError && "code" in error);
  console.error(known ? error.message : error);
  process.exitCode = 1;
});
