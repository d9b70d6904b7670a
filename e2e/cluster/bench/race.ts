import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaries } from "../binaries.ts";
import type { ProcessesCluster } from "../processes.ts";
import { type Contestant, contestants, type Run } from "./contestants.ts";
import { startCountingProxy } from "./counting-proxy.ts";
import type { FleetSize } from "./fleet-objects.ts";

/** All that is known of one contestant. */
export interface Standing {
  readonly name: string;
  readonly runs: readonly Run[];
  /** Bytes that the API server has sent it, TLS and all. */
  readonly received: number;
  /** Requests in its audit log. */
  readonly lists: number;
  readonly watches: number;
}

export interface RaceOptions {
  readonly cluster: ProcessesCluster;
  /** What the cluster holds; everybody has to see just this. */
  readonly size: FleetSize;
  readonly rounds: number;
  /** Takes what the runs write. */
  readonly folder: string;
  readonly progress: (line: string) => void;
}

/** Lets all who can read a cluster of this size do so in turns, then each once more through a line that counts. */
export async function race({
  cluster,
  size,
  rounds,
  folder,
  progress,
}: RaceOptions): Promise<readonly Standing[]> {
  const kubeconfig = await cluster.kubeconfigFor("seamline");
  const { kubectl } = await binaries("control-plane", progress);
  const run = async (contestant: Contestant, config: string) => {
    const done = await contestant.run({ kubeconfig: config, kubectl, folder });
    const [time, memory] = [(done.complete / 1_000).toFixed(2), (done.peakRss / 1e6).toFixed(0)];
    progress(`${contestant.name}: ${time} s, ${memory} MB`);
    const { nodes, pods } = done.counts;
    if (nodes !== size.nodes || pods !== size.pods)
      throw new Error(
        `${contestant.name} has seen ${nodes} nodes and ${pods} pods of ${size.nodes} and ${size.pods}`,
      );
    return done;
  };

  const taking = contestants.filter(({ most }) => size.pods <= most);
  const runs = new Map<Contestant, Run[]>(taking.map((each) => [each, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const each of taking.filter(({ once }) => !once)) runs.get(each)?.push(await run(each, kubeconfig));
  const standings: Standing[] = [];
  for (const each of taking) {
    const { done, ...costs } = await throughProxy(cluster, kubeconfig, folder, (config) => run(each, config));
    standings.push({ name: each.name, runs: each.once ? [done] : (runs.get(each) ?? []), ...costs });
  }
  return standings;
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
