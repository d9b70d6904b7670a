import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openApi } from "./api.ts";
import { takeName } from "./kind/cluster-name.ts";
import { missingImage, requireDocker, requireImage } from "./kind/docker.ts";
import { guardCluster } from "./kind/guard-cluster.ts";
import { kindCluster, removeCluster } from "./kind/kind-cluster.ts";
import { kindConfig } from "./kind/kind-config.ts";
import { kindProgram } from "./kind/kind-program.ts";
import { adminKubeconfig, type KindState, loadState, saveState } from "./kind/kind-state.ts";
import type { Cluster, Rig, UpOptions } from "./rig.ts";
import { runTool } from "./run-tool.ts";
import { createSeamlineUser } from "./seamline-user.ts";

/** Kubernetes in Docker: real kubelets, real containers. https://kind.sigs.k8s.io */
export const kindRig: Rig = {
  name: "kind",
  prepare: async (progress) => {
    await prepared(progress);
  },
  up,
  attach: async (folder) => kindCluster(await loadState(folder)),
};

/** Path of kind, and the node image that is asked for; undefined: the default of this version of kind. */
async function prepared(progress: UpOptions["progress"]) {
  await requireDocker();
  const image = process.env.SEAMLINE_KIND_NODE_IMAGE || undefined;
  if (image !== undefined) await requireImage(image, progress);
  return { program: await kindProgram(progress), image };
}

async function up(options: UpOptions): Promise<Cluster> {
  const { progress, folder, keep } = options;
  const { program, image } = await prepared(progress);
  const state = await saveState(folder, { ...(await takeName(options.name)), program });
  const guard = guardCluster(folder);
  try {
    await createCluster(state, options, image);
    const cluster = kindCluster(state);
    await becomeReady(cluster, progress);
    if (keep) guard.release();
    const down = async () => {
      await cluster.down();
      guard.release();
    };
    return { ...cluster, down };
  } catch (error) {
    await removeCluster(state);
    guard.release();
    throw error;
  }
}

async function createCluster(state: KindState, { nodes, progress }: UpOptions, image: string | undefined) {
  const config = join(state.folder, "kind-config.yaml");
  await writeFile(config, kindConfig(nodes));
  progress(`kind makes the cluster ${state.name} of ${nodes.length} nodes`);
  const where = ["--name", state.name, "--config", config, "--kubeconfig", adminKubeconfig(state)];
  // With --retain the nodes of a failed start are still there to take the logs from.
  const args = ["create", "cluster", ...where, "--retain"];
  if (image !== undefined) args.push("--image", image);
  try {
    await runTool(state.program, args, {
      onProgress: (text) => text.split("\n").filter(Boolean).forEach(progress),
    });
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    const unpulled = /failed to pull image "([^"]+)"(.*)/.exec(told);
    throw unpulled ? missingImage(unpulled[1] ?? "", unpulled[2] ?? "") : error;
  }
}

/** Seconds for which nodes may take to become Ready; kind itself waits for none. */
const PATIENCE = 180;

async function becomeReady(cluster: Cluster, progress: (line: string) => void): Promise<void> {
  progress("waiting for its nodes to be Ready");
  await cluster.kubectl(["wait", "--for=condition=Ready", "nodes", "--all", `--timeout=${PATIENCE}s`]);
  const api = await openApi(cluster.kubeconfig);
  try {
    await createSeamlineUser(api);
  } finally {
    api.close();
  }
  // Without it no pod can be made.
  await cluster.kubectl(["wait", "--for=create", "serviceaccount/default", `--timeout=${PATIENCE}s`]);
}
