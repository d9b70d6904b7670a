import type { FleetView } from "../lib/model/fleet-view.ts";
import { STAGES } from "../lib/model/stages.ts";
import { readView } from "./support/seamline.ts";
import { expect, test } from "./support/test.ts";

test.beforeEach(async ({ overview, fleet }) => {
  await overview.open(fleet.url);
});

test("says at once that this is a demo, and how to see one's own cluster", async ({ overview }) => {
  await expect(overview.demoBanner).toBeVisible();
  await expect(overview.demoBanner).toContainText("not your cluster");
  await expect(overview.demoBanner).toContainText("KUBECONFIG");
  await expect(overview.demoBanner).toContainText(/kubectl --server=http:\/\/127\.0\.0\.1:\d+ get nodes/);
});

test("shows what is paid, what can be scheduled and what is lost, as the API has it", async ({
  overview,
  fleet,
}) => {
  const { totals, pools } = await readView<FleetView>(fleet);
  await expect(overview.paid).toContainText(`${totals.paid.gpus} GPUs`);
  await expect(overview.schedulable).toContainText(`${totals.schedulable.gpus} GPUs`);
  await expect(overview.inTheSeam).toContainText(`${totals.seam.gpus} GPUs`);
  for (const pool of pools) {
    const column = overview.pool(pool.name);
    await expect(column.getByRole("link", { name: pool.name, exact: true })).toBeAttached();
    await expect(column).toContainText(`L2: ${pool.schedulable.gpus}`);
  }
});

test("names every stage: the fleet has GPUs in each", async ({ overview, fleet }) => {
  const { totals } = await readView<FleetView>(fleet);
  const strip = overview.page.getByRole("region", { name: "All paid GPUs by stage" });
  const there = totals.stages.filter((stage) => stage.gpus !== 0);
  expect(there.map((stage) => stage.stage)).toEqual(STAGES.map((info) => info.stage));
  for (const { stage, gpus } of there) {
    const label = STAGES.find((info) => info.stage === stage)?.label ?? "";
    await expect(strip.getByRole("listitem").filter({ hasText: `${label} ${gpus}` })).toHaveCount(1);
  }
});

test("lists the losses, the dearest first, with owner and objects", async ({ overview }) => {
  const losses = overview.seam.getByRole("listitem");
  await expect(losses.first()).toContainText("$168/h");
  await expect(losses.first()).toContainText("24 GPUs");
  await expect(losses.first()).toContainText("platform team");
  await expect(overview.seam.getByRole("link", { name: "ip-10-0-12-8.ec2.internal" })).toBeVisible();
  await expect(overview.aboveTheSeam).toContainText("Crash loop");
});

test("gives each stuck pod and object its verdict", async ({ overview, fleet }) => {
  const { stuck } = await readView<FleetView>(fleet);
  expect(new Set(stuck.map((entry) => entry.reason))).toEqual(
    new Set([
      "CloudStockout",
      "ReservationNotStarted",
      "NodeNotReady",
      "NodeCordoned",
      "DevicePluginDown",
      "AutoscalerLimitReached",
      "GpusBusy",
      "GpusFragmented",
      "OtherResourcesExhausted",
      "GangIncomplete",
      "QueueQuotaExhausted",
      "NamespaceQuotaExceeded",
      "RequestNeverFits",
      "ImagePullFailed",
      "CrashLoop",
      "NcclTimeout",
    ]),
  );
  for (const { name, namespace, layer, reason, sentence, count, workload } of stuck) {
    const shown = count > 1 && workload ? workload.name : name;
    const row = overview.stuckPod(`${namespace}/${shown}`);
    await expect(row).toContainText(`${layer} ${reason}`.replace(" ", ""));
    await expect(row).toContainText(sentence.slice(0, 40));
  }
});

test("filters stuck pods by layer and by text", async ({ overview }) => {
  const rows = overview.stuck.getByRole("row");
  await overview.stuck.getByRole("button", { name: /^L2/ }).click();
  await expect(rows.filter({ hasText: "CrashLoop" })).toHaveCount(0);
  await expect(rows.filter({ hasText: "NodeCordoned" })).toHaveCount(1);
  await overview.stuck.getByRole("searchbox").fill("tts-xl");
  await expect(rows).toHaveCount(2);
});

test("sums up its many sources while all is well", async ({ overview }) => {
  const fine = overview.sources.getByRole("listitem").filter({ hasText: /^\d+ sources fine$/ });
  await expect(fine).toHaveAttribute("title", /Nodes, Pods, Events/);
  await expect(fine).toHaveAttribute("title", /Reservations aws, Reservations azure, Reservations gcp/);
  await expect(fine).toHaveAttribute("title", /; not set: Prometheus$/);
});
