import { describe, expect, test } from "vitest";
import { NO_FACTS } from "../../model/facts/facts.ts";
import { aNode, anEvent, aPod, NOW } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { aClaim, aDevice, aDeviceClass, aSlice, refusedWith } from "../../testing/scheduling-facts.ts";
import { diagnose } from "../diagnose.ts";

const known = <T>(items: readonly T[]) => ({ known: true, items });
const REFUSED =
  "0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.";
const FABRIC = aDeviceClass({ name: "fabric", selectors: ["device.driver == 'fabric.example.com'"] });

/** Pod `waits` claims by `mine`, pod `holder` on node a has `theirs`; nodes a and b have two GPUs each. */
function verdict(
  mine: ReturnType<typeof aClaim>[],
  rest: {
    theirs?: readonly string[];
    slices?: ReturnType<typeof aSlice>[];
    pod?: Parameters<typeof aPod>[0];
    message?: string;
    parts?: Partial<Parameters<typeof aFleet>[0]>;
  } = {},
) {
  const { theirs = [], slices = [], pod = {}, message = REFUSED, parts = {} } = rest;
  const claims = [...mine, aClaim({ name: "held", count: theirs.length, devices: theirs })];
  const fleet = aFleet({
    nodes: ["a", "b"].map((name) => aNode({ name, gpus: 0 })),
    pods: [
      aPod({
        name: "holder",
        nodeName: "a",
        gpus: 0,
        resourceClaims: [{ name: "gpu", claimName: "held", templateName: undefined }],
      }),
      aPod({
        name: "waits",
        gpus: 0,
        resourceClaims: mine.map(({ name }) => ({ name, claimName: name, templateName: undefined })),
        ...refusedWith(message),
        ...pod,
      }),
    ],
    facts: {
      ...NO_FACTS,
      resourceClaims: known(claims),
      resourceSlices: known([aSlice("a", { gpus: 2 }), aSlice("b", { gpus: 2 }), ...slices]),
      deviceClasses: known([aDeviceClass(), FABRIC]),
    },
    ...parts,
  });
  return diagnose(fleet, NOW).find((one) => one.name === "waits");
}

const wish = (selectors: readonly string[], count = 1) => [
  {
    name: "gpu",
    alternatives: [{ deviceClassName: "gpu.nvidia.com", count, selectors, adminAccess: false }],
  },
];

describe("a pod that gets its GPUs by a claim", () => {
  test("waits for devices that are taken, and names who holds them", () => {
    const parts = { nodes: [aNode({ name: "a", gpus: 0 })] };
    const found = verdict([aClaim({ name: "gpu", count: 2 })], { theirs: ["a/gpu-0"], parts });
    expect(found).toMatchObject({ reason: "DeviceClaimUnallocated", layer: "L3", gpus: 2, isBlurred: true });
    expect(found?.sentence).toMatch(/needs 2 GPUs: only 1 of 2 GPUs on a, the only node that fits, is free/);
    expect(found?.holders).toMatchObject([{ name: "holder", node: "a", gpus: 1 }]);
  });

  test("is refused with devices free", () => {
    const message = 'running Reserve plugin "DynamicResources": unexpected allocation';
    const found = verdict([aClaim({ name: "gpu" })], { message });
    expect(found).toMatchObject({ reason: "DeviceClaimUnallocated", certainty: "high", isBlurred: true });
    expect(found?.sentence).toContain("though devices are free");
    expect(found?.sentence).toContain("unexpected allocation");
  });

  test.each([
    ["a product that no device is", ["device.attributes['gpu.nvidia.com'].productName == 'NVIDIA H200'"]],
    [
      "more memory than any has",
      ["device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('141Gi')) >= 0"],
    ],
  ])("can never have %s", (_, selectors) => {
    const found = verdict([aClaim({ name: "gpu", requests: wish(selectors) })]);
    expect(found).toMatchObject({ reason: "RequestNeverFits", layer: "L4", isBlurred: true });
  });

  test("can never have more than any node has", () => {
    expect(verdict([aClaim({ name: "gpu", count: 4 })])?.reason).toBe("RequestNeverFits");
  });

  test("is not told apart by selectors that are not understood", () => {
    const selectors = ["device.attributes['gpu.nvidia.com'].productName.matches('H200')"];
    expect(verdict([aClaim({ name: "gpu", requests: wish(selectors) })])?.reason).toBe(
      "DeviceClaimUnallocated",
    );
  });

  test("asks for a class that does not exist", () => {
    const found = verdict([aClaim({ name: "gpu", deviceClassName: "gpu.nvidia.com" })], {
      parts: {
        facts: {
          ...NO_FACTS,
          resourceClaims: known([aClaim({ name: "gpu" })]),
          resourceSlices: known([aSlice("a")]),
        },
      },
    });
    expect(found?.reason).toBe("DeviceClaimUnallocated");
    expect(found?.sentence).toContain("gpu.nvidia.com, which does not exist");
  });

  test("asks for a class of another vendor that does not exist", () => {
    const found = verdict([aClaim({ name: "gpu", deviceClassName: "gpu.example.com" })]);
    expect(found).toMatchObject({ reason: "DeviceClaimUnallocated", certainty: "high" });
    expect(found?.sentence).toContain("there is no such class, only gpu.nvidia.com and fabric");
  });

  test.each([
    [
      "a NotReady node is the platform's",
      { nodes: [aNode({ name: "a", gpus: 0, conditions: [] })] },
      "NodeNotReady",
    ],
    ["a cordoned node too", { nodes: [aNode({ name: "a", gpus: 0, unschedulable: true })] }, "NodeCordoned"],
  ])("%s", (_, parts, reason) => {
    expect(verdict([aClaim({ name: "gpu" })], { parts })).toMatchObject({ reason, isBlurred: true });
  });
});

describe("a pod with another claim beside its GPUs", () => {
  const segment = aClaim({ name: "segment", deviceClassName: "fabric" });
  const fabric = {
    pod: { gpus: 1 },
    parts: { nodes: [aNode({ name: "a" })] },
    slices: [
      aSlice("a", {
        driver: "fabric.example.com",
        nodeName: undefined,
        pool: { name: "fabric", generation: 1, sliceCount: 1 },
        devices: [aDevice({ name: "segment-0" })],
      }),
    ],
  };

  test("waits for the other device where that is taken", () => {
    const other = aClaim({
      name: "other",
      allocation: [{ driver: "fabric.example.com", pool: "fabric", device: "segment-0", adminAccess: false }],
    });
    const found = verdict([segment, other], {
      ...fabric,
      message: "0/1 nodes are available: 1 cannot allocate all claims.",
    });
    expect(found).toMatchObject({ reason: "DeviceClaimUnallocated", layer: "L3" });
    expect(found?.sentence).toContain("0 of the 1 device that fit are free");
  });

  test.each([
    ["whose claim does not exist", "x", undefined, [], /its claim x does not exist/],
    [
      "for which none was made from the template",
      undefined,
      "t",
      [],
      /no claim was made from its template t/,
    ],
    [
      "for which none could be made",
      undefined,
      "t",
      [
        anEvent({
          about: { kind: "Pod", namespace: "ml", name: "waits", uid: "" },
          reason: "FailedResourceClaimCreation",
          message: 'PodResourceClaim fabric: resourceclaimtemplate "t" not found',
          component: "resource_claim",
        }),
      ],
      /resourceclaimtemplate "t" not found/,
    ],
  ])("%s", (_, claimName, templateName, events, sentence) => {
    const found = verdict([], {
      pod: { gpus: 1, resourceClaims: [{ name: "fabric", claimName, templateName }] },
      parts: { nodes: [aNode({ name: "a" })], events },
      message: "waiting for dynamic resource controller to create the resourceclaim",
    });
    expect(found).toMatchObject({ reason: "DeviceClaimUnallocated", layer: "L3", isBlurred: true });
    expect(found?.sentence).toMatch(sentence);
  });

  test.each([
    ["of the only drivers, which offer GPUs", [], true, "DeviceClaimUnallocated"],
    [
      "of some driver, one of which offers other devices",
      [{ ...aSlice("a", { gpus: 0 }), driver: "nic.example.com", devices: [aDevice({ name: "nic-0" })] }],
      true,
      undefined,
    ],
    ["where claims are not read", [], false, undefined],
  ])("waits for a claim that does not exist, %s", (_, slices, isKnown, reason) => {
    const found = verdict([], {
      pod: { resourceClaims: [{ name: "gpu", claimName: undefined, templateName: "gone" }] },
      parts: {
        facts: {
          ...NO_FACTS,
          resourceClaims: { known: isKnown, items: [] },
          resourceSlices: known([aSlice("a", { gpus: 2 }), ...slices]),
          deviceClasses: known([aDeviceClass()]),
        },
      },
    });
    expect(found?.reason).toBe(reason);
  });

  const nodes = (overrides: Parameters<typeof aNode>[0] = {}) =>
    ["a", "b"].map((name) =>
      aNode({
        name,
        gpus: 0,
        labels: { "kubernetes.io/hostname": name },
        ...(name === "a" ? overrides : {}),
      }),
    );
  const shared = { name: "shared", claimName: "held", templateName: undefined };

  test.each([
    ["has room", nodes(), {}, "SchedulerDelay", /fits on a now/],
    ["lacks CPU", nodes(), { cpu: 65_000 }, "RequestNeverFits", /a has at most/],
    ["has no CPU left", nodes(), { cpu: 64_000 }, "OtherResourcesExhausted", / a\b/],
    ["is cordoned", nodes({ unschedulable: true }), {}, "NodeCordoned", /\ba\b/],
  ])("shares a device of another's claim, whose node %s", (_, parts, requests, reason, sentence) => {
    const found = verdict([], {
      theirs: ["a/gpu-0"],
      pod: { resourceClaims: [shared], requests: { pods: 1, ...requests } },
      parts: { nodes: parts },
    });
    expect(found?.reason).toBe(reason);
    expect(found?.sentence).toMatch(sentence);
  });

  test("asks for a device of its own beside the shared one", () => {
    const own = aClaim({ name: "own" });
    const rest = { theirs: ["a/gpu-0"], parts: { nodes: nodes() } };
    const pod = {
      resourceClaims: [shared, { name: "own", claimName: "own", templateName: undefined }],
    };
    expect(verdict([own], { ...rest, pod })?.sentence).toMatch(/would fit on a, but its claim own/);
  });
});
