import { readFile, writeFile } from "node:fs/promises";
import { parse, stringify } from "yaml";
import type { FleetView } from "../../lib/model/fleet-view.ts";
import { readView, type Seamline } from "../support/seamline.ts";
import { test as base, expect, type OpenCluster, openCluster } from "./cluster-test.ts";
import { advertiseGpu, LAYERS, trainer, writeLayersReservations } from "./layers-cluster.ts";
import { type ProcessesCluster, processesRig } from "./processes.ts";
import { isRequired } from "./required-sources.ts";
import type { AuditEvent } from "./rig.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

/** A cluster with two busy GPUs and a third trainer that waits, and a dashboard that reads it over a bad line. */
export interface Faulty {
  readonly cluster: ProcessesCluster;
  readonly line: TcpProxy;
  readonly seamline: Seamline;
  /** The file that the dashboard's token is read from. */
  readonly tokenFile: string;
  view(): Promise<FleetView>;
  /** Each Kubernetes source's state, by its resource. */
  sources(): Promise<Record<string, string>>;
  /** How often the dashboard has had all of a resource sent, by the API server's audit log. */
  lists(): Promise<Record<string, number>>;
  /** Waits until the dashboard shows just what one shows that is started now. */
  agreesWithFreshRead(): Promise<void>;
}

export const test = base.extend<{ faulty: Faulty }>({
  faulty: async ({ start }, use, testInfo) => {
    const open: OpenCluster<ProcessesCluster> = await openCluster(processesRig, "layers", LAYERS);
    const { cluster } = open;
    for (const node of ["layers-worker", "layers-worker2"]) await advertiseGpu("processes", cluster, node);
    for (const name of ["trainer-a", "trainer-b", "trainer-c"])
      await cluster.kubectl(["apply", "-f", "-"], trainer(name));
    const line = await startTcpProxy(cluster.server);
    const direct = await cluster.kubeconfigFor("seamline");
    const tokenFile = testInfo.outputPath("token");
    const kubeconfig = await overLine(direct, line.url, tokenFile, testInfo.outputPath("kubeconfig"));
    const SEAMLINE_RESERVATIONS = await writeLayersReservations(testInfo.outputPath("reservations.yaml"));
    const seamline = await start({ KUBECONFIG: kubeconfig, SEAMLINE_RESERVATIONS });
    const view = async () => await readView<FleetView>(seamline);
    const faulty: Faulty = {
      cluster,
      line,
      seamline,
      tokenFile,
      view,
      sources: async () => states(await view()),
      lists: async () => await countLists(cluster),
      agreesWithFreshRead: async () => {
        const KUBECONFIG = await cluster.kubeconfigFor("seamline");
        const fresh = await start({ KUBECONFIG, SEAMLINE_RESERVATIONS });
        const read = async () => await readView<FleetView>(fresh);
        await expect.poll(async () => states(await read())).toEqual(LIVE);
        await expect.poll(async () => gist(await view())).toEqual(gist(await read()));
        await fresh.stop();
      },
    };
    await expect.poll(faulty.sources).toEqual(LIVE);
    await expect.poll(async () => (await view()).stuck.length).toBe(1);
    await use(faulty);
    await line.close();
    await open.close(testInfo);
  },
});

export { expect } from "./cluster-test.ts";

/** All that is read of Kubernetes is followed. */
export const LIVE = { nodes: "live", pods: "live", events: "live" };

function states({ sources }: FleetView): Record<string, string> {
  const kubernetes = sources.filter(isRequired);
  return Object.fromEntries(kubernetes.map(({ id, state }) => [id.replace("kubernetes/", ""), state]));
}

/** What a view says, without what depends on since when it looks. */
function gist({ counts, totals, pools, stuck }: FleetView) {
  return {
    counts,
    stages: totals.stages.map(({ stage, gpus }) => `${stage} ${gpus}`),
    unknown: totals.unknown,
    pools: pools.map(({ id, blocks }) => ({ id, blocks })),
    stuck: stuck.map(({ id, reason, holders }) => ({ id, reason, holders })),
  };
}

/** Whether it asks for one object only, to learn of which version a server is. */
export function isVersionCheck({ verb, uri }: AuditEvent): boolean {
  return verb === "list" && /limit=1(&|$)/.test(uri);
}

async function countLists(cluster: ProcessesCluster): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const event of await cluster.auditLog()) {
    const { verb, resource, uri, code = 200 } = event;
    const isList = verb === "list" ? !isVersionCheck(event) : uri.includes("sendInitialEvents=true");
    if (isList && code === 200 && resource in LIVE) counts[resource] = (counts[resource] ?? 0) + 1;
  }
  return counts;
}

/** The kubeconfig with the line in place of the server, and its token in a file. */
async function overLine(direct: string, url: string, tokenFile: string, file: string): Promise<string> {
  const config = parse(await readFile(direct, "utf8"));
  await writeFile(tokenFile, config.users[0].user.token);
  config.clusters[0].cluster.server = url;
  config.users[0].user = { tokenFile };
  await writeFile(file, stringify(config), { mode: 0o600 });
  return file;
}
