import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, PrepareError, root } from "../../lib/cli/prepare.mjs";
import { type Api, openApi } from "./api.ts";
import { churn } from "./bench/churn.ts";
import { type Contestant, contestants, type Run } from "./bench/contestants.ts";
import { startCountingProxy } from "./bench/counting-proxy.ts";
import type { FleetSize } from "./bench/fleet-objects.ts";
import { report, type Standing } from "./bench/report.ts";
import { seedFleet } from "./bench/seed-fleet.ts";
import { startDashboard } from "./bench/start-dashboard.ts";
import { binaries } from "./binaries.ts";
import { type ProcessesCluster, processesRig } from "./processes.ts";
import { RigError } from "./rig.ts";

const USAGE = `usage: npm run bench:cluster [-- --nodes 1000 --pods 20000] [--large] [--rounds 3] [--churn 200 --seconds 20]
                            [--profile FOLDER]   one more start, with a CPU profile written there`;

/** Kubernetes' own limits are 5,000 nodes and 150,000 pods; what keeps whole objects does not fit a small machine there. */
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
      churn: { type: "string", default: "200" },
      seconds: { type: "string", default: "20" },
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
    ...(values.large ? LARGE : {}),
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
  const size: FleetSize = { nodes: options.nodes, pods: options.pods };
  const began = performance.now();
  const objects = await seedFleet(api, size, tell);
  tell(`seeded in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const kubeconfig = await cluster.kubeconfigFor("seamline");
  const { kubectl } = await binaries("control-plane", tell);
  const run = async (contestant: Contestant, config: string) => {
    const done = await contestant.run({ kubeconfig: config, kubectl, folder });
    tell(
      `${contestant.name}: ${(done.complete / 1_000).toFixed(2)} s, ${(done.peakRss / 1e6).toFixed(0)} MB`,
    );
    const { nodes, pods } = done.counts;
    if (nodes !== size.nodes || pods !== size.pods)
      throw new Error(
        `${contestant.name} has seen ${nodes} nodes and ${pods} pods of ${size.nodes} and ${size.pods}`,
      );
    return done;
  };

  const load = loadavg()[0] ?? Number.NaN;
  const taking = contestants.filter(({ once }) => !(once && options.large));
  const runs = new Map<Contestant, Run[]>(taking.map((each) => [each, []]));
  for (let round = 0; round < options.rounds; round += 1)
    for (const each of taking.filter(({ once }) => !once)) runs.get(each)?.push(await run(each, kubeconfig));
  const standings: Standing[] = [];
  for (const each of taking) {
    const { done, ...costs } = await throughProxy(cluster, kubeconfig, folder, (config) => run(each, config));
    standings.push({ name: each.name, runs: each.once ? [done] : (runs.get(each) ?? []), ...costs });
  }

  const flags = options.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profile}`];
  if (flags.length > 0) {
    const profiled = await startDashboard({ kubeconfig, home: folder, flags });
    await profiled.complete();
    await profiled.process.stop();
  }
  const dashboard = await startDashboard({ kubeconfig, home: folder });
  try {
    await dashboard.complete();
    const churned = await churn(api, dashboard, { size, rate: options.rate, seconds: options.seconds });
    const { gitVersion } = await api.send<{ gitVersion: string }>("GET", "/version");
    const loads = [load, loadavg()[0] ?? Number.NaN] as const;
    return report({ size, objects, kubernetes: gitVersion, load: loads }, standings, churned, options);
  } finally {
    await dashboard.process.stop();
  }
}

/** A run of its own to count what the API server sends and is asked: the line through which it goes costs time. */
async function throughProxy(
  cluster: ProcessesCluster,
  kubeconfig: string,
  folder: string,
  run: (kubeconfig: string) => Promise<Run>,
): Promise<Omit<Standing, "name" | "runs"> & { done: Run }> {
  const proxy = await startCountingProxy(cluster.server);
  try {
    const config = join(folder, "proxied.kubeconfig");
    const text = await readFile(kubeconfig, "utf8");
    await writeFile(config, text.replaceAll(cluster.server, proxy.url), { mode: 0o600 });
    const before = (await cluster.auditLog()).length;
    const done = await run(config);
    const events = (await cluster.auditLog()).slice(before);
    const calls = (verb: string) => events.filter((event) => event.verb === verb).length;
    return { done, received: proxy.received(), lists: calls("list"), watches: calls("watch") };
  } finally {
    await proxy.close();
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
