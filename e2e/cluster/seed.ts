import { join } from "node:path";
import { loadScenario } from "../../lib/demo/scenario.ts";
import { shiftTimes } from "../../lib/demo/shift-times.ts";
import type { KubernetesObject } from "../../lib/testing/api-server/kubernetes-object.ts";
import { type Api, openApi } from "./api.ts";
import { PLAYED } from "./processes/nodes.ts";
import type { Cluster } from "./rig.ts";

const scenarios = join(import.meta.dirname, "../../lib/demo/scenarios");

/** How many objects are applied at a time. */
const AT_ONCE = 32;

/** What has to be there before the others can be: the lower, the earlier. */
const ORDER = ["CustomResourceDefinition", "Namespace", "PriorityClass", "ServiceAccount", "Node"];

/** Says to KWOK that it leaves the status of an object as it was written. */
const KEEPS_STATUS = { "seamline.dev/kubelet": "keeps-status" };

export interface Seeded {
  readonly objects: number;
  /** A document of the generic record whose times fit those of the objects; undefined where objects were given. */
  readonly reservations: unknown;
}

/**
 * Applies a scenario of the demo (by its name: what is there before its first step, its times moved to now) or any
 * objects to a cluster: each by server-side apply, then its status through the status subresource. Nodes are made fake
 * ones for KWOK, and it leaves every status that is seeded as it is.
 */
export async function seed(cluster: Cluster, what: string | readonly KubernetesObject[]): Promise<Seeded> {
  const { objects, reservations } = typeof what === "string" ? await readScenario(what) : { objects: what };
  const api = await openApi(cluster.kubeconfig);
  try {
    const seeded = withNamespaces(objects.map(asSeed));
    for (const batch of inOrder(seeded)) await eachOf(batch, (object) => applyWhole(api, object));
    return { objects: objects.length, reservations };
  } finally {
    api.close();
  }
}

async function readScenario(name: string) {
  const { objects, reservations, now } = await loadScenario(join(scenarios, name), name);
  return shiftTimes({ objects, reservations }, Date.now() - now);
}

/** Without what only a server sets, and marked for KWOK. */
function asSeed(object: KubernetesObject): KubernetesObject {
  const { uid, resourceVersion, creationTimestamp, generation, managedFields, ...metadata } = object.metadata;
  if (object.kind !== "Node" && object.kind !== "Pod") return { ...object, metadata };
  const marks = { ...(object.kind === "Node" ? PLAYED : {}), ...(object.status ? KEEPS_STATUS : {}) };
  const annotations = Object.assign({}, metadata.annotations, marks);
  return { ...object, metadata: { ...metadata, annotations } };
}

/** The objects and, before them, each namespace they are in with its default service account, without which it takes no pods. */
function withNamespaces(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const names = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  const namespaces = [...names].flatMap((name): KubernetesObject[] => [
    { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: name } },
  ]);
  return [...namespaces, ...objects];
}

/** Batches, one after the other; within a batch the order does not matter. */
function inOrder(objects: readonly KubernetesObject[]): readonly (readonly KubernetesObject[])[] {
  const rank = ({ kind }: KubernetesObject) => {
    const at = ORDER.indexOf(kind);
    return at < 0 ? ORDER.length : at;
  };
  const batches = Map.groupBy(objects, rank);
  return [...batches].sort(([a], [b]) => a - b).map(([, batch]) => batch);
}

async function applyWhole(api: Api, object: KubernetesObject): Promise<void> {
  const { status, ...rest } = object;
  await api.apply(rest);
  if (status !== undefined && object.kind !== "Namespace") await api.applyStatus(object);
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
}
