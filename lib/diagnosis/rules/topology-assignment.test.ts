import { describe, expect, it } from "vitest";
import { buildFleet } from "../../layers/build-fleet.ts";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { NodeRecord, PodRecord } from "../../model/kubernetes.ts";
import { aNode, aPod, aSnapshot, NOW } from "../../testing/builders.ts";
import { aCondition, aWorkload } from "../../testing/queue-builders.ts";
import { diagnose } from "../diagnose.ts";

const HOST = "kubernetes.io/hostname";
const node = (name: string, overrides: Partial<NodeRecord> = {}) =>
  aNode({ name, labels: { [HOST]: name }, ...overrides });
const assigned = (overrides: Parameters<typeof aWorkload>[0] = {}) =>
  aWorkload({
    name: "run",
    clusterQueue: "cq",
    assignments: [
      { name: "main", count: 2, flavors: { "nvidia.com/gpu": "h100" }, usage: {}, domains: ["a", "b"] },
    ],
    conditions: [aCondition({ type: "QuotaReserved" }), aCondition({ type: "Admitted" })],
    ...overrides,
  });
const pinned = (overrides: Parameters<typeof aPod>[0] = {}): PodRecord =>
  aPod({
    name: "w-1",
    gpus: 8,
    nodeSelector: { [HOST]: "b" },
    labels: { "kueue.x-k8s.io/pod-group-name": "run", "kueue.x-k8s.io/tas": "true" },
    ...overrides,
  });

function verdictOf(
  nodes: readonly NodeRecord[],
  workload = assigned(),
  pods: readonly PodRecord[] = [pinned()],
) {
  const facts = { ...NO_FACTS, workloads: { known: true, items: [workload] } };
  return diagnose(buildFleet(aSnapshot({ nodes, pods, facts }), NOW), NOW).find(({ name }) => name === "w-1");
}

describe("a pod that Kueue has given a node by name", () => {
  const repair = {
    key: "example.com/repair",
    value: "requested",
    effect: "NoExecute",
    timeAdded: NOW,
  } as const;
  const notReady = [aCondition({ type: "Ready", status: "False", reason: "KubeletNotReady" })];
  it.each([
    ["is tainted", node("b", { taints: [repair] }), "taint example.com/repair"],
    ["is cordoned", node("b", { unschedulable: true }), "that node is cordoned"],
    ["is not Ready", node("b", { conditions: notReady }), "that node is not Ready"],
    ["is gone", node("other"), "there is no such node any more"],
  ])("which %s", (_, broken, words) => {
    const verdict = verdictOf([node("a"), broken], assigned({ failedNodes: ["b"] }));
    expect(verdict).toMatchObject({ layer: "L3", reason: "TopologyUnsatisfied", certainty: "high" });
    expect(verdict?.sentence).toContain(words);
  });

  it("which others have filled", () => {
    const pods = [pinned(), aPod({ name: "other", gpus: 4, nodeName: "b" })];
    expect(verdictOf([node("a"), node("b")], assigned(), pods)?.sentence).toContain(
      "that node has 4 of the 8 nvidia.com/gpu free",
    );
  });

  it("says how many ended there before it", () => {
    const pods = [pinned(), pinned({ name: "w-1-old", phase: "Failed" })];
    const verdict = verdictOf([node("a"), node("b", { unschedulable: true })], assigned(), pods);
    expect(verdict?.sentence).toContain("1 pod before it ended the same way");
  });

  it("is late where that node has room", () => {
    expect(verdictOf([node("a"), node("b")])?.reason).toBe("SchedulerDelay");
  });

  it("which its own owner has chosen is that node's trouble", () => {
    const own = pinned({ labels: {} });
    expect(verdictOf([node("b", { unschedulable: true })], assigned(), [own])?.reason).toBe("NodeCordoned");
  });

  it("is gated where its workload's node has failed", () => {
    const gated = pinned({ schedulingGates: ["kueue.x-k8s.io/topology"], nodeSelector: {} });
    expect(verdictOf([node("a")], assigned({ failedNodes: ["b"] }), [gated])?.reason).toBe(
      "TopologyUnsatisfied",
    );
    expect(verdictOf([node("a")], assigned(), [gated])?.reason).toBe("SchedulingGated");
  });
});
