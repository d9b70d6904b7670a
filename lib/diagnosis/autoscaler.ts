import type { EventIndex } from "../layers/fleet.ts";
import type { EventRecord, PodRecord } from "../model/kubernetes.ts";
import type { Reason } from "../model/reasons.ts";
import { butAtMost } from "./certainty.ts";
import { eventEvidence } from "./evidence.ts";
import type { Finding } from "./question.ts";

/** True for an event of Karpenter, Cluster Autoscaler or a cloud's own autoscaler. */
export function isFromAutoscaler({ component, reason }: EventRecord): boolean {
  return /karpenter|autoscal|auto-mode/i.test(component) || /ScaleUp$|^Nominated$/.test(reason);
}

/** Reasons that hold only as long as nobody adds a node. */
const WITHOUT_NEW_NODES = new Set<Reason>([
  "NoCapacitySource",
  "RequestNeverFits",
  "GpusBusy",
  "GpusFragmented",
  "OtherResourcesExhausted",
]);

/** The finding, less sure and with the autoscaler's last word, where an autoscaler looks after the pod. */
export function withAutoscaler(finding: Finding, pod: PodRecord, events: EventIndex): Finding {
  if (!WITHOUT_NEW_NODES.has(finding.reason)) return finding;
  const event = events.ofPod(pod.namespace, pod.name).find(isFromAutoscaler);
  if (!event) return finding;
  const why = "an autoscaler looks after it, and which nodes that could add is not read";
  return {
    ...finding,
    sure: butAtMost(finding.sure, finding.reason === "NoCapacitySource" ? "low" : "medium", why),
    evidence: [...finding.evidence, eventEvidence(event)],
  };
}
