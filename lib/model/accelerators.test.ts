import { describe, expect, it } from "vitest";
import { acceleratorUnit, claimedResource, isSharePart } from "./accelerators.ts";

describe("a resource name", () => {
  it.each([
    ["nvidia.com/gpu", "device"],
    ["amd.com/gpu", "device"],
    ["nvidia.com/gtx-1080-ti", "device"],
    ["nvidia.com/a100", "device"],
    ["nvidia.com/rtxa6000", "device"],
    ["nvidia.com/gh200", "device"],
    ["nvidia.com/l40s", "device"],
    ["nvidia.com/tesla-t4", "device"],
    ["nvidia.com/a100.shared", "replica"],
    ["nvidia.com/gpu.shared", "replica"],
    ["nvidia.com/mig-1g.10gb", "mig"],
    ["huawei.com/Ascend910B3", "device"],
    ["cambricon.com/mlu370", "device"],
    ["hygon.com/dcunum", "device"],
    ["metax-tech.com/gpu", "device"],
    ["nvidia.com/pgpu", "device"],
    ["nvidia.com/GA102GL_A10", "device"],
    ["volcano.sh/vgpu-number", "replica"],
    ["amd.com/cpx_nps4", "replica"],
    ["nvidia.com/gpu-10gb", "replica"],
    ["requests.nvidia.com/gpu", undefined],
    ["aliyun.com/gpu-mem", "measure"],
    ["huawei.com/Ascend910-memory", undefined],
    ["nvidia.com/hostdev", undefined],
    ["nvidia.com/sriov-rdma", undefined],
    ["nvidia.com/mlnxnics", undefined],
    ["nvidia.com/gpumem", undefined],
    ["nvidia.com/gpucores", undefined],
    ["example.com/a100", undefined],
  ])("%s is a %s", (resource, kind) => {
    expect(acceleratorUnit(resource)?.kind).toBe(kind);
  });

  it.each([
    ["gpu.nvidia.com", "nvidia.com/gpu.dra"],
    ["hami-core-gpu.project-hami.io", "project-hami.io/gpu.dra"],
    ["fabric.example.com", undefined],
  ])("the devices of driver %s count as %s", (driver, resource) => {
    expect(claimedResource(driver)).toBe(resource);
  });

  it.each([
    ["nvidia.com/gpumem", true],
    ["nvidia.com/gpumem-percentage", true],
    ["nvidia.com/gpucores", true],
    ["volcano.sh/vgpu-memory", true],
    ["hygon.com/dcumem", true],
    ["nvidia.com/priority", true],
    ["nvidia.com/gpu", false],
    ["memory", false],
    ["rdma/ib", false],
  ])("%s describes a part of a device: %s", (resource, expected) => {
    expect(isSharePart(resource)).toBe(expected);
  });
});
