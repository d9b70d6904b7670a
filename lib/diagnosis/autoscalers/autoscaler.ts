import type { EventRecord } from "../../model/kubernetes.ts";

/** True for an event of Karpenter, Cluster Autoscaler or a cloud's own autoscaler. */
export function isFromAutoscaler({ component, reason }: EventRecord): boolean {
  return /karpenter|autoscal|auto-mode/i.test(component) || /ScaleUp$|^Nominated$/.test(reason);
}
