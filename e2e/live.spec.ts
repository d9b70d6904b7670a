import { writeFile } from "node:fs/promises";
import type { FleetView } from "../lib/model/fleet-view.ts";
import { node, pod, type ScriptedCluster, startCluster, TWO_SLOTS } from "./support/cluster.ts";
import { readView, type Seamline } from "./support/seamline.ts";
import { test as base, expect } from "./support/test.ts";

const test = base.extend<{ cluster: ScriptedCluster; reservations: string; seamline: Seamline }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed off this pattern.
  cluster: async ({}, use) => {
    const cluster = await startCluster([node("a", 8), node("b", 8), pod("trainer", 8, "a")]);
    await use(cluster);
    await cluster.close();
  },
  reservations: async ({ cluster }, use) => {
    await use(await cluster.write("reservations.json", TWO_SLOTS));
  },
  seamline: async ({ cluster, reservations, start, overview }, use) => {
    const seamline = await start({ KUBECONFIG: cluster.kubeconfig, SEAMLINE_RESERVATIONS: reservations });
    await overview.open(seamline.url);
    await expect(overview.paid).toContainText("$32.0/h");
    await use(seamline);
  },
});

test("a change in the cluster is on the page by itself", async ({ cluster, seamline, overview }) => {
  await expect(overview.demoBanner).toHaveCount(0);
  await expect(overview.schedulable).toContainText("16 GPUs");
  await expect(overview.page.getByRole("banner")).toContainText("scripted");

  cluster.api.apply([node("b", 8, { unschedulable: true })]);
  await expect(overview.schedulable).toContainText("8 GPUs");
  await expect(overview.seam).toContainText("Cordoned");
  await expect(overview.inTheSeam).toContainText("$16.0/h");

  cluster.api.apply([node("b", 7)]);
  await expect(overview.schedulable).toContainText("15 GPUs");
  await expect(overview.seam).toContainText("GPU not advertised");

  cluster.api.apply([pod("second", 8)]);
  await expect(overview.stuckPod("ml/second")).toContainText("GpuNotAdvertised");

  cluster.api.remove([{ kind: "Node", name: "b" }]);
  await expect(overview.seam).toContainText("1 of 2 paid slots has no node");
  expect(
    (await readView<FleetView>(seamline)).totals.stages.find((s) => s.stage === "not-launched")?.gpus,
  ).toBe(8);
});

test("a cluster that goes away is shown as stale, with what was last known, and comes back", async ({
  cluster,
  seamline,
  overview,
}) => {
  await cluster.api.faults.down();
  await expect(overview.sources).toContainText(/Nodes\s*stale/);
  await expect(overview.schedulable).toContainText("16 GPUs");
  const { sources } = await readView<FleetView>(seamline);
  expect(sources.find((source) => source.id === "kubernetes/nodes")).toMatchObject({
    state: "stale",
    error: { code: "unreachable" },
  });
  await cluster.api.faults.up();
  cluster.api.apply([node("b", 8, { ready: false })]);
  await expect(overview.sources).toContainText(/Nodes\s*live/, { timeout: 45_000 });
  await expect(overview.schedulable).toContainText("8 GPUs");
});

test("rights that are taken away leave the unknown unknown, not zero", async ({
  cluster,
  seamline,
  overview,
}) => {
  cluster.api.faults.fail("pods", 403);
  cluster.api.faults.closeWatches("pods");
  await expect(overview.sources).toContainText(/Pods\s*forbidden/, { timeout: 45_000 });
  const { totals, counts, sources } = await readView<FleetView>(seamline);
  expect(totals.working).toMatchObject({ gpus: null, certainty: "?" });
  expect(totals.schedulable.gpus).toBe(16);
  expect(counts.pods).toBeNull();
  expect(sources.find((source) => source.id === "kubernetes/pods")?.error?.hint).toContain("pods");
});

test("a reservation file that goes wrong is named, and the last good one stays in use", async ({
  reservations,
  seamline,
  overview,
}) => {
  await writeFile(reservations, TWO_SLOTS.replace('"count":2', '"count":"two"'));
  await expect(overview.sources).toContainText(/stale/);
  await expect(overview.paid).toContainText("$32.0/h");
  const { sources } = await readView<FleetView>(seamline);
  const source = sources.find((one) => one.kind === "reservations");
  expect(source).toMatchObject({ state: "stale", error: { code: "invalid" } });
  expect(source?.error?.message).toContain("reservations[0].count");

  await writeFile(reservations, TWO_SLOTS.replace('"count":2', '"count":3'));
  await expect(overview.paid).toContainText("$48.0/h");
});

test("names from the cluster are only ever text", async ({ cluster, seamline, overview, page }) => {
  const markup = '<img src=x onerror="document.title=1">';
  const hostile = node("c", 8);
  cluster.api.apply([
    { ...hostile, metadata: { ...hostile.metadata, labels: { "karpenter.sh/nodepool": markup } } },
    { ...pod("evil", 99), metadata: { name: "evil", namespace: "ml", labels: { x: markup } } },
  ]);
  await expect(overview.pool(markup)).toBeVisible();
  await overview.pool(markup).getByRole("link", { name: markup, exact: true }).click();
  await expect(overview.drawer).toContainText(markup);
  expect(await page.locator("img[src=x]").count()).toBe(0);
  expect(await page.title()).not.toBe("1");
  expect((await readView<FleetView>(seamline)).pools).toHaveLength(2);
});
