import type { Fleet } from "../../layers/fleet.ts";
import type {
  ClusterQueueRecord,
  FlavorQuota,
  LocalQueueRecord,
  ResourceFlavorRecord,
  ResourceGroup,
  WorkloadRecord,
} from "../../model/facts/kueue.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { perFleet } from "../per-fleet.ts";

/** One resource in one flavor, as one ClusterQueue may use it. In the units of `Resources`. */
export interface QuotaRoom {
  readonly flavor: string;
  readonly resource: string;
  readonly nominal: number;
  /** Reserved by workloads of this queue. */
  readonly used: number;
  /** Most that it could ever hold: its own and what the cohort may lend it. */
  readonly most: number;
  /** What it could reserve now. */
  readonly free: number;
  /** What others hold of its nominal quota. */
  readonly lent: number;
  readonly borrowingLimit: number | undefined;
}

/** Kueue's objects by the names that they know each other by. */
export interface KueueIndex {
  readonly clusterQueues: ReadonlyMap<string, ClusterQueueRecord>;
  /** `NAMESPACE/NAME` -> LocalQueue. */
  readonly localQueues: ReadonlyMap<string, LocalQueueRecord>;
  readonly flavors: ReadonlyMap<string, ResourceFlavorRecord>;
  /** ClusterQueue -> workloads that hold quota in it. */
  readonly holders: ReadonlyMap<string, readonly WorkloadRecord[]>;
  /** All queues that lend to and borrow from each other, by their cohort's root. */
  readonly cohorts: ReadonlyMap<string, readonly ClusterQueueRecord[]>;
  /** Root of a cohort -> what the cohorts of that tree own themselves. */
  readonly shared: ReadonlyMap<string, readonly ResourceGroup[]>;
  /** Queue, flavor and resource -> its room, filled as it is asked for. */
  readonly rooms: Map<string, QuotaRoom | undefined>;
  rootOf(cohort: string): string;
  workloadOfPod(pod: PodRecord): WorkloadRecord | undefined;
}

/** https://kueue.sigs.k8s.io/docs/concepts/ */
export const kueueIndex = perFleet(buildIndex);

function buildIndex({ facts }: Fleet): KueueIndex {
  const parents = new Map(facts.cohorts.items.map(({ name, parent }) => [name, parent]));
  const rootOf = (cohort: string): string => {
    let root = cohort;
    // A circle, which Kueue refuses, ends after as many steps as there are cohorts.
    for (let step = 0; step <= parents.size; step++) {
      const parent = parents.get(root);
      if (!parent) return root;
      root = parent;
    }
    return root;
  };
  const members = facts.clusterQueues.items.filter(({ cohort }) => cohort !== "");
  const workloads = facts.workloads.items;
  const owned = workloads
    .filter((one) => !isOver(one))
    .flatMap((one) => [
      ...(one.owner ? [[one.owner.uid, one] as const] : []),
      ...(one.labels[JOB_UID] ? [[one.labels[JOB_UID], one] as const] : []),
    ]);
  const byOwner = new Map(owned);
  const byName = new Map(workloads.map((one) => [`${one.namespace}/${one.name}`, one]));
  return {
    clusterQueues: new Map(facts.clusterQueues.items.map((one) => [one.name, one])),
    localQueues: new Map(facts.localQueues.items.map((one) => [`${one.namespace}/${one.name}`, one])),
    flavors: new Map(facts.resourceFlavors.items.map((one) => [one.name, one])),
    holders: Map.groupBy(
      workloads.filter((one) => one.clusterQueue !== undefined && !isOver(one)),
      (one) => one.clusterQueue ?? "",
    ),
    cohorts: Map.groupBy(members, ({ cohort }) => rootOf(cohort)),
    shared: new Map(
      [...Map.groupBy(facts.cohorts.items, ({ name }) => rootOf(name))].map(([root, list]) => [
        root,
        list.flatMap(({ groups }) => groups),
      ]),
    ),
    rooms: new Map(),
    rootOf,
    workloadOfPod: (pod) => {
      const name = pod.annotations[WORKLOAD] ?? pod.labels[POD_GROUP];
      const named = name === undefined ? undefined : byName.get(`${pod.namespace}/${name}`);
      return named ?? byOwner.get(pod.uid) ?? (pod.owner && byOwner.get(pod.owner.uid));
    },
  };
}

const JOB_UID = "kueue.x-k8s.io/job-uid";
const WORKLOAD = "kueue.x-k8s.io/workload";
const POD_GROUP = "kueue.x-k8s.io/pod-group-name";

/** True where the workload will not run any more. */
export function isOver(workload: WorkloadRecord): boolean {
  return workload.deletedAt !== undefined || isTrue(workload, "Finished");
}

/** True where a condition of that type holds. */
export function isTrue(workload: WorkloadRecord, type: string): boolean {
  return workload.conditions.some((one) => one.type === type && one.status === "True");
}

/** The quota of one resource in one flavor, where the groups name it. */
export function quotaIn(
  groups: readonly ResourceGroup[],
  flavor: string,
  resource: string,
): FlavorQuota | undefined {
  for (const group of groups) {
    const quotas = group.flavors.find(({ name }) => name === flavor)?.quotas;
    const found = quotas?.find((quota) => quota.resource === resource);
    if (found) return found;
  }
  return undefined;
}
