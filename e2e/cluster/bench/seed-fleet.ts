import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";
import type { Api } from "../api.ts";
import { benchNamespaces, benchNode, benchPod, type FleetSize, pathOf } from "./fleet-objects.ts";

/** As many as `openApi` has connections. */
const AT_ONCE = 32;

/** Bytes of JSON that the API server stores for one object of each kind, as it answers them. */
export interface ObjectSizes {
  readonly node: number;
  readonly pod: number;
}

/** Makes what of the fleet is not `there` yet by plain POSTs, its pods' statuses by patches of the status subresource. */
export async function seedFleet(
  api: Api,
  size: FleetSize,
  there: FleetSize,
  progress: (line: string) => void,
): Promise<ObjectSizes> {
  for (const name of benchNamespaces) {
    await api.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    await api.apply({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "default", namespace: name },
    });
  }
  await eachNumber(there.nodes, size.nodes, async (index) => {
    await api.send("POST", "/api/v1/nodes", benchNode(index));
  });
  progress(`${size.nodes} nodes made`);
  let made = there.pods;
  await eachNumber(there.pods, size.pods, async (index) => {
    await makePod(api, benchPod(index, size));
    made += 1;
    if (made % 5_000 === 0) progress(`${made} pods made`);
  });
  const sizeOf = async (path: string) => JSON.stringify(await api.send("GET", path)).length;
  return {
    node: await sizeOf(`/api/v1/nodes/${benchNode(0).metadata.name}`),
    pod: await sizeOf(pathOf(benchPod(0, size))),
  };
}

async function makePod(api: Api, pod: KubernetesObject): Promise<void> {
  const path = pathOf(pod);
  await api.send("POST", path.slice(0, path.lastIndexOf("/")), pod);
  await api.send("PATCH", `${path}/status`, { status: pod.status }, "application/merge-patch+json");
}

async function eachNumber(first: number, end: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = first;
  const worker = async () => {
    while (next < end) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
