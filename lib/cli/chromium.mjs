import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { node, PrepareError, root, tool } from "./prepare.mjs";
import { run } from "./run.mjs";

const ON_PATH = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * A Chromium for the browser tests: one that is named or on the PATH, else Playwright's, else the distribution's.
 *
 * @returns {Promise<string>} its path
 */
export async function findChromium() {
  const named = process.env.SEAMLINE_CHROMIUM;
  if (named) {
    if (works(named)) return named;
    throw new PrepareError(`SEAMLINE_CHROMIUM: ${named} does not run.`);
  }
  const found = [...onPath(), playwrights()].find(works);
  if (found) return found;
  console.log("No Chromium found, installing one ...");
  await tool("playwright", ["install", "--with-deps", "chromium"]);
  if (works(playwrights())) return playwrights();
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    await run("apt-get", ["update"]);
    await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
  }
  const installed = onPath().find(works);
  if (installed) return installed;
  throw new PrepareError(
    "The browser tests need a Chromium and none could be installed. Install one (chromium or google-chrome) so that it " +
      "is on the PATH, or name it: SEAMLINE_CHROMIUM=/path/to/chromium npm test",
  );
}

/** Whether it starts at all: a package may be a mere stub, or lack libraries. */
function works(path) {
  return existsSync(path) && spawnSync(path, ["--version"], { timeout: 30_000 }).status === 0;
}

function onPath() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return ON_PATH.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** Where Playwright puts its own, whether it is there or not. */
function playwrights() {
  const ask = 'import("@playwright/test").then(({ chromium }) => console.log(chromium.executablePath()))';
  return spawnSync(node, ["--eval", ask], { cwd: root, encoding: "utf8" }).stdout.trim();
}
