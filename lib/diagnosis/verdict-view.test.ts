import { expect, it } from "vitest";
import type { StuckView } from "../model/fleet-view.ts";
import { aContainer, aNode, anEvent, aPod, aReservation, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { diagnose } from "./diagnose.ts";
import { verdictView } from "./verdict-view.ts";

const viewOf = (name: string, fleet: ReturnType<typeof aFleet>): StuckView | undefined =>
  diagnose(fleet, NOW)
    .map((verdict) => verdictView(verdict))
    .find((view) => view.name === name);

const labels = { pool: "cr-1", "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3" };
const whole = ["n1", "n2", "n3"].map((name) => aNode({ name, labels }));
const bare = aNode({ name: "n4", labels, gpus: 0 });
const dead = aNode({
  name: "n5",
  labels,
  conditions: [
    {
      type: "Ready",
      status: "Unknown",
      reason: "NodeStatusUnknown",
      message: "",
      lastTransitionTime: NOW - 60_000,
    },
  ],
});
const owner = { kind: "Job", name: "pretrain", uid: "1" };
const driver = aPod({
  namespace: "gpu-operator",
  name: "nvidia-driver-daemonset-x8z2m",
  system: "daemonset",
  gpus: 0,
  nodeName: "n4",
  containers: [
    aContainer({
      name: "driver",
      ready: false,
      restarts: 14,
      state: { kind: "waiting", reason: "CrashLoopBackOff", message: "back-off" },
      lastTermination: {
        exitCode: 1,
        reason: "Error",
        message: "modprobe failed",
        startedAt: undefined,
        finishedAt: NOW - 120_000,
      },
    }),
  ],
});
const rank = aPod({ name: "rank-3", gpus: 8, owner });
const fleet = aFleet({
  nodes: [...whole, bare, dead],
  pods: [...whole.map((node) => aPod({ gpus: 8, nodeName: node.name, owner })), driver, rank],
  reservations: [aReservation({ id: "cr-1", count: 5 })],
  events: [
    anEvent({
      about: { kind: "Pod", namespace: "ml", name: "rank-3", uid: rank.uid },
      count: 27,
      message: "0/5 nodes are available: 4 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint.",
    }),
  ],
});

it("says of a lost node what the four layers look like, on what evidence, and what to do", () => {
  expect(viewOf("rank-3", fleet)).toMatchObject({
    id: "pod/ml/rank-3",
    layer: "L2",
    reason: "DevicePluginDown",
    certainty: "high",
    owner: "platform team",
    gpus: 8,
    since: "2026-12-01T11:30:00.000Z",
    workload: { kind: "Job", namespace: "ml", name: "pretrain" },
    pool: "reservation/cr-1",
    sentence:
      "rank-3 needs 8 GPUs and would fit on n4, which is Ready and has 8 H100 GPUs but advertises none: gpu-operator/nvidia-driver-daemonset-x8z2m does not run.",
    evidence: [
      {
        object: { kind: "Node", name: "n4" },
        field: 'status.capacity["nvidia.com/gpu"]',
        value: "absent (the machine has 8)",
      },
      {
        object: { kind: "Pod", namespace: "gpu-operator", name: driver.name },
        field: 'status.containerStatuses["driver"].state',
        value: "CrashLoopBackOff, 14 restarts, last exit 1 (Error): modprobe failed",
        at: "2026-12-01T11:58:00.000Z",
      },
      {
        object: { kind: "Pod", namespace: "ml", name: "rank-3" },
        field: null,
        value: /^FailedScheduling ×27: 0\/5/,
      },
    ].map((item) => ({
      ...item,
      value: item.value instanceof RegExp ? expect.stringMatching(item.value) : item.value,
    })),
    ladder: {
      L1: { state: "ok", detail: "cr-1 active, 5 slots, 5 launched" },
      L2: { state: "broken", detail: "1 not advertising all GPUs, 1 NotReady" },
      L3: { state: "not-reached" },
      L4: { state: "not-reached" },
    },
    considered: [
      { nodes: ["n4"], gpusFree: 0, gpusTotal: 8, layer: "L2" },
      { nodes: ["n5"], gpusFree: 8, gpusTotal: 8, layer: "L2", why: "NotReady" },
      {
        nodes: ["n1", "n2", "n3"],
        nodeCount: 3,
        gpusFree: 0,
        gpusTotal: 24,
        layer: "L3",
        why: "GPUs are taken",
      },
    ],
    next: [
      "kubectl -n gpu-operator logs nvidia-driver-daemonset-x8z2m --all-containers --previous",
      "kubectl describe node n4",
      "Would make room too: n5 (NotReady).",
    ],
  });
});

it("names who holds the GPUs, the biggest first", () => {
  const pods = [
    aPod({ name: "small", gpus: 2, nodeName: "n1" }),
    aPod({ name: "big", gpus: 6, nodeName: "n1" }),
    aPod({ name: "waits" }),
  ];
  const view = viewOf("waits", aFleet({ nodes: [aNode({ name: "n1" })], pods }));
  expect(view?.holders).toEqual([
    { namespace: "ml", name: "big", node: "n1", gpus: 6 },
    { namespace: "ml", name: "small", node: "n1", gpus: 2 },
  ]);
  expect(view?.owner).toBe("scheduling team");
  expect(view?.ladder.L3).toEqual({ state: "broken", detail: "0 of 8 GPUs free on 1 node" });
});

it("counts neither the pod itself nor one behind it among those that stand in its way", () => {
  const pods = [
    aPod({ name: "holds", gpus: 8, nodeName: "n1" }),
    aPod({ name: "waits", nominatedNodeName: "n1" }),
    aPod({ name: "behind", nominatedNodeName: "n1", priority: -1 }),
  ];
  const view = viewOf("waits", aFleet({ nodes: [aNode({ name: "n1" })], pods }));
  expect(view?.holders.map(({ name }) => name)).toEqual(["holds"]);
  expect(view?.sentence).toMatch(/it is nominated to n1 and waits for room there\.$/);
});

it("gives a workload's fault to the team of its namespace", () => {
  const view = viewOf(
    "waits",
    aFleet({ nodes: [aNode()], pods: [aPod({ name: "waits", namespace: "vision", gpus: 9 })] }),
  );
  expect(view).toMatchObject({ layer: "L4", owner: "vision team" });
});

it("is a guess from the scheduler's words where nodes cannot be read", () => {
  const known = aFleet({ pods: [aPod({ name: "waits" })] });
  const view = viewOf("waits", { ...known, nodesKnown: false });
  expect(view).toMatchObject({ reason: "GpusBusy", certainty: "low" });
  expect(view?.ladder.L2.state).toBe("unknown");
});

it("tells an autoscaler's refusal from the scheduler's", () => {
  const waits = aPod({ name: "waits", gpus: 8, conditions: [] });
  const karpenter = anEvent({
    about: { kind: "Pod", namespace: "ml", name: "waits", uid: waits.uid },
    component: "karpenter",
    message: "Failed to schedule pod, Insufficient nvidia.com/gpu",
  });
  const pods = [waits, aPod({ gpus: 8, nodeName: "n1" })];
  const view = viewOf("waits", aFleet({ nodes: [aNode({ name: "n1" })], pods, events: [karpenter] }));
  expect(view).toMatchObject({ reason: "GpusBusy", certainty: "medium" });
  expect(view?.certaintyWhy).toMatch(/the scheduler has left no message about this pod/);
  expect(JSON.stringify(view?.evidence)).not.toContain("Failed to schedule pod");
});

it("does not take a nominated pod for one alike that is not", () => {
  const pods = [aPod({ name: "first", nominatedNodeName: "n1" }), aPod({ name: "second" })];
  const one = aFleet({ nodes: [aNode({ name: "n1", gpus: 1 })], pods });
  expect([viewOf("first", one)?.reason, viewOf("second", one)?.reason]).toEqual([
    "SchedulerDelay",
    "GpusBusy",
  ]);
});

it("has no time for one that no calendar has", () => {
  const pod = aPod({ name: "waits", createdAt: 1e300, conditions: [] });
  expect(viewOf("waits", aFleet({ pods: [pod] }))?.since ?? null).toBeNull();
});

it("lists most GPUs first, then longest waiting", () => {
  const waits = (name: string, gpus: number, since: number) => {
    const [condition] = aPod().conditions;
    return aPod({ name, gpus, conditions: condition ? [{ ...condition, lastTransitionTime: since }] : [] });
  };
  const pods = [waits("late", 1, NOW - 1), waits("big", 4, NOW - 2), waits("early", 1, NOW - 3)];
  expect(diagnose(aFleet({ pods }), NOW).map(({ name }) => name)).toEqual(["big", "early", "late"]);
});
