import { writeFile } from "node:fs/promises";
import type { FleetView } from "../../lib/model/fleet-view.ts";
import { readView } from "../support/seamline.ts";
import { twoSlots } from "../support/two-slots.ts";
import { expect, test } from "./cluster-test.ts";
import { expectVerdict, stuckIn } from "./expect-verdict.ts";
import { ledgerGaps } from "./kind/ledger-gaps.ts";
import { LAYERS } from "./layers-cluster.ts";
import { expectServed } from "./served-sources.ts";

// Devices that pods get by claims (resource.k8s.io): the API server's own kinds and the real scheduler; the slices are
// written as the GPU driver writes them.

const DRIVER = "gpu.nvidia.com";
const GPUS = 2;

test("GPUs come from slices, and a claim waits while others have them", async ({
  newCluster,
  start,
  overview,
}, testInfo) => {
  const cluster = await newCluster("layers", LAYERS);
  const apply = async (object: unknown) =>
    await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(object));
  const SEAMLINE_RESERVATIONS = testInfo.outputPath("reservations.json");
  await writeFile(SEAMLINE_RESERVATIONS, JSON.stringify(twoSlots("gpu-reserved", GPUS)));
  const seamline = await start({
    KUBECONFIG: await cluster.kubeconfigFor("seamline"),
    SEAMLINE_RESERVATIONS,
  });
  const view = async () => await readView<FleetView>(seamline);
  /** GPUs paid, schedulable, in the seam and at work. */
  const figures = async () => {
    const { paid, schedulable, seam, working } = (await view()).totals;
    return [paid, schedulable, seam, working].map(({ gpus }) => gpus);
  };

  await test.step("its kinds are followed in v1", async () => {
    const kinds = ["deviceclasses", "resourceslices", "resourceclaims", "resourceclaimtemplates"];
    const versions = kinds.map((kind) => [`${kind}.resource.k8s.io`, "v1"]);
    await expectServed(cluster, view, Object.fromEntries(versions));
    await expect.poll(figures).toEqual([2 * GPUS, 0, 2 * GPUS, 0]);
  });

  await test.step("the driver offers them: parts of a GPU and what it offered before count once", async () => {
    for (const object of [CLASS, ...TEMPLATES]) await apply(object);
    for (const node of ["layers-worker", "layers-worker2"])
      for (const generation of [1, 2]) await apply(slice(node, generation));
    await expect.poll(figures).toEqual([2 * GPUS, 2 * GPUS, 0, 0]);
    expect(ledgerGaps(await view())).toEqual([]);
  });

  await test.step("the scheduler gives them to the first pods", async () => {
    await apply(pod("trainer-a", "both"));
    await apply(pod("trainer-b", "both"));
    await expect.poll(figures).toEqual([2 * GPUS, 2 * GPUS, 0, 2 * GPUS]);
    const { counts, stuck, issues } = await view();
    expect(counts.gpuPods).toBe(2);
    expect([stuck, issues]).toEqual([[], []]);
    expect(ledgerGaps(await view())).toEqual([]);
  });

  await test.step("the next one's claim is not allocated", async () => {
    await apply(pod("trainer-c", "one"));
    await expectVerdict(seamline, overview, "default/trainer-c", {
      reason: "DeviceClaimUnallocated",
      certainty: "high",
      sentence: /trainer-c needs 1 GPU/,
      evidence: [/cannot allocate all claims/],
      ladder: {
        L1: ["ok", /lab active, 2 slots, 2 launched/],
        L2: ["ok", /2 nodes could run it/],
        L3: ["broken", /0 of 4/],
        L4: ["not-reached", /not reached/],
      },
    });
    await expect(overview.drawer).toContainText("the border between L2 and L3 is blurred here");
    const told = await stuckIn(seamline, "default", "trainer-c");
    expect(told).toMatchObject({ isBlurred: true, layer: "L3", gpus: 1 });
    expect(told?.holders.map(({ name, gpus }) => [name, gpus]).sort()).toEqual([
      ["trainer-a", GPUS],
      ["trainer-b", GPUS],
    ]);
    expect(await figures()).toEqual([2 * GPUS, 2 * GPUS, 0, 2 * GPUS]);
  });

  await test.step("a pod goes, its claim with it, and the next one runs", async () => {
    await cluster.kubectl(["delete", "pod", "trainer-a", "--wait=false"]);
    await expect.poll(figures).toEqual([2 * GPUS, 2 * GPUS, 0, GPUS + 1]);
    await expect(overview.stuckPod("default/trainer-c")).toHaveCount(0);
    expect((await view()).issues).toEqual([]);
    expect(ledgerGaps(await view())).toEqual([]);
  });
});

const resource = "resource.k8s.io/v1";
const CLASS = {
  apiVersion: resource,
  kind: "DeviceClass",
  metadata: { name: DRIVER },
  spec: {
    selectors: [
      {
        cel: { expression: `device.driver == '${DRIVER}' && device.attributes['${DRIVER}'].type == 'gpu'` },
      },
    ],
  },
};
const TEMPLATES = [
  { name: "one", count: 1 },
  { name: "both", count: GPUS },
].map(({ name, count }) => ({
  apiVersion: resource,
  kind: "ResourceClaimTemplate",
  metadata: { name, namespace: "default" },
  spec: { spec: { devices: { requests: [{ name: "gpu", exactly: { deviceClassName: DRIVER, count } }] } } },
}));

/** A node's GPUs, the first one with a part of it, as the driver has published them for the `generation`th time. */
function slice(nodeName: string, generation: number) {
  const uuid = (index: number) => `GPU-${nodeName}-${index}`;
  const gpus = Array.from({ length: GPUS }, (_, index) => ({
    name: `gpu-${index}`,
    attributes: {
      type: { string: "gpu" },
      uuid: { string: uuid(index) },
      productName: { string: "NVIDIA H100 80GB HBM3" },
    },
    capacity: { memory: { value: "80Gi" } },
  }));
  const part = {
    name: "gpu-0-mig-1g10gb",
    attributes: {
      type: { string: "mig" },
      uuid: { string: `MIG-${nodeName}` },
      parentUUID: { string: uuid(0) },
    },
    capacity: { memory: { value: "10Gi" } },
  };
  return {
    apiVersion: resource,
    kind: "ResourceSlice",
    metadata: { name: `${nodeName}-${generation}` },
    spec: {
      driver: DRIVER,
      nodeName,
      pool: { name: nodeName, generation, resourceSliceCount: 1 },
      devices: [...gpus, part],
    },
  };
}

/** A pod with a claim of its own from that template. */
function pod(name: string, resourceClaimTemplateName: string) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 1,
      resourceClaims: [{ name: "gpu", resourceClaimTemplateName }],
      containers: [{ name: "main", image: "busybox:1", resources: { claims: [{ name: "gpu" }] } }],
    },
  };
}
