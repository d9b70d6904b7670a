import type { FleetView } from "../lib/model/fleet-view.ts";
import { readView } from "./support/seamline.ts";
import { expect, test } from "./support/test.ts";

test("the walk-through climbs from paid to working, one layer after the other", async ({
  overview,
  start,
}) => {
  const seamline = await start({ SEAMLINE_DEMO: "layers" });
  await overview.open(seamline.url);
  const control = (name: RegExp) => overview.demoBanner.getByRole("button", { name });
  await control(/pause/i).click();
  const step = (number: number) => control(new RegExp(`^(step )?${number}\\b`, "i"));
  const seam = async () => {
    const { totals, stuck } = await readView<FleetView>(seamline);
    return [
      totals.paid.gpus,
      totals.schedulable.gpus,
      totals.working.gpus,
      ...stuck.map((entry) => entry.reason),
    ];
  };

  await step(1).click();
  await expect(overview.schedulable).toContainText("0 GPUs");
  await expect(overview.inTheSeam).toContainText("2 GPUs");
  await expect(overview.seam).toContainText("GPU not advertised");
  expect(await seam()).toEqual([2, 0, 0]);

  await step(2).click();
  await expect(overview.schedulable).toContainText("1 GPU");
  await expect.poll(seam).toEqual([2, 1, 0]);

  await step(3).click();
  await expect(overview.inTheSeam).toContainText("0 GPUs");
  await expect.poll(seam).toEqual([2, 2, 0]);

  await step(4).click();
  await expect(overview.stuckPod("trainer-c")).toContainText("GpusBusy");
  await expect(overview.stuckPod("trainer-c")).toContainText(/trainer-a|trainer-b/);
  await expect.poll(seam).toEqual([2, 2, 2, "GpusBusy"]);

  await step(5).click();
  await expect(overview.stuckPod("trainer-c")).toHaveCount(0);
  await expect.poll(seam).toEqual([2, 2, 2]);
});
