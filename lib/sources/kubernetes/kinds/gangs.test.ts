import { describe, expect, it } from "vitest";
import { factsOf } from "../../../testing/facts-of.ts";

const object = (apiVersion: string, kind: string, rest: object) => ({
  apiVersion,
  kind,
  metadata: { name: "x", namespace: "ml", uid: "u" },
  ...rest,
});

describe("a PodGroup", () => {
  it.each([
    ["scheduling.volcano.sh/v1beta1", "Volcano"],
    ["scheduling.run.ai/v2alpha2", "KAI"],
    ["scheduling.x-k8s.io/v1alpha1", "coscheduling"],
  ])("of %s", (apiVersion) => {
    const raw = object(apiVersion, "PodGroup", {
      spec: { minMember: 4, queue: "q" },
      status: { phase: "Pending" },
    });
    expect(factsOf([raw]).podGroups.items).toMatchObject([
      { apiVersion, minMember: 4, queue: "q", phase: "Pending", minResources: undefined, problems: [] },
    ]);
  });

  it("keeps what it asks for, under the names of resources", () => {
    const minResources = {
      cpu: "6",
      "requests.nvidia.com/gpu": "7",
      "limits.nvidia.com/gpu": "8",
      "count/pods": "2",
      "amd.com/gpu": "lots",
    };
    const [group] = factsOf([object("scheduling.volcano.sh/v1beta1", "PodGroup", { spec: { minResources } })])
      .podGroups.items;
    expect(group?.minResources).toEqual({ cpu: 6_000, "nvidia.com/gpu": 7, pods: 2 });
    expect(group?.problems).toMatchObject([{ field: 'spec.minResources["amd.com/gpu"]', value: "lots" }]);
  });

  it("of KAI keeps its own conditions too", () => {
    const schedulingConditions = [
      { type: "UnschedulableOnNodePool", status: "True", message: "OverLimit", nodePool: "default" },
    ];
    const raw = object("scheduling.run.ai/v2alpha2", "PodGroup", {
      spec: { minMember: "four" },
      status: { schedulingConditions },
    });
    const [group] = factsOf([raw]).podGroups.items;
    expect(group?.conditions).toMatchObject([{ type: "UnschedulableOnNodePool", message: "OverLimit" }]);
    expect(group?.minMember).toBeUndefined();
  });
});

describe("a queue", () => {
  it("of Volcano", () => {
    const raw = object("scheduling.volcano.sh/v1beta1", "Queue", {
      spec: { capability: { cpu: "8", "nvidia.com/gpu": "3" }, parent: "root" },
      status: { state: "Open", allocated: { "nvidia.com/gpu": "1" } },
    });
    expect(factsOf([raw]).queues.items).toMatchObject([
      {
        parent: "root",
        state: "Open",
        limit: { cpu: 8_000, "nvidia.com/gpu": 3 },
        quota: {},
        allocated: { "nvidia.com/gpu": 1 },
      },
    ]);
  });

  it("of KAI, whose -1 is no limit and whose GPUs have parts", () => {
    const raw = object("scheduling.run.ai/v2", "Queue", {
      spec: {
        parentQueue: "top",
        resources: {
          gpu: { quota: 2.5, limit: -1 },
          cpu: { quota: -1, limit: 8_000 },
          memory: { limit: 64_000 },
        },
      },
      status: {
        allocated: { "nvidia.com/gpu": "1500m" },
        allocatedNonPreemptible: { "nvidia.com/gpu": "500m" },
      },
    });
    expect(factsOf([raw]).queues.items).toMatchObject([
      {
        parent: "top",
        limit: { cpu: 8_000, memory: 64e9 },
        quota: { "nvidia.com/gpu": 2.5 },
        allocated: { "nvidia.com/gpu": 1.5 },
        allocatedFixed: { "nvidia.com/gpu": 0.5 },
      },
    ]);
  });

  it("that does not say what it holds has an unknown use, not none", () => {
    const raw = object("scheduling.volcano.sh/v1beta1", "Queue", { spec: { capability: 7 }, status: {} });
    expect(factsOf([raw]).queues.items).toMatchObject([
      { limit: {}, allocated: undefined, problems: [{ field: "spec.capability" }] },
    ]);
  });
});
