import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { openApi } from "../api.ts";
import { readAuditLog } from "../audit-log.ts";
import type { Cluster } from "../rig.ts";
import { runTool } from "../run-tool.ts";
import { seamlineToken, writeKubeconfig } from "../seamline-user.ts";
import { nodesOf } from "./cluster-name.ts";
import { docker } from "./docker.ts";
import { AUDIT_LOG } from "./kind-config.ts";
import { adminKubeconfig, type KindState } from "./kind-state.ts";
import { playNodes, stopPlaying } from "./play-nodes.ts";

/** A kind cluster that is there, whoever made it. */
export function kindCluster(state: KindState): Cluster {
  const { name, folder } = state;
  const kubeconfig = adminKubeconfig(state);
  const { server, caData = "" } = clusterOf(kubeconfig);
  const controlPlane = `${name}-control-plane`;
  return {
    name,
    kubeconfig,
    server,
    // The node image brings the kubectl of its own version.
    kubectl: (args, input) =>
      runTool("docker", ["exec", "--interactive", controlPlane, ...KUBECTL, ...args], { input }),
    kubeconfigFor: async (user) => {
      const api = await openApi(kubeconfig);
      try {
        const file = join(folder, `${user}.kubeconfig`);
        const authority = Buffer.from(caData, "base64").toString();
        await writeKubeconfig(file, { name, server, authority, user: { token: await seamlineToken(api) } });
        return file;
      } finally {
        api.close();
      }
    },
    auditLog: async () => {
      const file = join(folder, "audit.log");
      await writeFile(file, await docker("exec", controlPlane, "cat", AUDIT_LOG));
      return await readAuditLog(file);
    },
    pauseNode: async (node) => {
      await docker("pause", node);
    },
    unpauseNode: async (node) => {
      await docker("unpause", node);
    },
    playNodes: async () => await playNodes(state),
    down: async () => await removeCluster(state),
  };
}

/** With the rights that the control plane's own kubeconfig gives. */
const KUBECTL = ["kubectl", "--kubeconfig=/etc/kubernetes/admin.conf"];

function clusterOf(kubeconfig: string): { readonly server: string; readonly caData?: string } {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error(`${kubeconfig} names no cluster`);
  return cluster;
}

/** Keeps the nodes' logs, removes all else. Does nothing where there is nothing (any more). */
export async function removeCluster(state: KindState): Promise<void> {
  const { name, volume, program, folder, logs } = state;
  await stopPlaying(state);
  const paused = await nodesOf(name, "paused");
  if (paused.length > 0) await docker("unpause", ...paused);
  if ((await nodesOf(name)).length > 0) {
    // Logs are a help, not what it is about.
    await runTool(program, ["export", "logs", logs, "--name", name]).catch(() => {});
    await runTool(program, ["delete", "cluster", "--name", name, "--kubeconfig", adminKubeconfig(state)]);
  }
  await docker("volume", "rm", "--force", volume);
  await rm(folder, { recursive: true, force: true });
}
