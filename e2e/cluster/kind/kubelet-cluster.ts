import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";
import { twoSlots } from "../../support/two-slots.ts";
import { openApi } from "../api.ts";
import type { Cluster, NodeOptions } from "../rig.ts";
import { FAILING_PODS, gpuPod, NAMESPACE } from "./failing-pods.ts";

const labels = { pool: "gpu-reserved" };

/** One control plane and two reserved machines. */
export const KUBELET_NODES: readonly NodeOptions[] = [
  { name: "kubelet-control-plane", role: "control-plane", labels: {} },
  { name: "kubelet-worker", role: "worker", labels },
  { name: "kubelet-worker2", role: "worker", labels },
];

/** GPUs of each reserved machine; the first one advertises them, the second one none. */
export const GPUS = 8;

/** The two machines at $2 a GPU-hour, as a document of the generic record. */
export const KUBELET_RESERVATIONS = twoSlots(labels.pool, GPUS);

/** Makes the first worker advertise its GPUs, and everything that is to fail. Resolves before it does. */
export async function furnishKubelets(cluster: Cluster): Promise<void> {
  const worker = `${cluster.name}-worker`;
  const gpus = { op: "add", path: "/status/capacity/nvidia.com~1gpu", value: String(GPUS) };
  await cluster.kubectl([
    "patch",
    "node",
    worker,
    "--subresource=status",
    "--type=json",
    "-p",
    JSON.stringify([gpus]),
  ]);
  await applyAll(cluster, [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: NAMESPACE } },
    ...FAILING_PODS.map(gpuPod),
    failingAgent("agent", {}),
    // The second worker has no GPU for it.
    failingAgent("gpu-agent", { "nvidia.com/gpu": "1" }),
  ]);
}

/** Applies the objects one after the other. */
export async function applyAll(cluster: Cluster, objects: readonly KubernetesObject[]): Promise<void> {
  const api = await openApi(cluster.kubeconfig);
  try {
    for (const object of objects) await api.apply(object);
  } finally {
    api.close();
  }
}

/** A DaemonSet for the reserved machines whose container fails. */
function failingAgent(name: string, limits: Readonly<Record<string, string>>): KubernetesObject {
  const podLabels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, namespace: NAMESPACE },
    spec: {
      selector: { matchLabels: podLabels },
      template: {
        metadata: { labels: podLabels },
        spec: {
          nodeSelector: labels,
          containers: [{ name: "agent", image: "busybox:1", command: ["false"], resources: { limits } }],
        },
      },
    },
  };
}
