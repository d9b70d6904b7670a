import type { Fleet, FleetNode } from "../../layers/fleet.ts";
import type { Condition } from "../../model/kubernetes.ts";
import { eventEvidence, nodeEvidence } from "../evidence.ts";
import type { Evidence } from "../verdict.ts";
import { readLog } from "./read-log.ts";

/** Events older than this say nothing of a failure now. */
const RECENT_MS = 6 * 3_600_000;

/**
 * What a node itself shows of broken GPUs, as health monitors write it: conditions of node-problem-detector, of the
 * clouds' node agents and of the vendors', and events with an Xid; undefined where there is none.
 * https://github.com/kubernetes/node-problem-detector and https://docs.aws.amazon.com/eks/latest/userguide/node-health.html
 */
export function gpuTroubleOf(node: FleetNode, fleet: Fleet, now: number): Evidence | undefined {
  const { record } = node;
  const condition = record.conditions.find(isGpuTrouble);
  if (condition) {
    const value = `${condition.status} (${condition.reason}: ${condition.message})`;
    return nodeEvidence(
      record,
      `status.conditions["${condition.type}"]`,
      value,
      condition.lastTransitionTime,
    );
  }
  const event = fleet.events
    .ofNode(record.name)
    .find(
      ({ type, message, lastAt }) =>
        type === "Warning" &&
        now - (lastAt ?? 0) < RECENT_MS &&
        readLog(message)?.reason === "GpuLostAtRuntime",
    );
  return event && eventEvidence(event);
}

const ABOUT_GPUS = /gpu|xid|nvlink|nvswitch|accelerat|dcgm|nvidia|neuron|amdgpu/i;
/** `AcceleratedHardwareReady` is good news where it is True, `GPUMissing` bad. */
const GOOD_WHEN_TRUE = /(Ready|Healthy|Available|Ok|OK)$/;
const BAD_WHEN_TRUE = /error|fail|missing|lost|xid|unhealthy|problem|fault|inactive|hang|watch|degraded/i;
/** Where the type only names what is watched, as `GpuCount` does. */
const BAD_REASON = /mismatch|missing|lost|fail|error|unhealthy|problem|incorrect/i;

function isGpuTrouble({ type, status, reason }: Condition): boolean {
  if (!ABOUT_GPUS.test(type)) return false;
  if (GOOD_WHEN_TRUE.test(type) && !/unhealthy$/i.test(type)) return status === "False";
  return status === "True" && (BAD_WHEN_TRUE.test(type) || BAD_REASON.test(reason));
}
