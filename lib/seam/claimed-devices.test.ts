import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fleet } from "../layers/fleet.ts";
import { NO_FACTS } from "../model/facts/facts.ts";
import type { NodeRecord, PodRecord } from "../model/kubernetes.ts";
import { aNode, aPod } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { aClaim, aDevice, aDeviceClass, aSlice } from "../testing/scheduling-facts.ts";
import { classifyPool } from "./classify.ts";

const known = <T>(items: readonly T[]) => ({ known: true, items });

function fleetOf(
  nodes: readonly NodeRecord[],
  pods: readonly PodRecord[],
  slices: ReturnType<typeof aSlice>[],
  claims: ReturnType<typeof aClaim>[],
  extendedResourceName?: string,
): Fleet {
  return aFleet({
    nodes,
    pods,
    facts: {
      ...NO_FACTS,
      resourceSlices: known(slices),
      resourceClaims: known(claims),
      deviceClasses: known([
        aDeviceClass({ extendedResourceName }),
        aDeviceClass({
          name: "mig.nvidia.com",
          selectors: [
            "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'",
          ],
        }),
      ]),
    },
  });
}

/** A pod with a claim by each of these names. */
const claiming = (names: readonly string[], rest: Parameters<typeof aPod>[0] = {}) =>
  aPod({
    gpus: 0,
    resourceClaims: names.map((name) => ({ name, claimName: name, templateName: undefined })),
    ...rest,
  });

const countsOf = (fleet: Fleet, node: string) => {
  const gpus = fleet.nodes.get(node)?.gpus;
  return [gpus?.physical, gpus?.advertised, gpus?.allocatable, gpus?.requested];
};

const part = (name: string, parent: string) =>
  aDevice({ name, attributes: { type: "mig", uuid: `MIG-${name}`, parentUUID: parent } });

describe("devices that pods get by claims", () => {
  test("are a node's GPUs, and those of its pods", () => {
    const fleet = fleetOf(
      [aNode({ name: "a", gpus: 0 })],
      [claiming(["one"], { name: "holder", nodeName: "a" }), claiming(["two"], { name: "waits" })],
      [aSlice("a")],
      [aClaim({ name: "one", count: 2, devices: ["a/gpu-0", "a/gpu-1"] }), aClaim({ name: "two", count: 4 })],
    );
    expect(countsOf(fleet, "a")).toEqual([8, 8, 8, 2]);
    expect(fleet.gpuPods.map(({ name, requests }) => [name, requests["nvidia.com/gpu.dra"]])).toEqual([
      ["holder", 2],
      ["waits", 4],
    ]);
  });

  test("stay held as wholes where others wait to share them", () => {
    const claims = ["one", "two"];
    const fleet = fleetOf(
      [aNode({ name: "a", gpus: 0 })],
      claims.flatMap((name) => [
        claiming([name], { name: `holds-${name}`, nodeName: "a" }),
        claiming([name], { name: `waits-${name}` }),
      ]),
      [aSlice("a")],
      claims.map((name, index) => aClaim({ name, devices: [`a/gpu-${index}`] })),
    );
    expect(countsOf(fleet, "a")).toEqual([8, 8, 8, 2]);
    expect(fleet.gpuPods).toHaveLength(4);
  });

  test("count once where a device plugin advertises them as well", () => {
    const fleet = fleetOf(
      [aNode({ name: "a", gpus: 8 })],
      [claiming(["one"], { nodeName: "a" }), aPod({ gpus: 3, nodeName: "a" })],
      [aSlice("a")],
      [aClaim({ name: "one", devices: ["a/gpu-0"] })],
    );
    expect(countsOf(fleet, "a")).toEqual([8, 8, 8, 4]);
  });

  test("are the same ones under the name by which a class offers them to requests", () => {
    const fleet = fleetOf(
      [aNode({ name: "a", gpus: 0 })],
      [claiming(["one"], { nodeName: "a" }), aPod({ gpus: 3, nodeName: "a" })],
      [aSlice("a")],
      [aClaim({ name: "one", devices: ["a/gpu-0"] })],
      "nvidia.com/gpu",
    );
    expect(countsOf(fleet, "a")).toEqual([8, 8, 8, 4]);
    const free = fleet.nodes.get("a")?.free;
    expect([free?.["nvidia.com/gpu"], free?.["nvidia.com/gpu.dra"]]).toEqual([4, 4]);
  });

  test("of parts are devices held once by all that hold a part", () => {
    const fleet = fleetOf(
      [aNode({ name: "a", gpus: 0 })],
      ["one", "two", "three"].map((name) => claiming([name], { name, nodeName: "a" })),
      [
        aSlice("a", {
          devices: [aDevice({ name: "gpu-0" }), ...[1, 2, 3].map((index) => part(`mig-${index}`, "GPU-x"))],
        }),
      ],
      ["one", "two", "three"].map((name, index) => aClaim({ name, devices: [`a/mig-${index + 1}`] })),
    );
    expect(countsOf(fleet, "a")).toEqual([2, 2, 2, 1]);
    expect(fleet.gpuPods).toHaveLength(3);
    expect(fleet.nodes.get("a")?.free["nvidia.com/gpu.dra"]).toBe(1);
  });

  test.each([
    ["consume the same counters", { counterSets: ["gpu-0"] }, 1],
    ["sit on one PCI address", { attributes: { "resource.kubernetes.io/pciBusID": "0000:01:00.0" } }, 1],
    ["have nothing in common", {}, 2],
  ])("that %s are %j", (_, traits, physical) => {
    const devices = ["full", "half"].map((name) => aDevice({ name, attributes: {}, ...traits }));
    const fleet = fleetOf([aNode({ name: "a", gpus: 0 })], [], [aSlice("a", { devices })], []);
    expect(countsOf(fleet, "a")[0]).toBe(physical);
  });

  test("of an older generation of the pool are gone", () => {
    const pool = { name: "a", sliceCount: 1 };
    const slices = [
      aSlice("a", { gpus: 8, pool: { ...pool, generation: 1 } }),
      aSlice("a", { gpus: 6, pool: { ...pool, generation: 2 } }),
    ];
    expect(countsOf(fleetOf([aNode({ name: "a", gpus: 0 })], [], slices, []), "a")).toEqual([6, 6, 6, 0]);
  });

  test.each([
    [
      "a tainted device",
      { devices: [aDevice({ taint: "gpu.example.com/unhealthy" }), aDevice()] },
      [2, 2, 1, 0],
    ],
    [
      "a pool with a slice missing",
      { gpus: 2, pool: { name: "a", generation: 1, sliceCount: 2 } },
      [2, 2, 0, 0],
    ],
    ["a driver of no accelerators", { driver: "fabric.example.com" }, [0, 0, 0, 0]],
  ])("%s is not allocatable", (_, slice, counts) => {
    const fleet = fleetOf([aNode({ name: "a", gpus: 0 })], [], [aSlice("a", slice)], []);
    expect(countsOf(fleet, "a")).toEqual(counts);
  });

  test("are not taken by a claim with admin access", () => {
    const watched = aClaim({
      name: "one",
      allocation: [{ driver: "gpu.nvidia.com", pool: "a", device: "gpu-0", adminAccess: true }],
      requests: [
        {
          name: "all",
          alternatives: [
            { deviceClassName: "gpu.nvidia.com", count: undefined, selectors: [], adminAccess: true },
          ],
        },
      ],
    });
    const fleet = fleetOf(
      [aNode({ name: "a", gpus: 0 })],
      [claiming(["one"], { nodeName: "a" })],
      [aSlice("a")],
      [watched],
    );
    expect(countsOf(fleet, "a")).toEqual([8, 8, 8, 0]);
    expect(fleet.gpuPods).toEqual([]);
  });

  test("are asked for by the template while no claim was made from it", () => {
    const pod = aPod({
      gpus: 0,
      resourceClaims: [{ name: "gpu", claimName: undefined, templateName: "two-gpus" }],
    });
    const template = aClaim({ kind: "ResourceClaimTemplate", name: "two-gpus", count: 2 });
    const fleet = fleetOf([aNode({ gpus: 0 })], [pod], [], [template]);
    expect(fleet.gpuPods.map(({ requests }) => requests["nvidia.com/gpu.dra"])).toEqual([2]);
  });
});

test("the ledger adds up whatever is offered and claimed", () => {
  const device = fc.record({ isPart: fc.boolean(), parent: fc.nat(3), isTainted: fc.boolean() });
  const cluster = fc.record({
    plugin: fc.constantFrom(0, 4, 8),
    devices: fc.array(device, { maxLength: 12 }),
    claims: fc.array(fc.array(fc.nat(14), { maxLength: 3 }), { maxLength: 8 }),
    asked: fc.nat(9),
    isExtended: fc.boolean(),
  });
  fc.assert(
    fc.property(cluster, ({ plugin, devices, claims, asked, isExtended }) => {
      const slice = aSlice("a", {
        devices: devices.map(({ isPart, parent, isTainted }, index) => ({
          ...(isPart ? part(`d-${index}`, `GPU-${parent}`) : aDevice({ name: `d-${index}` })),
          taint: isTainted ? "sick" : undefined,
        })),
      });
      const fleet = fleetOf(
        [aNode({ name: "a", gpus: plugin })],
        [
          ...claims.map((_, index) => claiming([`c-${index}`], { nodeName: "a" })),
          ...(asked > 0 ? [aPod({ gpus: asked, nodeName: "a" })] : []),
        ],
        [slice],
        claims.map((held, index) => aClaim({ name: `c-${index}`, devices: held.map((one) => `a/d-${one}`) })),
        isExtended ? "nvidia.com/gpu" : undefined,
      );
      const [physical = 0, advertised = 0, allocatable = 0, requested = 0] = countsOf(fleet, "a");
      expect(physical).toBeGreaterThanOrEqual(advertised);
      expect(advertised).toBeGreaterThanOrEqual(allocatable);
      expect(allocatable).toBeGreaterThanOrEqual(requested);
      const entries = fleet.pools.flatMap((pool) =>
        classifyPool(pool, fleet).flatMap((member) => member.entries),
      );
      expect(entries.reduce((sum, entry) => sum + entry.gpus, 0)).toBe(physical);
    }),
  );
});
