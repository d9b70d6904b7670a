import { describe, expect, test } from "vitest";
import { factsOf } from "../../../testing/facts-of.ts";

const VERSIONS = ["resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1"];
const isOldest = (apiVersion: string) => apiVersion.endsWith("v1beta1");

describe.each(VERSIONS)("%s", (apiVersion) => {
  test("what a slice offers", () => {
    const rest = {
      attributes: {
        "gpu.nvidia.com/type": { string: "gpu" },
        index: { int: 0 },
        "resource.kubernetes.io/pciBusID": { string: "0000:01:00.0" },
      },
      capacity: { memory: { value: "80Gi" } },
      consumesCounters: [{ counterSet: "gpu-0-counters", counters: {} }],
      taints: [
        { key: "soft", effect: "None" },
        { key: "sick", effect: "NoExecute" },
      ],
    };
    const slice = {
      apiVersion,
      kind: "ResourceSlice",
      metadata: { name: "s" },
      spec: {
        driver: "gpu.nvidia.com",
        nodeName: "a",
        pool: { name: "a", generation: 3, resourceSliceCount: 2 },
        devices: [isOldest(apiVersion) ? { name: "gpu-0", basic: rest } : { name: "gpu-0", ...rest }],
      },
    };
    expect(factsOf([slice]).resourceSlices.items[0]).toMatchObject({
      driver: "gpu.nvidia.com",
      nodeName: "a",
      pool: { name: "a", generation: 3, sliceCount: 2 },
      devices: [
        {
          name: "gpu-0",
          attributes: { type: "gpu", index: "0", "resource.kubernetes.io/pciBusID": "0000:01:00.0" },
          capacity: { memory: 80 * 2 ** 30 },
          counterSets: ["gpu-0-counters"],
          taint: "sick",
        },
      ],
    });
  });

  test("what a claim asks for and was given", () => {
    const one = { deviceClassName: "gpu.nvidia.com", count: 2, selectors: [{ cel: { expression: "true" } }] };
    const claim = {
      apiVersion,
      kind: "ResourceClaim",
      metadata: { name: "c", namespace: "ml" },
      spec: {
        devices: {
          requests: [
            isOldest(apiVersion) ? { name: "gpu", ...one } : { name: "gpu", exactly: one },
            {
              name: "any",
              firstAvailable: [
                { name: "big", deviceClassName: "big" },
                { name: "all", deviceClassName: "mig", allocationMode: "All" },
              ],
            },
          ],
        },
      },
      status: {
        allocation: {
          devices: {
            results: [
              { request: "gpu", driver: "gpu.nvidia.com", pool: "a", device: "gpu-0", adminAccess: true },
            ],
          },
        },
      },
    };
    const wish = { selectors: [], adminAccess: false };
    expect(factsOf([claim]).resourceClaims.items[0]).toMatchObject({
      requests: [
        {
          name: "gpu",
          alternatives: [
            { deviceClassName: "gpu.nvidia.com", count: 2, selectors: ["true"], adminAccess: false },
          ],
        },
        {
          name: "any",
          alternatives: [
            { ...wish, deviceClassName: "big", count: 1 },
            { ...wish, deviceClassName: "mig", count: undefined },
          ],
        },
      ],
      allocation: [{ driver: "gpu.nvidia.com", pool: "a", device: "gpu-0", adminAccess: true }],
    });
  });

  test("what pods have their claims made from, and classes", () => {
    const template = {
      apiVersion,
      kind: "ResourceClaimTemplate",
      metadata: { name: "t" },
      spec: { spec: { devices: { requests: [{ name: "gpu" }] } } },
    };
    const deviceClass = {
      apiVersion,
      kind: "DeviceClass",
      metadata: { name: "d" },
      spec: {
        selectors: [{ cel: { expression: "device.driver == 'x'" } }],
        extendedResourceName: "nvidia.com/gpu",
      },
    };
    const facts = factsOf([template, deviceClass]);
    expect(facts.resourceClaims.items[0]).toMatchObject({
      kind: "ResourceClaimTemplate",
      requests: [{ name: "gpu" }],
      allocation: undefined,
    });
    expect(facts.deviceClasses.items[0]).toMatchObject({
      selectors: ["device.driver == 'x'"],
      extendedResourceName: "nvidia.com/gpu",
    });
  });
});

test.each(["ResourceSlice", "ResourceClaim", "DeviceClass"])("a %s of no shape at all", (kind) => {
  const broken = { apiVersion: "resource.k8s.io/v1", kind, spec: "x", status: [] };
  const facts = factsOf([broken]);
  const found = [...facts.resourceSlices.items, ...facts.resourceClaims.items, ...facts.deviceClasses.items];
  expect(found.map(({ problems }) => problems.length > 0)).toEqual([true]);
});
