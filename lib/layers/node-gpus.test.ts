import { describe, expect, it } from "vitest";
import { aNode } from "../testing/builders.ts";
import type { NodeGpus } from "./fleet.ts";
import { countNodeGpus } from "./node-gpus.ts";

const type = (name: string) => ({ "node.kubernetes.io/instance-type": name });
type Counted = Pick<NodeGpus, "physical" | "physicalFrom" | "advertised" | "allocatable">;

describe("a node's GPUs in whole devices", () => {
  const cases: [string, Parameters<typeof aNode>[0], number | undefined, Counted][] = [
    [
      "what its reservation says comes first",
      { gpus: 4, labels: type("p5.48xlarge") },
      2,
      {
        physical: 2,
        physicalFrom: "reservation",
        advertised: 2,
        allocatable: 2,
      },
    ],
    [
      "then the instance-type table",
      { gpus: 6, labels: type("p5.48xlarge") },
      undefined,
      {
        physical: 8,
        physicalFrom: "instance-type",
        advertised: 6,
        allocatable: 6,
      },
    ],
    [
      "a part of a GPU is one device",
      { gpus: 1, labels: type("g6f.large") },
      undefined,
      {
        physical: 1,
        physicalFrom: "instance-type",
        advertised: 1,
        allocatable: 1,
      },
    ],
    [
      "then the provisioner's label",
      { gpus: 3, labels: { "karpenter.azure.com/sku-gpu-count": "4" } },
      undefined,
      {
        physical: 4,
        physicalFrom: "label",
        advertised: 3,
        allocatable: 3,
      },
    ],
    [
      "a label of 0 says nothing",
      { gpus: 1, labels: { "karpenter.k8s.aws/instance-gpu-count": "0" } },
      undefined,
      {
        physical: 1,
        physicalFrom: "capacity",
        advertised: 1,
        allocatable: 1,
      },
    ],
    [
      "a label that is no number neither",
      { gpus: 1, labels: { "nvidia.com/gpu.count": "many" } },
      undefined,
      {
        physical: 1,
        physicalFrom: "capacity",
        advertised: 1,
        allocatable: 1,
      },
    ],
    [
      "then GPU feature discovery",
      { gpus: 7, labels: { "nvidia.com/gpu.count": "8" } },
      undefined,
      {
        physical: 8,
        physicalFrom: "label",
        advertised: 7,
        allocatable: 7,
      },
    ],
    [
      "which counts MIG devices under the strategy single",
      {
        gpus: 56,
        labels: {
          "nvidia.com/gpu.count": "56",
          "nvidia.com/mig.strategy": "single",
          "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb",
        },
      },
      undefined,
      { physical: 8, physicalFrom: "capacity", advertised: 8, allocatable: 8 },
    ],
    [
      "MIG devices of three slices: two to a GPU",
      {
        gpus: 16,
        gpuResource: "nvidia.com/mig-3g.40gb",
      },
      undefined,
      { physical: 8, physicalFrom: "capacity", advertised: 8, allocatable: 8 },
    ],
    [
      "time-slicing: replicas",
      {
        gpus: 40,
        labels: { "nvidia.com/gpu.replicas": "10", "nvidia.com/gpu.sharing-strategy": "time-slicing" },
      },
      undefined,
      { physical: 4, physicalFrom: "capacity", advertised: 4, allocatable: 4 },
    ],
    [
      "replicas that no label tells",
      { gpus: 32, labels: type("p5.48xlarge") },
      undefined,
      {
        physical: 8,
        physicalFrom: "instance-type",
        advertised: 8,
        allocatable: 8,
      },
    ],
    [
      "a shared GPU of which a replica is gone is not whole",
      {
        labels: type("p5.48xlarge"),
        capacity: { "nvidia.com/gpu": 32 },
        allocatable: { "nvidia.com/gpu": 31 },
      },
      undefined,
      { physical: 8, physicalFrom: "instance-type", advertised: 8, allocatable: 7 },
    ],
    [
      "whole GPUs beside MIG devices",
      {
        capacity: { "nvidia.com/gpu": 4, "nvidia.com/mig-1g.10gb": 28 },
        allocatable: { "nvidia.com/gpu": 4, "nvidia.com/mig-1g.10gb": 28 },
      },
      undefined,
      { physical: 8, physicalFrom: "capacity", advertised: 8, allocatable: 8 },
    ],
    [
      "an accelerator of a configured name",
      { gpus: 2, gpuResource: "example.com/npu" },
      undefined,
      {
        physical: 2,
        physicalFrom: "capacity",
        advertised: 2,
        allocatable: 2,
      },
    ],
    [
      "shares of cards that only their plugin has registered",
      { gpus: 80, registeredGpus: 8 },
      undefined,
      {
        physical: 8,
        physicalFrom: "annotation",
        advertised: 8,
        allocatable: 8,
      },
    ],
    [
      "what a plugin has left behind, beside whole cards",
      { gpus: 8, registeredGpus: 8 },
      undefined,
      { physical: 8, physicalFrom: "capacity", advertised: 8, allocatable: 8 },
    ],
    [
      "no status at all",
      { capacity: undefined, allocatable: undefined },
      undefined,
      {
        physical: 0,
        physicalFrom: "none",
        advertised: 0,
        allocatable: 0,
      },
    ],
    [
      "allocatable above capacity is not believed",
      {
        capacity: { "nvidia.com/gpu": 2 },
        allocatable: { "nvidia.com/gpu": 8 },
      },
      undefined,
      { physical: 2, physicalFrom: "capacity", advertised: 2, allocatable: 2 },
    ],
  ];
  it.each(cases)("%s", (_, node, perInstance, expected) => {
    expect(countNodeGpus(aNode(node), {}, perInstance, ["example.com/npu"])).toMatchObject(expected);
  });
});
