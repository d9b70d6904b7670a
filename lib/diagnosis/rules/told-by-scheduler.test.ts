import { describe, expect, test } from "vitest";
import { aNode, anEvent, aPod, NOW } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { refusedWith } from "../../testing/scheduling-facts.ts";
import { diagnose } from "../diagnose.ts";

const about = { kind: "Pod", namespace: "ml", name: "waits", uid: "" };
/** Of the pod `waits`, for which node a has room. */
const verdict = (pod: Parameters<typeof aPod>[0], events: ReturnType<typeof anEvent>[] = []) =>
  diagnose(
    aFleet({ nodes: [aNode({ name: "a" })], pods: [aPod({ name: "waits", ...pod })], events }),
    NOW,
  )[0];

describe("a scheduler that names what nothing else shows", () => {
  test.each([
    [
      "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) didn't have free ports for the requested pod ports.",
      "OtherResourcesExhausted",
    ],
    ["0/2 nodes are available: 2 node(s) exceed max volume count.", "OtherResourcesExhausted"],
    [
      "0/1 nodes are available: 1 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode.",
      "OtherResourcesExhausted",
    ],
    ["0/1 nodes are available: 1 node(s) did not have enough free storage.", "OtherResourcesExhausted"],
    ["0/1 nodes are available: 1 cannot align pod.", "GpusFragmented"],
    ["0/1 nodes are available: 1 cannot align container: main.", "GpusFragmented"],
    ["0/1 nodes are available: 1 Insufficient NUMA Node resources.", "GpusFragmented"],
    ["0/1 nodes are available: 1 Insufficient gpu devices.", "GpusBusy"],
    ['0/1 nodes are available: 1 Gang "ml/g" gets rejected due to pod is unschedulable.', "GangIncomplete"],
    ["waiting for minCount pods from a gang to appear in scheduling queue", "GangIncomplete"],
    ["rejected due to timeout after waiting 10s at plugin Coscheduling", "GangIncomplete"],
    [
      "0/6 nodes are available: Insufficient quotas [[nvidia.com/gpu]], quotaName: team-a, runtime: nvidia.com/gpu:8, used: nvidia.com/gpu:8",
      "QueueQuotaExhausted",
    ],
    ["0/2 nodes are available: 2 ExceedsGPUQuota.", "QueueQuotaExhausted"],
    [
      "0/1 nodes are available: 1 Pod ml/waits is rejected in PreFilter because ElasticQuota ml is more than Max.",
      "QueueQuotaExhausted",
    ],
    [
      "0/1 nodes are available: 1 Pod ml/waits is rejected in PreFilter because total ElasticQuota used is more than min.",
      "QueueQuotaExhausted",
    ],
    ["0/1 nodes are available: 1 node(s) were filtered out by the extender.", "SchedulerDelay"],
  ])("%s", (message, reason) => {
    const found = verdict(refusedWith(message));
    expect(found).toMatchObject({ reason, layer: "L3" });
    expect(found?.certainty).not.toBe("high");
  });

  test.each([
    ["Request 'a' does not fit in queue 'root.gpu' (requested map[nvidia.com/gpu:2], available map[])"],
    ["Task ml/waits is skipped from scheduling because the queue quota has been exceed"],
  ])("in an event of its own: %s", (message) => {
    const events = [anEvent({ about, reason: "Informational", component: "yunikorn", message })];
    expect(verdict({ schedulerName: "yunikorn" }, events)?.reason).toBe("QueueQuotaExhausted");
    // What another component says of the pod is not the scheduler's word.
    expect(verdict({ schedulerName: "volcano" }, events)?.reason).not.toBe("QueueQuotaExhausted");
  });

  test("is believed on its quota where no node has room either", () => {
    const full = aPod({ name: "holder", nodeName: "a", gpus: 8 });
    const waits = aPod({ name: "waits", ...refusedWith("0/1 nodes are available: 1 ExceedsGPUQuota.") });
    const fleet = aFleet({ nodes: [aNode({ name: "a" })], pods: [full, waits] });
    expect(diagnose(fleet, NOW)[0]).toMatchObject({ reason: "QueueQuotaExhausted", name: "waits" });
  });
});
