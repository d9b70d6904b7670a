import { expect, test } from "./support/test.ts";

const POD = "tts-xl-worker-4";
const QUERY = `?pod=speech/${POD}`;

test("a stuck pod opens beside the page, with evidence and the next step, and has an address", async ({
  overview,
  fleet,
}) => {
  await overview.open(fleet.url);
  await overview
    .stuckPod(POD)
    .getByRole("link", { name: `speech/${POD}` })
    .click();
  await expect(overview.drawer).toContainText("NodeCordoned");
  await expect(overview.drawer).toContainText("platform team");
  await expect(overview.drawer).toContainText(/Evidence/);
  await expect(overview.drawer).toContainText(/gke-fleet-a3-mega-6f1c2b7d-k2p1/);
  await expect(overview.drawer).toContainText(/Next step/);
  await expect(overview.stuck).toBeVisible();
  expect(new URL(overview.page.url()).searchParams.get("pod")).toBe(`speech/${POD}`);

  await overview.page.goBack();
  await expect(overview.drawer).toHaveCount(0);
});

test("an address opens what it names, and Escape closes it", async ({ overview, fleet }) => {
  await overview.open(fleet.url, QUERY);
  await expect(overview.drawer).toContainText(POD);
  await overview.page.keyboard.press("Escape");
  await expect(overview.drawer).toHaveCount(0);
  expect(new URL(overview.page.url()).search).toBe("");
});

test("the verdict can be copied for the incident channel", async ({ overview, fleet, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await overview.open(fleet.url, QUERY);
  await overview.drawer.getByRole("button", { name: "Copy as Markdown" }).click();
  await expect
    .poll(() => overview.page.evaluate(() => navigator.clipboard.readText()))
    .toContain("NodeCordoned");
});

test("a node shows where its GPUs went and who holds them", async ({ overview, fleet }) => {
  await overview.open(fleet.url, "?node=gke-fleet-a3-mega-6f1c2b7d-x90z");
  await expect(overview.drawer).toContainText("gke-fleet-a3-mega-6f1c2b7d-x90z");
  await expect(overview.drawer).toContainText(/cordoned/);
  await expect(overview.drawer).toContainText("res-train-a3");
  await expect(
    overview.drawer.getByRole("link", { name: /nlp\/|speech\/|vision\/|ml-research\// }).first(),
  ).toBeVisible();
});

test("a pool shows its ledger, its price and its nodes", async ({ overview, fleet }) => {
  await overview.open(fleet.url);
  await overview.pool("cr-0f3a").getByRole("link", { name: "cr-0f3a", exact: true }).click();
  await expect(overview.drawer).toContainText("$4.12");
  await expect(overview.drawer).toContainText(/contract/);
  await expect(overview.drawer).toContainText(/not launched/);
  await overview.drawer.getByRole("link", { name: "ip-10-0-12-8.ec2.internal" }).first().click();
  await expect(overview.drawer).toContainText(/NotReady|not ready/i);
});

test("what is not there any more is said", async ({ overview, fleet }) => {
  await overview.open(fleet.url, "?pool=reservation/gone");
  await expect(overview.drawer).toContainText(/not there/);
});

test("the whole way to a verdict goes by keyboard", async ({ overview, fleet, page }) => {
  await overview.open(fleet.url);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the fleet" })).toBeFocused();
  await overview
    .stuckPod(POD)
    .getByRole("link", { name: `speech/${POD}` })
    .focus();
  await page.keyboard.press("Enter");
  await expect(overview.drawer).toContainText("NodeCordoned");
  await page.keyboard.press("Escape");
  await expect(overview.stuckPod(POD).getByRole("link", { name: `speech/${POD}` })).toBeFocused();
});
