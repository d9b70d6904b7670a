import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ApiServer,
  type KubernetesObject,
  startApiServer,
} from "../../lib/testing/api-server/api-server.ts";
import { twoSlots } from "./two-slots.ts";

/** A scripted cluster with a kubeconfig that names it. */
export interface ScriptedCluster {
  readonly api: ApiServer;
  readonly kubeconfig: string;
  /** A file beside the kubeconfig; gives its path. */
  write(name: string, content: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a scripted cluster with `objects`. */
export async function startCluster(objects: readonly KubernetesObject[]): Promise<ScriptedCluster> {
  const api = await startApiServer({ objects, bookmarkInterval: 1_000 });
  const folder = await mkdtemp(join(tmpdir(), "seamline-cluster-"));
  const write = async (name: string, content: string) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
  const kubeconfig = await write(
    "kubeconfig",
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "scripted",
      clusters: [{ name: "scripted", cluster: { server: api.url } }],
      users: [{ name: "scripted", user: {} }],
      contexts: [{ name: "scripted", context: { cluster: "scripted", user: "scripted" } }],
    }),
  );
  return {
    api,
    kubeconfig,
    write,
    close: async () => {
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A Ready node as the API server has it, with `gpus` of nvidia.com/gpu. */
export function node(
  name: string,
  gpus: number,
  rest: { unschedulable?: boolean; ready?: boolean } = {},
): KubernetesObject {
  const resources = {
    cpu: "64",
    memory: "512Gi",
    pods: "110",
    ...(gpus > 0 ? { "nvidia.com/gpu": String(gpus) } : {}),
  };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { pool: "lab" } },
    spec: rest.unschedulable ? { unschedulable: true } : {},
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [
        {
          type: "Ready",
          status: rest.ready === false ? "Unknown" : "True",
          reason: "KubeletReady",
          lastTransitionTime: "2026-12-01T10:00:00Z",
        },
      ],
    },
  };
}

/** A pod that asks for `gpus`, running on `nodeName` or Pending. */
export function pod(name: string, gpus: number, nodeName?: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "ml" },
    spec: {
      containers: [
        {
          name: "main",
          image: "trainer:1",
          resources: { requests: { cpu: "1", "nvidia.com/gpu": String(gpus) } },
        },
      ],
      ...(nodeName === undefined ? {} : { nodeName }),
    },
    status:
      nodeName === undefined
        ? {
            phase: "Pending",
            conditions: [
              {
                type: "PodScheduled",
                status: "False",
                reason: "Unschedulable",
                message: "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",
                lastTransitionTime: "2026-12-01T10:00:00Z",
              },
            ],
          }
        : {
            phase: "Running",
            containerStatuses: [
              { name: "main", ready: true, restartCount: 0, image: "trainer:1", state: { running: {} } },
            ],
          },
  };
}

/** Two slots of 8 GPUs for nodes with the label `pool: lab`, $2 a GPU-hour. */
export const TWO_SLOTS = JSON.stringify(twoSlots("lab", 8));
