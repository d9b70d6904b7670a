import AxeBuilder from "@axe-core/playwright";
import type { FleetView } from "../lib/model/fleet-view.ts";
import { CapacityPage } from "./support/capacity-page.ts";
import { node, pod, type ScriptedCluster, startCluster } from "./support/cluster.ts";
import { awsFile, genericFile } from "./support/reservation-files.ts";
import { readView, type Seamline, startSeamline } from "./support/seamline.ts";
import { expect, test } from "./support/test.ts";

/** Columns of the CSV, and which cell of a row shows the same number. */
const NUMBERS = [
  ["slots used", 5],
  ["slots free", 6],
  ["slots broken", 7],
  ["paid (GPUs)", 9],
  ["launched (GPUs)", 10],
  ["schedulable (GPUs)", 11],
  ["requested (GPUs)", 12],
  ["in the seam (GPUs)", 13],
] as const;

let cluster: ScriptedCluster;
let seamline: Seamline;

test.beforeAll(async () => {
  cluster = await startCluster([
    node("lab-1", 8),
    node("lab-2", 8, { unschedulable: true }),
    pod("trainer", 8, "lab-1"),
  ]);
  const files = [
    await cluster.write("generic.json", genericFile()),
    await cluster.write("aws.json", awsFile()),
  ];
  seamline = await startSeamline({ KUBECONFIG: cluster.kubeconfig, SEAMLINE_RESERVATIONS: files.join(",") });
});

test.afterAll(async () => {
  await seamline.stop();
  await cluster.close();
});

test("the header leads from the overview to the reservations and back", async ({ overview, page }) => {
  await overview.open(seamline.url);
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.getByRole("link", { name: "Capacity" }).click();
  await expect(page).toHaveURL(/\/capacity$/);
  await expect(page).toHaveTitle("Capacity · Seamline");
  await expect(pages.getByRole("link", { name: "Capacity" })).toHaveAttribute("aria-current", "page");
  await pages.getByRole("link", { name: "Overview" }).click();
  await expect(overview.fleet).toBeVisible();
});

test("sums up all reservations as the API has them, and says what changes next", async ({ page }) => {
  const capacity = new CapacityPage(page);
  await capacity.open(seamline.url);
  const { pools } = await readView<FleetView>(seamline);
  const reserved = pools.filter(({ reservation }) => reservation !== null);
  const paid = reserved.reduce((sum, pool) => sum + (pool.paid.gpus ?? 0), 0);
  await expect(capacity.summary).toContainText(`${paid} GPUs`);
  for (const word of ["Paid", "Launched", "Schedulable", "Requested", "In the seam"]) {
    await expect(capacity.summary.getByText(word, { exact: true })).toBeVisible();
  }
  await expect(capacity.summary).toContainText(/6 reservations, 3 billed now, 1 not known/);
  await expect(capacity.summary).toContainText(/Next: lab \(24 GPUs\) ends in 19 h/);
  await expect(capacity.summary).toContainText(/next \(32 GPUs\) starts in 5 d/);
});

test("says in words what the calendar draws", async ({ page }) => {
  const capacity = new CapacityPage(page);
  await capacity.open(seamline.url);
  const bars = capacity.calendar.getByRole("listitem");
  await expect(bars.filter({ hasText: "next" })).toContainText(/scheduled, from .* UTC, until .* UTC/);
  await expect(bars.filter({ hasText: "old" })).toContainText(/ended 3 d ago/);
  await expect(bars.filter({ hasText: "cr-0b22" })).toContainText(/state unknown/);
});

test("names what is idle and what ends, and whose move it is", async ({ page }) => {
  const capacity = new CapacityPage(page);
  await capacity.open(seamline.url);
  const { findings } = await readView<FleetView>(seamline);
  expect(new Set(findings.map(({ kind }) => kind))).toEqual(new Set(["idle", "ending-with-work"]));
  const ending = capacity.findings.getByRole("listitem").filter({ hasText: "ending, in use" });
  await expect(ending).toContainText("lab team");
  await expect(ending).toContainText("$16.0/h");
  const unpriced = capacity.findings.getByRole("listitem").filter({ hasText: "=idle" });
  await expect(unpriced).toContainText("price unknown");
  await expect(unpriced).not.toContainText("$0");
});

test("has every reservation in every state, with the provider’s word and ours", async ({ page }) => {
  const capacity = new CapacityPage(page);
  await capacity.open(seamline.url);
  expect(new Set(await capacity.names())).toEqual(
    new Set(["lab", "next", "old", "=idle", "cr-0a11", "cr-0b22"]),
  );
  await expect(capacity.row("cr-0b22")).toContainText("renovating");
  await expect(capacity.row("cr-0b22")).toContainText("unknown");
  await expect(capacity.row("lab")).toContainText("$48.0/h");
  await expect(capacity.row("=idle")).toContainText("price unknown");
});

test("sorts by what is pressed, once more the other way round, unknown last", async ({ page }) => {
  const capacity = new CapacityPage(page);
  await capacity.open(seamline.url);
  const head = (name: string) => capacity.table.getByRole("columnheader", { name });
  const press = (name: string) => capacity.table.getByRole("button", { name, exact: true }).click();
  await press("Reservation");
  await expect(head("Reservation")).toHaveAttribute("aria-sort", "ascending");
  expect(await capacity.names()).toEqual(["=idle", "cr-0a11", "cr-0b22", "lab", "next", "old"]);
  await press("Reservation");
  await expect(head("Reservation")).toHaveAttribute("aria-sort", "descending");
  expect(await capacity.names()).toEqual(["old", "next", "lab", "cr-0b22", "cr-0a11", "=idle"]);
  await press("Starts or ends");
  expect((await capacity.names()).slice(0, 3)).toEqual(["old", "lab", "next"]);
  await expect(head("Reservation")).not.toHaveAttribute("aria-sort");
});

test("what is downloaded is what is listed, in its order", async ({ page }) => {
  const capacity = new CapacityPage(page);
  await capacity.open(seamline.url);
  await capacity.reservations.getByRole("button", { name: /^active/ }).click();
  await capacity.table.getByRole("button", { name: "paid", exact: true }).click();
  const listed = await capacity.names();
  expect(listed).toEqual(["lab", "cr-0a11", "=idle"]);

  const csv = await capacity.download("CSV");
  expect(csv.name).toMatch(/^seamline-capacity-.*\.csv$/);
  const [columns = [], ...lines] = csv.content.trimEnd().split("\r\n").map(fieldsOf);
  expect(lines).toHaveLength(3);
  for (const [index, name] of listed.entries()) {
    const cells = capacity.row(name).getByRole("cell");
    for (const [column, place] of NUMBERS) {
      const written = lines[index]?.[columns.indexOf(column)];
      await expect(cells.nth(place)).toHaveText(new RegExp(`^${written}(\\D|$)`));
    }
  }
  expect(lines[2]?.slice(0, 5)).toEqual(["'=idle", "'=idle", "onprem", "", '"room 1, left"']);
  expect(lines[0]?.[columns.indexOf("paid (USD/h)")]).toBe("48");
  expect(lines[2]?.[columns.indexOf("paid (USD/h)")]).toBe("");
  expect(lines[2]?.[columns.indexOf("paid per hour is")]).toBe("unknown");

  const json = JSON.parse((await capacity.download("JSON")).content);
  expect(json.reservations.map(({ name }: { name: string }) => name)).toEqual(listed);
  expect(json.reservations[2]).toMatchObject({ paidGpus: 8, paidPerHourUSD: null, priceSource: "unknown" });
});

test("filters by state, provider and text, and says when none matches", async ({ page }) => {
  const capacity = new CapacityPage(page);
  await capacity.open(seamline.url);
  await capacity.reservations.getByRole("combobox", { name: "Provider" }).selectOption("aws");
  expect((await capacity.names()).sort()).toEqual(["cr-0a11", "cr-0b22"]);
  await capacity.reservations.getByRole("searchbox").fill("renovating p5");
  await expect.poll(() => capacity.names()).toEqual(["cr-0b22"]);
  await expect(capacity.reservations).toContainText("1 of 6 (aws, “renovating p5”)");
  await capacity.reservations.getByRole("searchbox").fill("nowhere");
  await expect(capacity.reservations).toContainText("None matches the filter");
});

test("a row opens its pool, with state, slots and what becomes of it", async ({ page }) => {
  const capacity = new CapacityPage(page);
  await capacity.open(seamline.url);
  await capacity.row("cr-0a11").getByRole("link").click();
  await expect(page).toHaveURL(/\/capacity\?pool=reservation\/cr-0a11$/);
  await expect(capacity.drawer).toContainText("active (the provider says active), billed now");
  await expect(capacity.drawer).toContainText(/2 × 8 GPUs: 0 used, 2 free, 0 broken/);
  await expect(capacity.drawer).toContainText("targeted: only machines that name it");
  await expect(capacity.drawer.getByRole("link", { name: /docs\.aws\.amazon\.com/ })).toHaveAttribute(
    "href",
    /^https:\/\/docs\.aws\.amazon\.com\//,
  );
  await page.keyboard.press("Escape");
  await expect(capacity.drawer).toHaveCount(0);
  await expect(page).toHaveURL(/\/capacity$/);
});

test("what ends within its notice time is announced on the overview", async ({ overview, page }) => {
  await overview.open(seamline.url);
  const announced = page.getByRole("list", { name: "Capacity that ends soon" }).getByRole("listitem");
  await expect(announced).toHaveCount(1);
  await expect(announced).toContainText(/lab ends in 19 h/);
  await expect(overview.pool("lab")).toContainText(/ends in 19 h/);
  await announced.getByRole("link", { name: "lab" }).click();
  await expect(overview.drawer).toContainText("Ends with 8 GPUs in use");
});

test("without reservations it says how to name them, and a file that cannot be read is named", async ({
  page,
  start,
}) => {
  const capacity = new CapacityPage(page);
  const bare = await start({ KUBECONFIG: cluster.kubeconfig });
  await capacity.open(bare.url);
  await expect(page.getByRole("main")).toContainText("SEAMLINE_RESERVATIONS");
  await expect(page.getByRole("main")).toContainText("SEAMLINE_CONFIG");
  const broken = await cluster.write("broken.json", "[{");
  const unread = await start({ KUBECONFIG: cluster.kubeconfig, SEAMLINE_RESERVATIONS: broken });
  await capacity.open(unread.url);
  await expect(page.getByRole("alert").filter({ hasText: "broken.json" })).toBeVisible();
});

for (const theme of ["light", "dark"] as const) {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    for (const query of ["", "?pool=reservation/lab"]) {
      test(`${theme}, ${width} px, ${query || "page"}: no axe violation, nothing over the edge`, async ({
        page,
      }) => {
        const capacity = new CapacityPage(page);
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        await capacity.open(seamline.url, query);
        if (query) await expect(capacity.drawer).toContainText("lab");
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(
          violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
          ),
        ).toEqual([]);
        const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(scrollWidth).toBeLessThanOrEqual(width);
        const cut = await page.evaluate(
          () =>
            [...document.querySelectorAll("#reservations td, #reservations dd")].filter(
              (each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1,
            ).length,
        );
        expect(cut).toBe(0);
      });
    }
  }
}

/** The fields of a line of CSV as they are written, quotes included. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, field = ""]) => field);
}
