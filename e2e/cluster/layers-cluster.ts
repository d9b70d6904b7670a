import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { loadScenario } from "../../lib/demo/scenario.ts";
import { shiftTimes } from "../../lib/demo/shift-times.ts";
import type { Cluster, NodeOptions, RigName } from "./rig.ts";

const scenario = join(import.meta.dirname, "../../lib/demo/scenarios/layers");

/** One control plane and two workers, each on a reserved slot of one GPU: the cluster of the walk-through. */
export const LAYERS: readonly NodeOptions[] = [
  { name: "layers-control-plane", role: "control-plane", labels: {} },
  { name: "layers-worker", role: "worker", labels: { pool: "gpu-reserved" } },
  { name: "layers-worker2", role: "worker", labels: { pool: "gpu-reserved" } },
];

/** Writes the scenario's reservation of two slots at $2.50 a GPU-hour to `file` and gives its path. */
export async function writeLayersReservations(file: string): Promise<string> {
  const { reservations, now } = await loadScenario(scenario, "layers");
  await writeFile(file, stringify(shiftTimes(reservations, Date.now() - now)));
  return file;
}

/**
 * Makes a node advertise GPUs, as a person does who has no device plugin at hand. A kubelet raises allocatable by
 * itself, up to 10 s after capacity; KWOK does not.
 */
export async function advertiseGpu(rig: RigName, cluster: Cluster, node: string, gpus = 1): Promise<void> {
  const fields = rig === "kind" ? ["capacity"] : ["capacity", "allocatable"];
  const path = (field: string) => `/status/${field}/nvidia.com~1gpu`;
  const patch = fields.map((field) => ({ op: "add", path: path(field), value: String(gpus) }));
  await cluster.kubectl([
    "patch",
    "node",
    node,
    "--subresource=status",
    "--type=json",
    "-p",
    JSON.stringify(patch),
  ]);
}

/** A pod that asks for one GPU and runs until it is deleted. */
export function trainer(name: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: "trainer" } },
    spec: {
      terminationGracePeriodSeconds: 1,
      restartPolicy: "Never",
      containers: [
        {
          name: "trainer",
          image: "busybox:1",
          command: ["sleep", "86400"],
          resources: { limits: { "nvidia.com/gpu": "1" } },
        },
      ],
    },
  });
}
