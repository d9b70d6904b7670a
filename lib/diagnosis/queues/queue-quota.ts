import type { ClusterQueueRecord, FlavorQuota, PodSet, WorkloadRecord } from "../../model/facts/kueue.ts";
import { type KueueIndex, type QuotaRoom, quotaIn } from "./kueue-index.ts";

/**
 * Own quota that nobody may borrow first, then the cohort's common pool, up to the borrowing limit. Limits of cohorts
 * in between are not looked at. https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#borrowing-semantics
 */
export function roomOf(
  queue: ClusterQueueRecord,
  flavor: string,
  resource: string,
  index: KueueIndex,
): QuotaRoom | undefined {
  const key = JSON.stringify([queue.name, flavor, resource]);
  if (!index.rooms.has(key)) index.rooms.set(key, workOutRoom(queue, flavor, resource, index));
  return index.rooms.get(key);
}

function workOutRoom(
  queue: ClusterQueueRecord,
  flavor: string,
  resource: string,
  index: KueueIndex,
): QuotaRoom | undefined {
  const quota = quotaIn(queue.groups, flavor, resource);
  if (!quota) return undefined;
  const used = usedIn(queue, flavor, resource, index);
  const ceiling = quota.nominal + (quota.borrowingLimit ?? Number.POSITIVE_INFINITY);
  const { nominal, borrowingLimit } = quota;
  const view = { flavor, resource, nominal, used, borrowingLimit };
  if (queue.cohort === "") {
    return { ...view, most: nominal, free: Math.max(0, nominal - used), lent: 0 };
  }
  const root = index.rootOf(queue.cohort);
  let pool = (index.shared.get(root) ?? []).reduce(
    (sum, group) => sum + (quotaIn([group], flavor, resource)?.nominal ?? 0),
    0,
  );
  let poolUsed = 0;
  for (const member of index.cohorts.get(root) ?? []) {
    const own = quotaIn(member.groups, flavor, resource);
    if (!own) continue;
    pool += lendable(own);
    poolUsed += Math.max(0, usedIn(member, flavor, resource, index) - guaranteed(own));
  }
  const kept = Math.max(0, guaranteed(quota) - used);
  const left = Math.max(0, pool - poolUsed);
  return {
    ...view,
    most: Math.min(ceiling, guaranteed(quota) + pool),
    free: Math.max(0, Math.min(ceiling - used, kept + left)),
    lent: Math.max(0, nominal - used - kept - left),
  };
}

const lendable = ({ nominal, lendingLimit }: FlavorQuota): number =>
  Math.min(nominal, lendingLimit ?? nominal);
const guaranteed = (quota: FlavorQuota): number => quota.nominal - lendable(quota);

/** What its status says, else what its workloads come to. */
function usedIn(queue: ClusterQueueRecord, flavor: string, resource: string, index: KueueIndex): number {
  if (queue.reserved) {
    return queue.reserved.find((one) => one.flavor === flavor && one.resource === resource)?.total ?? 0;
  }
  return (index.holders.get(queue.name) ?? []).reduce(
    (sum, workload) => sum + heldBy(workload, flavor, resource),
    0,
  );
}

/** What one workload holds of one resource in one flavor. */
export function heldBy(workload: WorkloadRecord, flavor: string, resource: string): number {
  return workload.assignments.reduce(
    (sum, one) => (one.flavors[resource] === flavor ? sum + (one.usage[resource] ?? 0) : sum),
    0,
  );
}

/** What pods that are alike ask of one resource group: they all get it from the same flavor. */
interface Demand {
  readonly amounts: readonly (readonly [resource: string, amount: number])[];
  readonly flavors: readonly string[];
}

/** Search steps after which a queue counts as one that could hold the workload. */
const MOST_STEPS = 10_000;

/** True where some choice of flavors, one for each pod set and resource group, keeps below `limit`. */
export function canHold(
  workload: WorkloadRecord,
  queue: ClusterQueueRecord,
  index: KueueIndex,
  limit: (room: QuotaRoom) => number,
): boolean {
  const demands = workload.podSets.flatMap((set) => demandsOf(set, queue, index));
  const taken = new Map<string, number>();
  let steps = 0;
  const place = (at: number): boolean => {
    const demand = demands[at];
    if (!demand || ++steps > MOST_STEPS) return true;
    return demand.flavors.some((flavor) => {
      const fits = demand.amounts.every(([resource, amount]) => {
        const room = roomOf(queue, flavor, resource, index);
        return room && (taken.get(`${flavor} ${resource}`) ?? 0) + amount <= limit(room);
      });
      if (!fits) return false;
      take(demand, flavor, 1);
      if (place(at + 1)) return true;
      take(demand, flavor, -1);
      return false;
    });
  };
  const take = ({ amounts }: Demand, flavor: string, sign: 1 | -1): void => {
    for (const [resource, amount] of amounts) {
      const key = `${flavor} ${resource}`;
      taken.set(key, (taken.get(key) ?? 0) + sign * amount);
    }
  };
  return place(0);
}

function demandsOf(set: PodSet, queue: ClusterQueueRecord, index: KueueIndex): Demand[] {
  return queue.groups.flatMap((group): Demand[] => {
    const amounts = group.covered
      .map((resource) => [resource, (set.requests[resource] ?? 0) * set.minCount] as const)
      .filter(([, amount]) => amount > 0);
    return amounts.length === 0 ? [] : [{ amounts, flavors: flavorsFor(set, group.flavors, index) }];
  });
}

/**
 * Flavors whose node labels agree with what the pods select, as far as the group's flavors tell nodes apart.
 * https://kueue.sigs.k8s.io/docs/concepts/resource_flavor/#resourceflavor-labels
 */
export function flavorsFor(
  set: PodSet,
  flavors: readonly { readonly name: string }[],
  index: KueueIndex,
): readonly string[] {
  const labels = flavors.map(({ name }) => index.flavors.get(name)?.nodeLabels ?? {});
  const telling = Object.entries(set.nodeSelector).filter(([key]) => labels.some((one) => key in one));
  return flavors
    .filter((_, at) => telling.every(([key, value]) => labels[at]?.[key] === value))
    .map(({ name }) => name);
}

/** What the workload asks for in sum, in the units of `Resources`. */
export function askedBy(workload: WorkloadRecord, resource: string): number {
  return workload.podSets.reduce((sum, set) => sum + (set.requests[resource] ?? 0) * set.count, 0);
}
