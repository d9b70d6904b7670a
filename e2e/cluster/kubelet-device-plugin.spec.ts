import { writeFile } from "node:fs/promises";
import type { FleetView, StuckView } from "../../lib/model/fleet-view.ts";
import type { Stage } from "../../lib/model/stages.ts";
import { readView } from "../support/seamline.ts";
import { expect, test } from "./cluster-test.ts";
import {
  DEVICE_PLUGIN_NODES,
  DEVICE_PLUGIN_RESERVATIONS,
  DEVICES,
  devicePlugin,
  RESOURCE,
  trainer,
} from "./kind/device-plugin-cluster.ts";
import { loadDevicePlugin } from "./kind/device-plugin-image.ts";
import { applyAll } from "./kind/kubelet-cluster.ts";
import { ledgerGaps } from "./kind/ledger-gaps.ts";
import { nodeObject } from "./processes/nodes.ts";
import { seed } from "./seed.ts";

const PAID = 2 * DEVICES;

/** A kubelet tells of its devices with its node status: every 10 s. A crash loop takes its back-off. */
const PATIENCE = { timeout: 90_000 };

/**
 * After this long without a sign of life the node controller has given a node up; milliseconds.
 * https://kubernetes.io/docs/reference/node/node-status/#heartbeats
 */
const GIVEN_UP = 60_000;

/** What a verdict shows as evidence, a line each. */
const evidenceOf = (stuck: StuckView | undefined) => stuck?.evidence.map(({ value }) => value).join("\n");

test("GPUs come and go with the device plugin of a real kubelet", async ({ newCluster, start, overview }) => {
  // The device plugin may have to be built first.
  test.setTimeout(900_000);
  const cluster = await newCluster("devices", DEVICE_PLUGIN_NODES);
  // A node without a machine: KWOK has to play its kubelet, beside real ones.
  const played = `${cluster.name}-played`;
  await seed(cluster, [nodeObject({ name: played, role: "worker", labels: {} }, "v1.36.3")]);
  const seeded = Date.now();
  const image = await loadDevicePlugin(cluster);
  const reservations = test.info().outputPath("reservations.json");
  await writeFile(reservations, JSON.stringify(DEVICE_PLUGIN_RESERVATIONS));
  const seamline = await start({
    KUBECONFIG: await cluster.kubeconfigFor("seamline"),
    SEAMLINE_RESERVATIONS: reservations,
    SEAMLINE_GPU_RESOURCES: RESOURCE,
  });
  const workers = ["worker", "worker2"].map((name) => `${cluster.name}-${name}`);
  /** Every ledger that has ever been seen not to close. */
  const gaps: string[] = [];
  const view = async () => {
    const now = await readView<FleetView>(seamline);
    gaps.push(...ledgerGaps(now));
    return now;
  };
  /** GPUs paid, schedulable, in the seam and at work, and the verdicts. */
  const figures = async () => {
    const { totals, stuck } = await view();
    const { paid, schedulable, seam, working } = totals;
    const gpus = [paid, schedulable, seam, working].map((figure) => figure.gpus);
    return [...gpus, ...stuck.map(({ name, layer, reason }) => `${name} ${layer} ${reason}`)];
  };
  const causesOf = async (stage: Stage) =>
    (await view()).totals.stages.find((each) => each.stage === stage)?.causes ?? [];
  const stuck = async (name: string) => (await view()).stuck.find((each) => each.name === name);
  /** Capacity and allocatable of each machine, as its kubelet reports them; "" where it does not know the resource. */
  const reported = async () => {
    const { items }: NodeList = JSON.parse(await cluster.kubectl(["get", "nodes", ...workers, "-o", "json"]));
    return items.map(
      ({ status }) => `${status.capacity[RESOURCE] ?? ""}/${status.allocatable[RESOURCE] ?? ""}`,
    );
  };
  const statusOf = async (pod: string) =>
    await cluster.kubectl([
      "get",
      "pod",
      pod,
      "-o",
      "jsonpath={.metadata.uid} {.status.phase}, {.status.containerStatuses[0].restartCount} restarts",
    ]);

  await test.step("no device plugin: the machines are Ready and advertise nothing", async () => {
    await overview.open(seamline.url);
    expect(await reported()).toEqual(["/", "/"]);
    await expect.poll(figures).toEqual([PAID, 0, PAID, 0]);
    expect(await causesOf("not-advertised")).toMatchObject([{ reason: "GpuNotAdvertised", gpus: PAID }]);
    await expect(overview.schedulable).toContainText("0 GPUs");
    await expect(overview.seam).toContainText("GPU not advertised");
  });

  await test.step("the device plugin fails: a pod that waits is told of it", async () => {
    await applyAll(cluster, [devicePlugin(image, "/no-such-folder"), trainer("first")]);
    await expect.poll(figures, PATIENCE).toEqual([PAID, 0, PAID, 0, "first L2 DevicePluginDown"]);
    const evidence = async () => evidenceOf(await stuck("first"));
    await expect.poll(evidence).toContain(`Insufficient ${RESOURCE}`);
    await expect.poll(evidence, PATIENCE).toMatch(/[2-9] restarts, last exit 2 \(Error\)/);
    expect((await stuck("first"))?.ladder).toMatchObject({
      L1: { state: "ok" },
      L2: { state: "broken" },
      L3: { state: "not-reached" },
      L4: { state: "not-reached" },
    });
    const row = overview.stuckPod("default/first");
    await expect(row).toContainText("L2DevicePluginDown");
    await expect(row).toContainText("sample-device-plugin");
    expect(await reported()).toEqual(["/", "/"]);
  });

  await test.step("it is mended: the GPUs are schedulable, and the pod runs", async () => {
    await applyAll(cluster, [devicePlugin(image)]);
    await expect.poll(reported, PATIENCE).toEqual([`${DEVICES}/${DEVICES}`, `${DEVICES}/${DEVICES}`]);
    await expect.poll(figures).toEqual([PAID, PAID, 0, 1]);
    await expect(overview.schedulable).toContainText(`${PAID} GPUs`);
    await expect(overview.inTheSeam).toContainText("0 GPUs");
    await expect(overview.stuckPod("default/first")).toHaveCount(0);
    const [working] = await causesOf("working");
    expect(working).toMatchObject({
      gpus: 1,
      objects: [{ kind: "Pod", namespace: "default", name: "first" }],
    });
  });

  const running = await statusOf("first");
  expect(running).toMatch(/ Running, 0 restarts$/);

  await test.step("it goes: allocatable falls to 0 and capacity stays, so the GPUs are unhealthy", async () => {
    await cluster.kubectl(["-n", "kube-system", "delete", "daemonset", "sample-device-plugin"]);
    await expect.poll(reported, PATIENCE).toEqual([`${DEVICES}/0`, `${DEVICES}/0`]);
    // The GPU of the pod that runs on is no exception: its kubelet no longer vouches for any of them.
    await expect.poll(figures).toEqual([PAID, 0, PAID, 0]);
    expect(await causesOf("unhealthy")).toMatchObject([{ reason: "GpuUnhealthy", gpus: PAID }]);
    expect(await statusOf("first")).toBe(running);
    expect((await view()).issues).toMatchObject([
      {
        code: "MoreRequestedThanAllocatable",
        message: `its pods hold 1 ${RESOURCE}, it offers 0`,
        object: { kind: "Node" },
        count: 1,
      },
    ]);
    await expect(overview.schedulable).toContainText("0 GPUs");
    await expect(overview.seam).toContainText("GPU unhealthy");
    await expect(overview.seam).toContainText(`0 of ${DEVICES} allocatable`);
  });

  await test.step("a second pod waits, and the machines are said to be at fault, not the scheduler", async () => {
    await applyAll(cluster, [trainer("second")]);
    await expect.poll(figures).toEqual([PAID, 0, PAID, 0, "second L2 GpuUnhealthy"]);
    await expect
      .poll(() => stuck("second"))
      .toMatchObject({
        certainty: "high",
        gpus: 1,
        ladder: { L1: { state: "ok" }, L2: { state: "broken" }, L3: { state: "not-reached" } },
      });
    const evidence = evidenceOf(await stuck("second"));
    expect(evidence).toContain(`0 of ${DEVICES} in status.capacity`);
    expect(evidence).toContain(`Insufficient ${RESOURCE}`);
    await expect(overview.stuckPod("default/second")).toContainText("L2GpuUnhealthy");
    expect(await statusOf("first")).toBe(running);
  });

  await test.step("it is back: so are the GPUs, for both pods", async () => {
    await applyAll(cluster, [devicePlugin(image)]);
    await expect.poll(figures, PATIENCE).toEqual([PAID, PAID, 0, 2]);
    expect(await reported()).toEqual([`${DEVICES}/${DEVICES}`, `${DEVICES}/${DEVICES}`]);
    expect((await view()).issues).toEqual([]);
    expect(await statusOf("first")).toBe(running);
    await expect(overview.schedulable).toContainText(`${PAID} GPUs`);
    await expect(overview.inTheSeam).toContainText("0 GPUs");
    await expect(overview.stuckPod("default/second")).toHaveCount(0);
  });

  await test.step("the node without a machine has been Ready all the time", async () => {
    await expect.poll(() => Date.now() - seeded).toBeGreaterThan(GIVEN_UP);
    const ready = await cluster.kubectl([
      "get",
      "node",
      played,
      "-o",
      'jsonpath={range .status.conditions[?(@.type=="Ready")]}{.status} {.lastTransitionTime}{end}',
    ]);
    const [status, since = ""] = ready.split(" ");
    expect(status).toBe("True");
    // It did not come back: it never was away.
    expect(Date.parse(since)).toBeLessThanOrEqual(seeded);
    const pods = await cluster.kubectl([
      "get",
      "pods",
      "--all-namespaces",
      "--field-selector",
      `spec.nodeName=${played}`,
      "-o",
      "name",
    ]);
    expect(pods).toBe("");
  });

  expect(gaps).toEqual([]);
});

/** The fields that are looked at. https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/node-v1/ */
interface NodeList {
  readonly items: readonly {
    readonly status: {
      readonly capacity: Readonly<Record<string, string>>;
      readonly allocatable: Readonly<Record<string, string>>;
    };
  }[];
}
