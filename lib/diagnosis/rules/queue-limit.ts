import type { Fleet } from "../../layers/fleet.ts";
import { gpuShareOf } from "../../layers/gpu-share.ts";
import type { PodRecord, Resources } from "../../model/kubernetes.ts";
import { perFleet } from "../per-fleet.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { type GangRecord, podGroupOf } from "../queues/gangs.ts";
import { type Holdings, type QueueFamily, queueRefusal } from "../queues/queue-limits.ts";

/**
 * The queue of Volcano or KAI that the pod waits in, or one above it, does not take it.
 * https://volcano.sh/en/docs/queue/ and https://github.com/NVIDIA/KAI-Scheduler/tree/main/docs/queues
 */
export const queueRefuses: Rule<PlacementQuestion> = ({ pod, words, fleet }) => {
  const gang = podGroupOf(pod, fleet);
  const family = familyOf(pod);
  const queue = gang?.group?.queue || queueName(pod);
  if (queue === undefined || family === undefined) return undefined;
  const ofGroup = gang ? fleet.events.of("PodGroup", pod.namespace, gang.name) : [];
  const events = [...fleet.events.ofPod(pod.namespace, pod.name), ...ofGroup];
  const isOne = !gang || gang.members.length < 2;
  return queueRefusal(
    {
      asks: isOne ? `${pod.name} asks` : `${pod.name} and its group ${gang.name} ask together`,
      name: pod.name,
      family,
      queue,
      asked: askedTogether(pod, gang, fleet),
      fixed: isOfFixedPriority(pod) || events.some(({ message }) => /NonPreemptible/i.test(message)),
      group: gang?.group,
      gang: gang && gang.size > 1 ? { placed: gang.placed, size: gang.size } : undefined,
      events,
      words: words?.refusal ?? "",
      says: words?.evidence ?? [],
    },
    fleet,
    holdingsOf(fleet),
  );
};

function familyOf({ schedulerName, labels, annotations }: PodRecord): QueueFamily | undefined {
  if ("kai.scheduler/queue" in labels || "runai/queue" in labels || "pod-group-name" in annotations) {
    return "scheduling.run.ai";
  }
  if (/volcano/.test(schedulerName) || "scheduling.k8s.io/group-name" in annotations)
    return "scheduling.volcano.sh";
  return /kai|runai/.test(schedulerName) ? "scheduling.run.ai" : undefined;
}

function queueName({ labels, annotations, schedulerName }: PodRecord): string | undefined {
  return (
    labels["kai.scheduler/queue"] ??
    labels["runai/queue"] ??
    annotations["scheduling.volcano.sh/queue-name"] ??
    annotations["volcano.sh/queue-name"] ??
    labels["volcano.sh/queue-name"] ??
    (/volcano/.test(schedulerName) ? "default" : undefined)
  );
}

/** What has to be placed at once besides what is placed: the group's own figure, or that of its waiting pods. */
function askedTogether(pod: PodRecord, gang: GangRecord | undefined, fleet: Fleet): Resources {
  if (!gang || gang.members.length < 2 || gang.placed >= gang.size) return requestsOf(pod);
  if (gang.placed === 0 && gang.group?.minResources) return gang.group.minResources;
  const known = waitingSums(fleet).get(gang);
  if (known) return known;
  const waiting = gang.members.filter((one) => one.nodeName === undefined);
  const sum = sumOf(waiting.slice(0, gang.size - gang.placed));
  waitingSums(fleet).set(gang, sum);
  return sum;
}

/** Gang -> what its waiting pods ask for, as far as they have to be placed at once. */
const waitingSums = perFleet(() => new Map<GangRecord, Resources>());

/** A pod that shares GPUs counts by its parts. */
function requestsOf(pod: PodRecord): Resources {
  const share = gpuShareOf(pod);
  return share ? { ...pod.requests, "nvidia.com/gpu": share.devices * (share.fraction ?? 1) } : pod.requests;
}

function sumOf(pods: readonly PodRecord[]): Resources {
  const total: Record<string, number> = {};
  for (const pod of pods) {
    for (const [name, amount] of Object.entries(requestsOf(pod))) total[name] = (total[name] ?? 0) + amount;
  }
  return total;
}

/** What the placed pods of each queue come to. */
export const holdingsOf = perFleet((fleet: Fleet): Holdings => {
  const placed = new Map<string, PodRecord[]>();
  for (const pod of fleet.gpuPods) {
    if (pod.nodeName === undefined) continue;
    const name = podGroupOf(pod, fleet)?.group?.queue || queueName(pod);
    if (name === undefined) continue;
    const list = placed.get(name);
    if (list) list.push(pod);
    else placed.set(name, [pod]);
  }
  return {
    all: (queue) => sumOf(placed.get(queue) ?? []),
    fixed: (queue) => sumOf((placed.get(queue) ?? []).filter(isOfFixedPriority)),
  };
});

/** KAI preempts nothing of this priority and above. */
const FIXED_PRIORITY = 100;

function isOfFixedPriority({ priority, labels }: PodRecord): boolean {
  const said = labels["kai.scheduler/preemptibility"];
  return said === undefined ? priority >= FIXED_PRIORITY : said === "non-preemptible";
}
