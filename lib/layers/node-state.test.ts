import { describe, expect, it } from "vitest";
import type { Taint } from "../model/kubernetes.ts";
import { aNode, NOW } from "../testing/builders.ts";
import { blockedBy, isLifecycleTaint, readinessOf } from "./node-state.ts";

const taint = (key: string, rest: Partial<Taint> = {}): Taint => {
  return { key, value: "", effect: "NoSchedule", timeAdded: undefined, ...rest };
};

describe("whether a taint is of the node's life cycle or dedicates it", () => {
  it.each([
    ["node.kubernetes.io/unreachable", true],
    ["node.cloudprovider.kubernetes.io/uninitialized", true],
    ["karpenter.sh/disrupted", true],
    ["ToBeDeletedByClusterAutoscaler", true],
    ["cloud.google.com/impending-node-termination", true],
    ["ebs.csi.aws.com/agent-not-ready", true],
    ["example.com/maintenance", true],
    ["sagemaker.amazonaws.com/node-health-status", true],
    ["example.com/gpu-health", true],
    ["nvidia.com/gpu-driver-upgrade", true],
    ["example.com/health-team", false],
    ["cloud.example.com/repair", true],
    ["readiness.k8s.io/network", true],
    ["node.cluster.x-k8s.io/uninitialized", true],
    ["remediator.kubernetes.azure.com/unschedulable", true],
    ["sagemaker.amazonaws.com/node-health-status", true],
    ["sagemaker.amazonaws.com/compute-type", false],
    ["example.com/agent-uninitialized", true],
    ["nvidia.com/gpu", false],
    ["dedicated", false],
    ["sku", false],
    ["cloud.google.com/gke-queued", false],
    ["node-role.kubernetes.io/control-plane", false],
  ])("%s: %s", (key, expected) => {
    expect(isLifecycleTaint(key)).toBe(expected);
  });
});

describe("why a node takes no new pods", () => {
  it.each<[string, Parameters<typeof aNode>[0], ReturnType<typeof blockedBy>]>([
    ["it does take some", {}, undefined],
    ["cordoned", { unschedulable: true }, { by: "unschedulable", since: undefined }],
    [
      "cordoned, with the moment that the taint keeps",
      { unschedulable: true, taints: [taint("node.kubernetes.io/unschedulable", { timeAdded: NOW })] },
      { by: "unschedulable", since: NOW },
    ],
    [
      "cordoned for a maintenance: the maintenance is the reason",
      { unschedulable: true, taints: [taint("example.com/maintenance", { timeAdded: NOW })] },
      { by: "example.com/maintenance", since: NOW },
    ],
    [
      "a soft taint keeps nobody away",
      { taints: [taint("karpenter.sh/disrupted", { effect: "PreferNoSchedule" })] },
      undefined,
    ],
    ["a dedicated node takes pods", { taints: [taint("nvidia.com/gpu")] }, undefined],
    ["being deleted", { deletedAt: NOW }, { by: "deletion", since: NOW }],
  ])("%s", (_, node, expected) => {
    expect(blockedBy(aNode(node))).toEqual(expected);
  });
});

describe("readiness", () => {
  it("is what the Ready condition says, and a node without one is not Ready", () => {
    expect(readinessOf(aNode()).ready).toBe(true);
    expect(readinessOf(aNode({ conditions: [] }))).toMatchObject({
      ready: false,
      reason: "NoReadyCondition",
    });
  });
});
