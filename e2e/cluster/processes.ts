import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Api, openApi } from "./api.ts";
import { readAuditLog } from "./audit-log.ts";
import { binaries } from "./binaries.ts";
import type { Daemon } from "./processes/daemon.ts";
import { guardCluster, type Keeper, stopReleased } from "./processes/keeper.ts";
import { pauseLease, resumeLease } from "./processes/lease.ts";
import { kubeProxy, mirrorPod, nodeObject } from "./processes/nodes.ts";
import { type Prepared, type ProgramOptions, type Programs, preparePrograms } from "./processes/programs.ts";
import { type Cluster, type Rig, RigError, type UpOptions } from "./rig.ts";
import { runTool } from "./run-tool.ts";
import { createSeamlineUser, seamlineToken, writeKubeconfig } from "./seamline-user.ts";
import { until } from "./until.ts";

/** A cluster whose parts can be handled one by one. */
export interface ProcessesCluster extends Cluster {
  readonly programs: Programs;
  /** Where its files are. They are removed as it goes down. */
  readonly folder: string;
  /** A further program, not started yet, that ends with the cluster. Its flags have to name the cluster's folder. */
  add(program: ProgramOptions): Daemon;
  /** Address of etcd's API, without any authentication. */
  readonly etcdServer: string;
  /** Resolves once the API server says that it is ready. */
  ready(): Promise<void>;
}

/** The real control plane as plain processes, without Docker; KWOK plays the kubelets. */
export const processesRig: Rig<ProcessesCluster> = {
  name: "processes",
  prepare: async (progress) => {
    await programs(progress);
    await binaries("karpenter", progress);
    await binaries("kueue", progress);
  },
  up,
  attach,
};

/** What `attach` needs to know of a cluster that stays. */
interface State {
  readonly name: string;
  readonly server: string;
  readonly kubectl: string;
}

const PATIENCE = 120_000;

async function up(options: UpOptions): Promise<ProcessesCluster> {
  const { folder, progress } = options;
  const built = await programs(progress);
  const keeper = guardCluster(folder);
  try {
    const prepared = await preparePrograms({ folder, binaries: built, keeper });
    const cluster = await start(options, prepared, keeper, built.kubectl);
    if (options.keep) await keeper.release();
    return cluster;
  } catch (error) {
    await keeper.down();
    throw error;
  }
}

async function programs(progress: (line: string) => void) {
  if (process.platform === "win32")
    throw new RigError("The processes rig needs Linux or macOS; use --rig kind on Windows.");
  return { ...(await binaries("kwok", progress)), ...(await binaries("control-plane", progress)) };
}

async function start(
  options: UpOptions,
  prepared: Prepared,
  keeper: Keeper,
  kubectl: string,
): Promise<ProcessesCluster> {
  const { folder, name, nodes, progress } = options;
  const { programs, add, server, tokens, kubeconfigs, certificates, etcdServer } = prepared;
  const started = Date.now();
  progress("starting etcd and kube-apiserver");
  programs.etcd.start();
  programs.apiServer.start();
  const kubeconfig = join(folder, "admin.kubeconfig");
  const authority = await whileRunning(
    programs,
    async () => await readFile(join(certificates, "apiserver.crt"), "utf8").catch(() => undefined),
    "the API server's certificate",
  );
  const config = (token: string) => ({ name, server, authority, user: { token } });
  await writeKubeconfig(kubeconfig, config(tokens.admin));
  for (const user of ["scheduler", "controllerManager", "kwok"] as const)
    await writeKubeconfig(kubeconfigs[user], config(tokens[user]));
  const api = await openApi(kubeconfig);
  const ready = async () => {
    await whileRunning(
      programs,
      async () => (await succeeds(() => api.send("GET", "/readyz"))) || undefined,
      "/readyz",
    );
  };
  await ready();
  for (const each of [programs.scheduler, programs.controllerManager, programs.kwok]) each.start();
  progress("waiting for the nodes");
  await furnish(api, nodes, programs);
  progress(`up in ${((Date.now() - started) / 1_000).toFixed(1)} s`);
  const state: State = { name, server, kubectl };
  await writeFile(join(folder, "cluster.json"), JSON.stringify(state));
  const cluster = clusterIn(folder, state, api, keeper.down);
  return { ...cluster, programs, folder, add, etcdServer, ready };
}

async function attach(folder: string): Promise<Cluster> {
  const state: State = JSON.parse(await readFile(join(folder, "cluster.json"), "utf8"));
  const api = await openApi(join(folder, "admin.kubeconfig"));
  return clusterIn(folder, state, api, async () => await stopReleased(folder));
}

function clusterIn(
  folder: string,
  { name, server, kubectl }: State,
  api: Api,
  stop: () => Promise<void>,
): Cluster {
  const kubeconfig = join(folder, "admin.kubeconfig");
  const cache = join(folder, "kubectl");
  return {
    name,
    kubeconfig,
    server,
    kubectl: (args, input) =>
      runTool(kubectl, [`--kubeconfig=${kubeconfig}`, `--cache-dir=${cache}`, ...args], { input }),
    kubeconfigFor: async (user) => {
      const file = join(folder, `${user}.kubeconfig`);
      const authority = await readFile(join(folder, "certificates", "apiserver.crt"), "utf8");
      await writeKubeconfig(file, { name, server, authority, user: { token: await seamlineToken(api) } });
      return file;
    },
    auditLog: async () => await readAuditLog(join(folder, "logs", "audit.log")),
    pauseNode: async (node) => await pauseLease(api, node),
    unpauseNode: async (node) => await resumeLease(api, node),
    // As all nodes are from the start.
    playNodes: async () => {},
    down: async () => {
      api.close();
      await stop();
    },
  };
}

/** Makes the nodes, the system pods that every cluster has, and the dashboard's user. */
async function furnish(api: Api, nodes: UpOptions["nodes"], programs: Programs): Promise<void> {
  const { gitVersion } = await api.send<{ gitVersion: string }>("GET", "/version");
  await createSeamlineUser(api);
  await api.apply({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default", namespace: "default" },
  });
  for (const node of nodes) {
    const object = nodeObject(node, gitVersion);
    await api.apply(object);
    await api.applyStatus(object);
  }
  if (nodes.length > 0) await api.apply(kubeProxy);
  for (const { name } of nodes.filter(({ role }) => role === "control-plane")) {
    const node = await api.send<{ metadata: { uid: string } }>("GET", `/api/v1/nodes/${name}`);
    const uid = node.metadata.uid;
    for (const component of ["etcd", "kube-apiserver", "kube-scheduler", "kube-controller-manager"])
      await api.apply(mirrorPod(component, { name, uid }));
  }
  await whileRunning(
    programs,
    async () => (await isSettled(api, nodes.length)) || undefined,
    "nodes and system pods",
  );
}

interface ListOf<T> {
  readonly items: readonly T[];
}

/** All nodes take pods, and a system pod runs on each. */
async function isSettled(api: Api, nodes: number): Promise<boolean> {
  const all = await api.send<ListOf<{ spec: { taints?: { key: string }[] } }>>("GET", "/api/v1/nodes");
  const pods = await api.send<ListOf<{ status: { phase: string } }>>("GET", "/api/v1/pods");
  const takesPods = all.items.every(
    ({ spec }) => !spec.taints?.some(({ key }) => key.startsWith("node.kubernetes.io/")),
  );
  return (
    takesPods && pods.items.length >= nodes && pods.items.every(({ status }) => status.phase === "Running")
  );
}

/** `until`, for what only a cluster all of whose programs run can give. */
async function whileRunning<T>(
  programs: Programs,
  ask: () => Promise<T | undefined>,
  what: string,
): Promise<T> {
  return await until(ask, what, PATIENCE, async () => {
    for (const program of Object.values(programs)) await program.check();
  });
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return await work().then(
    () => true,
    () => false,
  );
}
