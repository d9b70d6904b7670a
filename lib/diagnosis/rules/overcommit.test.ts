import { describe, expect, it } from "vitest";
import { buildFleet } from "../../layers/build-fleet.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { aContainer, aNode, anEvent, aPod, aSnapshot, NOW } from "../../testing/builders.ts";
import { aCondition } from "../../testing/queue-builders.ts";
import { diagnose } from "../diagnose.ts";

const crashing = {
  conditions: [aCondition({ type: "PodScheduled" }), aCondition({ type: "Ready", status: "False" })],
  containers: [
    aContainer({
      ready: false,
      restarts: 9,
      state: { kind: "waiting", reason: "CrashLoopBackOff", message: "" },
    }),
  ],
};

function tenant(
  name: string,
  annotations: Record<string, string>,
  overrides: Partial<PodRecord> = {},
): PodRecord {
  return aPod({
    name,
    gpus: 0,
    nodeName: "a",
    annotations: { ...annotations, "runai-gpu": "0" },
    labels: { "runai-gpu-group": "g" },
    schedulerName: "kai-scheduler",
    ...overrides,
  });
}

function verdictsOf(pods: readonly PodRecord[], labels: Record<string, string> = {}) {
  return diagnose(buildFleet(aSnapshot({ nodes: [aNode({ name: "a", labels })], pods }), NOW), NOW);
}

const half = { "gpu-fraction": "0.5" };

describe("parts of one GPU", () => {
  it("are more than the GPU: the pod that crashes for it is the scheduler's", () => {
    const verdicts = verdictsOf([tenant("x", half), tenant("y", half), tenant("z", half, crashing)]);
    expect(verdicts).toMatchObject([
      { name: "z", layer: "L3", reason: "SchedulerOvercommit", certainty: "high", gpus: 1 },
    ]);
    expect(verdicts[0]?.sentence).toContain("with 2 other pods: together they were given 150 % of it");
    expect(verdicts[0]?.holders.map(({ name }) => name)).toEqual(["x", "y"]);
  });

  it.each([
    ["just the GPU", [tenant("x", half), tenant("z", half, crashing)]],
    [
      "on other devices",
      [
        tenant("x", half),
        tenant("y", half, { labels: { "runai-gpu-group": "other" } }),
        tenant("z", half, crashing),
      ],
    ],
    [
      "on other nodes",
      [tenant("x", half), tenant("y", half, { nodeName: "b" }), tenant("z", half, crashing)],
    ],
    [
      "of a pod that has ended",
      [tenant("x", half), tenant("y", half, { phase: "Succeeded" }), tenant("z", half, crashing)],
    ],
  ])("are %s: the workload is at fault", (_, pods) => {
    expect(verdictsOf(pods).find(({ name }) => name === "z")?.reason).toBe("CrashLoop");
  });

  it("by memory are more than the GPU has, where a label says how much that is", () => {
    const pods = [tenant("x", { "gpu-memory": "60000" }), tenant("z", { "gpu-memory": "30000" }, crashing)];
    expect(verdictsOf(pods, { "nvidia.com/gpu.memory": "81559" })[0]?.reason).toBe("SchedulerOvercommit");
    expect(verdictsOf(pods)[0]?.reason).toBe("CrashLoop");
  });
});

describe("a part of a GPU that waits", () => {
  const reserving = (name: string) =>
    aPod({ name, namespace: "kai-resource-reservation", gpus: 4, nodeName: "a" });
  const waiting = (fraction: string) =>
    aPod({ name: "p", gpus: 0, annotations: { "gpu-fraction": fraction }, schedulerName: "kai-scheduler" });
  const full = [reserving("r-1"), reserving("r-2")];

  it.each([
    ["0.5", "SchedulerDelay"],
    ["0.6", "GpusBusy"],
  ])("beside a half on a device of a node that is taken: %s", (fraction, reason) => {
    const pods = [...full, tenant("x", half), waiting(fraction)];
    expect(verdictsOf(pods).find(({ name }) => name === "p")?.reason).toBe(reason);
  });

  it("says what it asks for", () => {
    const verdict = verdictsOf([...full, waiting("0.5")]).find(({ name }) => name === "p");
    expect(verdict).toMatchObject({ reason: "GpusBusy", gpus: 1 });
    expect(verdict?.sentence).toContain("p needs 0.5 GPUs");
  });
});

describe("a part of a device that HAMi has to find", () => {
  const hami = (overrides: Partial<PodRecord> = {}) =>
    aPod({
      name: "p",
      schedulerName: "hami-scheduler",
      requests: { pods: 1, "nvidia.com/gpu": 1, "nvidia.com/gpumem": 24_000, "nvidia.com/gpucores": 50 },
      ...overrides,
    });
  const says = (message: string) => ({
    conditions: [aCondition({ type: "PodScheduled", status: "False", reason: "Unschedulable", message })],
  });

  it.each([
    ["0/1 nodes are available: 1 CardInsufficientMemory.", "GpusBusy", "medium"],
    [
      "0/1 nodes are available: 1 4/8 CardInsufficientCore, 4/8 CardInsufficientMemory.",
      "GpusBusy",
      "medium",
    ],
    ["0/1 nodes are available: 1 AllocatedCardsInsufficientRequest.", "GpusFragmented", "medium"],
    ["0/1 nodes are available: 1 NodeUnfitPod.", "SchedulerDelay", "low"],
  ])("%s", (message, reason, certainty) => {
    expect(verdictsOf([hami(says(message))])[0]).toMatchObject({ reason, certainty });
  });

  it("is told by the extender's own event", () => {
    const events = [
      anEvent({
        about: { kind: "Pod", namespace: "ml", name: "p", uid: "" },
        reason: "FilteringFailed",
        message: "1 nodes CardInsufficientMemory(a)",
        component: "hami-scheduler",
      }),
    ];
    const fleet = buildFleet(aSnapshot({ nodes: [aNode({ name: "a" })], pods: [hami()], events }), NOW);
    expect(diagnose(fleet, NOW)[0]?.reason).toBe("GpusBusy");
  });

  it.each([
    ["CardInsufficientMemory", { "nvidia.com/gpu": 1, "nvidia.com/gpumem": 40_000 }, "RequestNeverFits"],
    ["no available node, 1 nodes do not meet", { "nvidia.com/gpu": 3 }, "RequestNeverFits"],
    [
      "no available node, all node scores do not meet",
      { "nvidia.com/gpu": 1, "nvidia.com/gpumem": 8000 },
      "GpusBusy",
    ],
    ["no available node, 1 nodes do not meet", { "nvidia.com/gpu": 2 }, "SchedulerDelay"],
  ])("says %s of two devices of 15360 MiB and %o: %s", (message, requests, reason) => {
    const about = { kind: "Pod", namespace: "ml", name: "p", uid: "" };
    const events = [anEvent({ about, reason: "FilteringFailed", message, component: "hami-scheduler" })];
    const shared = aNode({
      name: "a",
      gpus: 20,
      labels: { "nvidia.com/gpu.count": "2", "nvidia.com/gpu.memory": "15360" },
    });
    const fleet = buildFleet(aSnapshot({ nodes: [shared], pods: [hami({ requests })], events }), NOW);
    expect(diagnose(fleet, NOW)[0]?.reason).toBe(reason);
  });

  it.each([
    ["1 nodes NodeInsufficientDevice(a)", "RequestNeverFits"],
    ["1 nodes NodeInsufficientDevice(b), 1 nodes CardInsufficientMemory(a)", "GpusBusy"],
  ])("says of cards whose number no label tells, %s: %s", (message, reason) => {
    const about = { kind: "Pod", namespace: "ml", name: "p", uid: "" };
    const events = [anEvent({ about, reason: "FilteringFailed", message, component: "hami-scheduler" })];
    const requests = { "nvidia.com/gpu": 4, "nvidia.com/gpumem": 3000 };
    const nodes = [aNode({ name: "a", gpus: 20 })];
    const fleet = buildFleet(aSnapshot({ nodes, pods: [hami({ requests })], events }), NOW);
    expect(diagnose(fleet, NOW)[0]?.reason).toBe(reason);
  });

  it.each([
    [
      "default-scheduler",
      "1 Insufficient nvidia.com/gpucores, 1 Insufficient nvidia.com/gpumem",
      "SchedulerAbsent",
    ],
    ["hami-scheduler", "1 Insufficient nvidia.com/gpumem", "SchedulerDelay"],
    ["default-scheduler", "1 Insufficient cpu", "SchedulerDelay"],
  ])("asked for at %s, which says %s: %s", (schedulerName, lacks, reason) => {
    const pod = hami({ schedulerName, ...says(`0/2 nodes are available: ${lacks}.`) });
    expect(verdictsOf([pod])[0]?.reason).toBe(reason);
  });

  it("is late where the devices came free after its last try", () => {
    const event = (ago: number) =>
      anEvent({
        about: { kind: "Pod", namespace: "ml", name: "p", uid: "" },
        message: "1 NodeUnfitPod",
        lastAt: NOW - ago,
      });
    const verdictAt = (ago: number) => {
      const pods = [hami(says("0/1 nodes are available: 1 NodeUnfitPod."))];
      return diagnose(
        buildFleet(aSnapshot({ nodes: [aNode({ name: "a" })], pods, events: [event(ago)] }), NOW),
        NOW,
      )[0];
    };
    expect(verdictAt(240_000)).toMatchObject({ reason: "SchedulerDelay", certainty: "medium" });
    expect(verdictAt(240_000)?.sentence).toContain("it last tried at 11:56 UTC, when there was no room");
    expect(verdictAt(5_000)).toMatchObject({ reason: "SchedulerDelay", certainty: "low" });
  });
});
