import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./support/test.ts";

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const PLACES = {
  overview: "",
  pod: "?pod=speech/tts-xl-worker-4",
  node: "?node=ip-10-0-7-90.ec2.internal",
  pool: "?pool=reservation/cr-091c2e5f7a3d8b146",
};

for (const theme of ["light", "dark"] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const [place, query] of Object.entries(PLACES)) {
      test(`${place}, ${theme}, ${size}: no axe violation and nothing over the edge`, async ({
        overview,
        page,
        fleet,
      }) => {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        await overview.open(fleet.url, query);
        if (query) await expect(overview.drawer).toContainText(/GPU/);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(
          violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
          ),
        ).toEqual([]);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width).toBeLessThanOrEqual(viewport.width);
      });
    }
  }
}
