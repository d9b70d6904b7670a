import type { EventIndex } from "../layers/fleet.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import { isFromAutoscaler } from "./autoscalers/autoscaler.ts";
import { conditionOf, eventEvidence, podEvidence } from "./evidence.ts";
import type { Evidence } from "./verdict.ts";

/** What the scheduler last said of a pod that it could not place. */
export interface SchedulerWords {
  /** Its refusal, without the half about preemption. */
  readonly refusal: string;
  /** The half about preemption; empty where it says nothing of it. */
  readonly preemption: string;
  readonly evidence: readonly Evidence[];
}

/**
 * The PodScheduled condition, which stays, and the newest FailedScheduling event, which vanishes after an hour.
 * undefined where neither is there. https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-conditions
 */
export function schedulerWords(pod: PodRecord, events: EventIndex): SchedulerWords | undefined {
  const condition = conditionOf(pod, "PodScheduled");
  const event = events
    .ofPod(pod.namespace, pod.name)
    .find((one) => one.reason === "FailedScheduling" && !isFromAutoscaler(one));
  const says = condition?.status === "False" ? condition.message : "";
  const message = says || event?.message;
  if (!message) return undefined;
  const evidence: Evidence[] = [];
  if (event) evidence.push(eventEvidence(event));
  else if (condition) {
    const field = 'status.conditions["PodScheduled"].message';
    evidence.push(podEvidence(pod, field, message, condition.lastTransitionTime));
  }
  const preemption = PREEMPTION.exec(message);
  return {
    refusal: message.slice(0, preemption?.index),
    preemption: preemption?.[0] ?? "",
    evidence,
  };
}

/** From 1.22 on with a sentence of its own, `preemption: 0/4 nodes are available: …` or `preemption: not eligible due to …`. */
const PREEMPTION = /\bpreemption: .*$/s;

/** True where the scheduler has looked at the pod at all. */
export function isSeenByScheduler(pod: PodRecord, events: EventIndex): boolean {
  if (conditionOf(pod, "PodScheduled")) return true;
  return events
    .ofPod(pod.namespace, pod.name)
    .some((event) => /Schedul/.test(event.reason) && !isFromAutoscaler(event));
}
