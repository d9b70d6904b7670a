import type { Fleet } from "../../layers/fleet.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { conditionOf, containerEvidence, podEvidence } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { containerState } from "../runtime/container-state.ts";
import { isSeenByScheduler } from "../scheduler-words.ts";
import { listInWords, shellWord, timeInWords } from "../wording.ts";

/** A scheduler that acts gets to a new pod well within this time. */
const NORMAL_LOOK_MS = 5 * 60_000;

/** It would fit, and no scheduler of the name that it asks for has looked at it, nor at any pod since it is there. */
export const schedulerAbsent: Rule<PlacementQuestion> = ({ pod, fleet, placement, now }) => {
  const name = pod.schedulerName;
  if (placement.roomy.length === 0 || name === "" || isSeenByScheduler(pod, fleet.events)) return undefined;
  const lastSign = signsOfLife(fleet).get(name);
  const created = pod.createdAt ?? now;
  if (lastSign !== undefined && (lastSign >= created || now - created < NORMAL_LOOK_MS)) return undefined;
  const has =
    lastSign === undefined
      ? "has left no sign of life"
      : `has placed or refused no pod since ${timeInWords(lastSign, now)}`;
  const failing = failingScheduler(name, fleet);
  const container = failing?.containers.find(({ ready }) => !ready);
  const state = container ? containerState(container) : "";
  const but = failing && container ? `; its pod ${failing.namespace}/${failing.name} is ${state}` : "";
  return {
    reason: "SchedulerAbsent",
    sure: { certainty: "medium", why: "no condition, no event and no placed pod shows that it acts" },
    evidence: [
      podEvidence(pod, "spec.schedulerName", name, pod.createdAt),
      ...(failing && container ? [containerEvidence(failing, container, state)] : []),
    ],
    sentence: `${pod.name} would fit on ${roomyNodes(placement)}, but waits for the scheduler “${name}”, which ${has}${but}.`,
    step: `scheduler ${name} has not looked at it`,
    next: [
      ...(failing
        ? [
            `kubectl -n ${shellWord(failing.namespace)} logs ${shellWord(failing.name)} --all-containers --previous`,
          ]
        : []),
      `kubectl get pods -A | grep ${shellWord(name === "default-scheduler" ? "kube-scheduler" : name)}`,
      name === "default-scheduler"
        ? "Look at the scheduler's own pod and its log, and at who holds its lease in kube-system."
        : "Correct spec.schedulerName, or start that scheduler.",
    ],
  };
};

/** A pod of that scheduler, by its name, that does not run as it should. */
function failingScheduler(name: string, fleet: Fleet): PodRecord | undefined {
  const own = name.replace(/^default-scheduler$/, "kube-scheduler");
  return failingSchedulers(fleet).find((pod) => pod.name.includes(own));
}

const failingSchedulers = perFleet(({ pods }) =>
  pods.filter(
    ({ name, containers, phase }) =>
      name.includes("scheduler") && phase !== "Succeeded" && containers.some(({ ready }) => !ready),
  ),
);

/** Scheduler -> when it last placed a pod or spoke of one, as far as can be read. */
const signsOfLife = perFleet((fleet): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  const note = (name: string, at: number | undefined) => {
    found.set(name, Math.max(found.get(name) ?? Number.NEGATIVE_INFINITY, at ?? 0));
  };
  for (const pod of fleet.pods) {
    // The controller of a DaemonSet, and the kubelet, may place theirs without a scheduler.
    if (pod.system !== undefined && pod.schedulerName !== "default-scheduler") continue;
    const condition = conditionOf(pod, "PodScheduled");
    if (condition && pod.system !== "static") note(pod.schedulerName, condition.lastTransitionTime);
    else if (pod.nodeName !== undefined && pod.system === undefined) note(pod.schedulerName, pod.createdAt);
  }
  for (const { component, lastAt, firstAt } of fleet.events.all) note(component, lastAt ?? firstAt);
  return found;
});

/**
 * It fits now by everything that is read. A scheduler looks again at a pod that it has refused when something changes
 * that it knows to matter (an extender's refusal tells it nothing), else after five minutes.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/scheduling-framework/#queue-hint
 */
export const schedulerDelay: Rule<PlacementQuestion> = ({ pod, placement, words, now }) => {
  if (placement.roomy.length === 0) return undefined;
  const says = words
    ? "; what the scheduler last said was true then, or rests on objects that are not read"
    : "";
  const tried = lackedRoomAt(words);
  const isOld = tried !== undefined && now - tried >= OLD_TRY_MS;
  const last = isOld ? `; it last tried at ${timeInWords(tried, now)}, when there was no room` : "";
  return {
    reason: "SchedulerDelay",
    sure: isOld
      ? {
          certainty: "medium",
          why: "it was refused for lack of room, there is room now, and nothing else is against it",
        }
      : { certainty: "low", why: `nothing that is read keeps it from being placed${says}` },
    pool: placement.roomy[0]?.facts.node.poolId,
    evidence: words?.evidence ?? [podEvidence(pod, "spec.schedulerName", pod.schedulerName, pod.createdAt)],
    sentence: `${pod.name} fits on ${roomyNodes(placement)} now, and ${pod.schedulerName || "its scheduler"} has not placed it yet${last}.`,
    step: "it fits now and is not placed",
    next: [`kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`],
  };
};

/** A try of this age was made of a state that has passed. */
const OLD_TRY_MS = 60_000;

/** What schedulers and their extenders say where there is no room: kube-scheduler, HAMi, Volcano. */
const SAYS_NO_ROOM =
  /Insufficient|Too many pods|NodeUnfitPod|TimeSlicingExhausted|node\(s\) resource fit failed/;

/** When the scheduler last refused the pod for lack of room; undefined where it did not, or no time is known. */
function lackedRoomAt(words: PlacementQuestion["words"]): number | undefined {
  if (!words || !SAYS_NO_ROOM.test(words.refusal)) return undefined;
  // A condition keeps the time of the first refusal; an event has that of the last.
  return words.evidence.find(({ field }) => field === undefined)?.at;
}

function roomyNodes({ roomy }: PlacementQuestion["placement"]): string {
  return listInWords(roomy.map((fit) => fit.facts.node.record.name));
}
