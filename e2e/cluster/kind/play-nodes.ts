import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Api, openApi } from "../api.ts";
import { kwokFlags } from "../kwok/kwok.ts";
import { kwokProgram } from "../kwok/kwok-program.ts";
import { daemon } from "../processes/daemon.ts";
import { freePorts } from "../processes/free-ports.ts";
import { runningOf, stopProcesses } from "../processes/stop.ts";
import { until } from "../until.ts";
import { nodesOf } from "./cluster-name.ts";
import { adminKubeconfig, type KindState } from "./kind-state.ts";

/** As KWOK and kubelets have it. Seconds. https://kubernetes.io/docs/concepts/architecture/leases/#node-heart-beats */
const LEASE = 40;

const PATIENCE = 60_000;

/**
 * Starts KWOK beside a kind cluster, unless it runs already: a process of this machine that outlives this one. The
 * DaemonSets of kind itself stay with the nodes that have a machine.
 *
 * @throws RigError where KWOK can be neither found nor built.
 */
export async function playNodes(state: KindState): Promise<void> {
  if ((await runningOf(playedBy(state), state.folder)).length > 0) return;
  const kubeconfig = adminKubeconfig(state);
  const program = await kwokProgram((line) => console.error(line));
  const api = await openApi(kubeconfig);
  try {
    await keepDaemonsOnMachines(api, await nodesOf(state.name));
  } finally {
    api.close();
  }
  const [port = 0] = await freePorts(1);
  await mkdir(state.logs, { recursive: true });
  const kwok = daemon({
    name: "kwok",
    program,
    flags: kwokFlags({ kubeconfig, port, lease: LEASE }),
    env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: state.folder },
    logs: state.logs,
    keeper: {
      // At once, so that whoever takes the cluster down knows of it.
      add: (pid) => writeFileSync(pidFile(state), String(pid)),
      remove: () => rmSync(pidFile(state), { force: true }),
    },
  });
  kwok.start();
  const healthy = async () => (await isHealthy(port)) || undefined;
  await until(healthy, "KWOK", PATIENCE, kwok.check);
}

/** Does nothing where it does not run. */
export async function stopPlaying(state: KindState): Promise<void> {
  await stopProcesses(playedBy(state), state.folder);
}

const pidFile = ({ folder }: KindState): string => join(folder, "kwok.pid");

/** Process id of the KWOK that was started last; none where none was, or where it has ended under our eyes. */
function playedBy(state: KindState): readonly number[] {
  try {
    return [Number(readFileSync(pidFile(state), "utf8"))];
  } catch {
    return [];
  }
}

interface DaemonSets {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/** They tolerate every taint: without this each fake node has their pods, which push its own ones out where it is full. */
async function keepDaemonsOnMachines(api: Api, machines: readonly string[]): Promise<void> {
  const path = "/apis/apps/v1/namespaces/kube-system/daemonsets";
  const { items } = await api.send<DaemonSets>("GET", path);
  const term = { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: machines }] };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } };
  const patch = { spec: { template: { spec: { affinity: { nodeAffinity: required } } } } };
  for (const { metadata } of items)
    await api.send("PATCH", `${path}/${metadata.name}`, patch, "application/strategic-merge-patch+json");
}

async function isHealthy(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
  return response?.ok ?? false;
}
