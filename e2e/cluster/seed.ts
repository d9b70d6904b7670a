import type { KubernetesObject } from "../../lib/testing/api-server/kubernetes-object.ts";
import { type Api, ApiError, openApi } from "./api.ts";
import { PLAYED } from "./kwok/kwok.ts";
import { type Cluster, RigError } from "./rig.ts";
import { asNew, type Uids } from "./seed/as-new.ts";
import { defineKinds } from "./seed/define-kinds.ts";
import { keepOrphans } from "./seed/keep-orphans.ts";
import { isPlaced, marksFor } from "./seed/marks.ts";

/** How many objects are applied at a time. */
const AT_ONCE = 32;

/** What has to be there before the others can be. */
const FIRST = ["CustomResourceDefinition", "Namespace", "PriorityClass", "ServiceAccount", "Node"];

/**
 * What comes after the others, each one for what those before it hold: the scheduler counts the pods that are on nodes, a
 * quota all of them, and a Job may have no pod beyond its quota.
 */
const LAST = ["placed Pod", "Pod", "ResourceQuota", "Job", "NodeClaim", "Workload", "Event"];

/** Kinds whose status the control plane writes by itself, from what is there. */
const TOLD_BY_CONTROLLERS = ["Namespace", "Job"];

/**
 * Applies objects to a cluster: each by server-side apply, then its status through the status subresource. Kinds that
 * are not served are defined first. Nodes are played by KWOK, which leaves every status that is seeded as it is; pods that
 * are on no node are left to the real scheduler.
 *
 * @throws RigError where a node has the name of a machine that has a kubelet, or where KWOK cannot be had.
 */
export async function seed(cluster: Cluster, objects: readonly KubernetesObject[]): Promise<void> {
  const api = await openApi(cluster.kubeconfig);
  try {
    if (objects.some(({ kind }) => kind === "Node")) {
      await refuseMachines(api, objects);
      await cluster.playNodes();
    }
    await defineKinds(api, objects);
    await keepOrphans(api, objects);
    const marks = marksFor(objects);
    const uids: Uids = new Map();
    for (const batch of inOrder(withNamespaces(objects)))
      await eachOf(batch, (object) => applyWhole(api, object, marks(object), uids));
  } finally {
    api.close();
  }
}

interface NodeList {
  readonly items: readonly { readonly metadata: { name: string; annotations?: Record<string, string> } }[];
}

async function refuseMachines(api: Api, objects: readonly KubernetesObject[]): Promise<void> {
  const { items } = await api.send<NodeList>("GET", "/api/v1/nodes");
  const machines = items.filter(({ metadata }) =>
    Object.keys(PLAYED).every((annotation) => metadata.annotations?.[annotation] === undefined),
  );
  const names = new Set(machines.map(({ metadata }) => metadata.name));
  const taken = objects.find(({ kind, metadata }) => kind === "Node" && names.has(metadata.name));
  if (taken)
    throw new RigError(
      `${taken.metadata.name} is a machine of this cluster, and cannot be a seeded node. A cluster without it: npm run cluster -- up kind --scenario NAME`,
    );
}

/** The objects with each namespace they are in and its default service account, without which it takes no pods. */
function withNamespaces(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const names = [...new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))];
  const written = new Set(
    objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name),
  );
  const apiVersion = "v1";
  const namespaces = names
    .filter((name) => !written.has(name))
    .map((name) => ({ apiVersion, kind: "Namespace", metadata: { name } }));
  const accounts = names.map((namespace) => {
    return { apiVersion, kind: "ServiceAccount", metadata: { name: "default", namespace } };
  });
  return [...namespaces, ...accounts, ...objects];
}

/** Batches, one after the other; within a batch the order does not matter. */
function inOrder(objects: readonly KubernetesObject[]): readonly (readonly KubernetesObject[])[] {
  const rank = (object: KubernetesObject) => {
    const { kind } = object;
    const last = LAST.indexOf(isPlaced(object) ? "placed Pod" : kind);
    if (last >= 0) return FIRST.length + 1 + last;
    const first = FIRST.indexOf(kind);
    return first < 0 ? FIRST.length : first;
  };
  const batches = Map.groupBy(objects, rank);
  return [...batches].sort(([a], [b]) => a - b).map(([, batch]) => batch);
}

const isUnplaced = (object: KubernetesObject): boolean => object.kind === "Pod" && !isPlaced(object);

async function applyWhole(
  api: Api,
  object: KubernetesObject,
  marks: Readonly<Record<string, string>>,
  uids: Uids,
): Promise<void> {
  const { uid, deletionTimestamp } = object.metadata;
  const { status, ...rest } = asNew(object, marks, uids);
  const { metadata } = isUnplaced(object) ? await applyGated(api, rest) : await api.apply(rest);
  uids.set(uid, metadata.uid);
  if (status !== undefined && !TOLD_BY_CONTROLLERS.includes(object.kind))
    await api.applyStatus({ ...rest, status });
  // Without its gate now, and without the taint that every new node is given until it is Ready.
  if (isUnplaced(object) || object.kind === "Node") await api.apply(rest);
  if (typeof deletionTimestamp === "string") {
    const left = Math.ceil((Date.parse(deletionTimestamp) - Date.now()) / 1_000);
    await api.remove(rest, Math.max(1, left));
  }
}

/**
 * Keeps a pod from the scheduler until its status is there, which may nominate it for a node.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/
 */
async function applyGated(api: Api, pod: KubernetesObject) {
  const { schedulingGates = [], ...spec } = Object(pod.spec);
  const gates = [...schedulingGates, { name: "seamline.dev/seeding" }];
  try {
    return await api.apply({ ...pod, spec: { ...spec, schedulingGates: gates } });
  } catch (error) {
    // One that was there already can be given no gate.
    if (error instanceof ApiError && error.code === 422) return await api.apply(pod);
    throw error;
  }
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
}
