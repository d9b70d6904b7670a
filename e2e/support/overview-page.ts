import type { Locator, Page } from "@playwright/test";
import type { Layer } from "../../lib/model/stages.ts";

/** The overview as a person finds their way on it: by its words. */
export class OverviewPage {
  readonly page: Page;
  readonly paid: Locator;
  readonly schedulable: Locator;
  readonly inTheSeam: Locator;
  readonly fleet: Locator;
  readonly seam: Locator;
  readonly aboveTheSeam: Locator;
  readonly stuck: Locator;
  readonly sources: Locator;
  readonly demoBanner: Locator;
  readonly drawer: Locator;

  constructor(page: Page) {
    this.page = page;
    const figure = (term: string) => page.locator("dl > div", { has: page.getByText(term, { exact: true }) });
    this.paid = figure("Paid");
    this.schedulable = figure("Schedulable");
    this.inTheSeam = figure("In the seam");
    this.fleet = page.getByRole("region", { name: "Fleet" });
    this.seam = page.getByRole("region", { name: "The seam", exact: true });
    this.aboveTheSeam = page.getByRole("region", { name: "Above the seam" });
    this.stuck = page.getByRole("region", { name: "Stuck workloads" });
    this.sources = page.getByRole("list", { name: "Sources", exact: true });
    this.demoBanner = page.getByRole("region", { name: "Demo cluster" });
    this.drawer = page.getByRole("dialog");
  }

  /** Opens the page and waits until it is alive: what the server has drawn takes no clicks yet. */
  async open(url: string, query = ""): Promise<void> {
    const stream = this.page.waitForRequest((request) => request.url().endsWith("/api/stream"));
    await this.page.goto(`${url}/${query}`);
    await this.page.getByRole("heading", { name: "Seamline", exact: true }).waitFor();
    await stream;
  }

  stuckPod(name: string): Locator {
    return this.stuck.getByRole("row").filter({ has: this.page.getByRole("link", { name }) });
  }

  /** One layer of the ladder in the open drawer. */
  layerStep(layer: Layer): Locator {
    const heading = this.page.getByRole("heading", { name: "The four layers, from the ground up" });
    return this.drawer.locator("section", { has: heading }).getByRole("listitem").filter({ hasText: layer });
  }

  pool(name: string): Locator {
    return this.fleet.getByRole("article", { name });
  }
}
