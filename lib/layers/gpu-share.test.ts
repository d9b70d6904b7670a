import { describe, expect, it } from "vitest";
import { aNode, aPod, aSnapshot, NOW } from "../testing/builders.ts";
import { buildFleet } from "./build-fleet.ts";
import { gpuShareOf, isGpuReservation } from "./gpu-share.ts";
import { gpusAsked } from "./gpus-asked.ts";

const share = (annotations: Record<string, string>, labels: Record<string, string> = {}) =>
  aPod({ gpus: 0, annotations, labels });

describe("a share of a GPU", () => {
  it.each([
    ["a half", { "gpu-fraction": "0.5" }, { devices: 1, fraction: 0.5, memory: undefined, groups: [] }, 1],
    ["memory", { "gpu-memory": "2000" }, { devices: 1, fraction: undefined, memory: 2000, groups: [] }, 1],
    [
      "of two devices",
      { "gpu-fraction": "0.5", "gpu-fraction-num-devices": "2" },
      { devices: 2, fraction: 0.5, memory: undefined, groups: [] },
      2,
    ],
    ["a whole one is no share", { "gpu-fraction": "1" }, undefined, 0],
    ["nothing that can be read", { "gpu-fraction": "a lot" }, undefined, 0],
    ["none", { "gpu-fraction": "0", "gpu-memory": "-5" }, undefined, 0],
  ])("%s", (_, annotations, expected, devices) => {
    expect(gpuShareOf(share(annotations))).toEqual(expected);
    expect(gpusAsked(share(annotations), [])).toBe(devices);
  });

  it("lies on the devices that its labels name", () => {
    const labels = { "runai-gpu-group": "g1", "runai-gpu-group/g1": "g1", "runai-gpu-group/g2": "g2" };
    expect(gpuShareOf(share({ "gpu-fraction": "0.2" }, labels))?.groups).toEqual(["g1", "g2"]);
  });

  it("counts by its request where it makes one", () => {
    expect(gpusAsked(aPod({ gpus: 2, annotations: { "gpu-fraction": "0.5" } }), [])).toBe(2);
  });

  it.each([
    ["KAI", { namespace: "kai-resource-reservation" }],
    ["Run:ai", { namespace: "runai-reservation" }],
    ["by annotation", { annotations: { "run.ai/reserve_for_gpu_index": "GPU-1" } }],
  ])("is held by a pod that is nobody's workload: %s", (_, overrides) => {
    expect(isGpuReservation(aPod(overrides))).toBe(true);
    expect(isGpuReservation(aPod())).toBe(false);
  });

  it("makes its pods GPU pods, and the node counts each shared device once", () => {
    const pods = [
      aPod({ name: "reserves", namespace: "kai-resource-reservation", gpus: 1, nodeName: "a" }),
      ...["x", "y"].map((name) =>
        aPod({ name, gpus: 0, nodeName: "a", annotations: { "gpu-fraction": "0.5" } }),
      ),
      aPod({ name: "plain", gpus: 0, nodeName: "a" }),
    ];
    const fleet = buildFleet(aSnapshot({ nodes: [aNode({ name: "a" })], pods }), NOW);
    expect(fleet.gpuPods.map(({ name }) => name)).toEqual(["x", "y"]);
    expect(fleet.nodes.get("a")?.gpus).toMatchObject({ allocatable: 8, requested: 1 });
  });
});
