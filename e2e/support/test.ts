import { test as base, expect } from "@playwright/test";
import { OverviewPage } from "./overview-page.ts";
import { type Seamline, startSeamline } from "./seamline.ts";

interface Worker {
  /** Shared by the tests of a worker: the bundled fleet, standing still, so that what the API says holds on the page. */
  readonly fleet: Seamline;
}

interface PerTest {
  readonly overview: OverviewPage;
  /** Starts a dashboard of the test's own; it ends with the test. */
  readonly start: (env: Record<string, string>) => Promise<Seamline>;
}

/** Playwright's test with the dashboard at hand. A page that logs an error or a refused script fails its test. */
export const test = base.extend<PerTest & { quietConsole: undefined }, Worker>({
  fleet: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed off this pattern.
    async ({}, use) => {
      const fleet = await startSeamline({ SEAMLINE_DEMO: "fleet" });
      await pauseDemo(fleet);
      await use(fleet);
      await fleet.stop();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  start: async ({}, use) => {
    const started: Seamline[] = [];
    await use(async (env) => {
      const seamline = await startSeamline(env);
      started.push(seamline);
      return seamline;
    });
    await Promise.all(started.map((seamline) => seamline.stop()));
  },
  overview: async ({ page }, use) => {
    await use(new OverviewPage(page));
  },
  quietConsole: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      await use(undefined);
      // A stream that its server ended is no fault of the page.
      expect(
        errors.filter((text) => !/ERR_(INCOMPLETE_CHUNKED|CONNECTION_REFUSED|CONNECTION_RESET)/.test(text)),
      ).toEqual([]);
    },
    { auto: true },
  ],
});

async function pauseDemo({ url }: Seamline): Promise<void> {
  const body = JSON.stringify({ playing: false, step: 0 });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/demo`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`POST /api/demo: ${response.status}`);
}

export { expect };
