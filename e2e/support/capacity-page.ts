import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";

/** The page of the capacity team, by its words. */
export class CapacityPage {
  readonly page: Page;
  readonly summary: Locator;
  readonly calendar: Locator;
  readonly findings: Locator;
  readonly reservations: Locator;
  readonly table: Locator;
  readonly drawer: Locator;

  constructor(page: Page) {
    this.page = page;
    this.summary = page.getByRole("region", { name: "All reservations" });
    this.calendar = page.getByRole("region", { name: "Calendar", exact: true });
    this.findings = page.getByRole("region", { name: "Findings" });
    this.reservations = page.getByRole("region", { name: "Reservations", exact: true });
    this.table = this.reservations.getByRole("table");
    this.drawer = page.getByRole("dialog");
  }

  /** Opens the page and waits until it is alive: what the server has drawn takes no clicks yet. */
  async open(url: string, query = ""): Promise<void> {
    const stream = this.page.waitForRequest((request) => request.url().endsWith("/api/stream"));
    await this.page.goto(`${url}/capacity${query}`);
    await this.page.getByRole("heading", { name: "Seamline", exact: true }).waitFor();
    await stream;
  }

  row(name: string): Locator {
    return this.table.getByRole("row").filter({ has: this.page.getByRole("link", { name, exact: true }) });
  }

  /** The names of the rows, from the top. */
  names(): Promise<string[]> {
    return this.table.locator("tbody").getByRole("link").allTextContents();
  }

  /** What the button for `kind` downloads. */
  async download(kind: "CSV" | "JSON"): Promise<{ readonly name: string; readonly content: string }> {
    const started = this.page.waitForEvent("download");
    await this.reservations.getByRole("button", { name: `as ${kind}` }).click();
    const file = await started;
    return { name: file.suggestedFilename(), content: await readFile(await file.path(), "utf8") };
  }
}
