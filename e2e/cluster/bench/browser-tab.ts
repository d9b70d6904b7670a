import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "../../../lib/cli/chromium.mjs";

/** What one page of the dashboard takes in a browser. */
export interface Tab {
  readonly path: string;
  /** Bytes that its process has for itself, shared libraries not counted. */
  readonly memory: number;
  /** Bytes of them that hold the page's JavaScript objects. */
  readonly heap: number;
}

/** A page that has been open for so long has drawn all it has, in milliseconds. */
const SETTLED = 5_000;

/** Opens each of `paths` in a browser of its own and reads what its tab takes. */
export async function measureTabs(url: string, paths: readonly string[]): Promise<readonly Tab[]> {
  const executablePath = await findChromium();
  const tabs: Tab[] = [];
  for (const path of paths) {
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      tabs.push({ path, ...(await measureTab(browser, `${url}${path}`)) });
    } finally {
      await browser.close();
    }
  }
  return tabs;
}

async function measureTab(browser: Browser, address: string): Promise<Omit<Tab, "path">> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(address);
  await page.getByRole("main").waitFor();
  await delay(SETTLED);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
  // A spare process that waits for the next tab is there too; it is the smaller one.
  const all = await (await browser.newBrowserCDPSession()).send("SystemInfo.getProcessInfo");
  const renderers = all.processInfo.filter(({ type }) => type === "renderer");
  const sizes = await Promise.all(renderers.map(({ id }) => privateMemory(id)));
  return { memory: Math.max(...sizes), heap };
}

/** https://www.kernel.org/doc/html/latest/filesystems/proc.html (smaps_rollup) */
async function privateMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const amounts = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)];
  return amounts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1_024, 0);
}
