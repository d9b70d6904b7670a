import type { Fleet } from "../../layers/fleet.ts";
import type { PodGroupRecord } from "../../model/facts/gangs.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { conditionOf } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";

/** A group of pods that its scheduler places as a whole, or not at all. */
export interface GangRecord {
  /** Name of its PodGroup. */
  readonly name: string;
  /** undefined: the object is not there, or cannot be read. */
  readonly group: PodGroupRecord | undefined;
  /** Its pods that have not ended and are not being deleted. */
  readonly members: readonly PodRecord[];
  readonly placed: number;
  /** Pods that have to be placed at once; 1 where nothing says. */
  readonly size: number;
}

/** The gang of a pod; undefined for a pod of none, and where its pods are placed one by one. */
export function gangOf(pod: PodRecord, fleet: Fleet): GangRecord | undefined {
  const name = groupName(pod);
  const gang = name === undefined ? undefined : gangs(fleet).get(`${pod.namespace}/${name}`);
  return gang && gang.size > 1 ? gang : undefined;
}

/** The PodGroup of a pod, whatever its size. */
export function podGroupOf(pod: PodRecord, fleet: Fleet): GangRecord | undefined {
  const name = groupName(pod);
  return name === undefined ? undefined : gangs(fleet).get(`${pod.namespace}/${name}`);
}

/** `NAMESPACE/NAME` of every group that has a pod. */
export function groupNames(fleet: Fleet): Pick<ReadonlySet<string>, "has"> {
  return gangs(fleet);
}

const gangs = perFleet((fleet) => {
  const members = new Map<string, PodRecord[]>();
  for (const pod of fleet.pods) {
    const name = groupName(pod);
    if (name === undefined || pod.deletedAt !== undefined) continue;
    if (pod.phase === "Succeeded" || pod.phase === "Failed") continue;
    const key = `${pod.namespace}/${name}`;
    const list = members.get(key);
    if (list) list.push(pod);
    else members.set(key, [pod]);
  }
  const groups = new Map(fleet.facts.podGroups.items.map((one) => [`${one.namespace}/${one.name}`, one]));
  return new Map(
    [...members].map(([key, pods]): [string, GangRecord] => {
      const group = groups.get(key);
      const placed = pods.filter((pod) => pod.nodeName !== undefined).length;
      const said = group?.minMember ?? saidSize(pods);
      return [key, { name: key.slice(key.indexOf("/") + 1), group, members: pods, placed, size: said ?? 1 }];
    }),
  );
});

/**
 * Volcano, KAI and coscheduling each name the group in their own way.
 * https://github.com/kubernetes-sigs/scheduler-plugins/tree/master/pkg/coscheduling
 */
function groupName({ annotations, labels }: PodRecord): string | undefined {
  return (
    annotations["scheduling.k8s.io/group-name"] ??
    annotations["scheduling.volcano.sh/group-name"] ??
    annotations["pod-group-name"] ??
    labels["scheduling.x-k8s.io/pod-group"] ??
    labels["pod-group.scheduling.sigs.k8s.io"] ??
    labels["pod-group.scheduling.sigs.k8s.io/name"]
  );
}

/** Where the group is not there: the first version of coscheduling had a label, Volcano says it in its messages. */
function saidSize(pods: readonly PodRecord[]): number | undefined {
  const sizes = pods.flatMap((pod) => [
    pod.labels["pod-group.scheduling.sigs.k8s.io/min-available"],
    /(\d+) minAvailable/.exec(conditionOf(pod, "PodScheduled")?.message ?? "")?.[1],
  ]);
  return sizes.map(Number).find((size) => Number.isSafeInteger(size) && size > 0);
}
