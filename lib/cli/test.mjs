import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "./chromium.mjs";
import { build, install, PrepareError, root, tool } from "./prepare.mjs";

/**
 * `npm test`: all checks, on a machine with nothing but Node and npm. Ends at the first that fails. The last line is
 * `N passed, N failed`, over unit and browser tests; where another check fails, it counts as the one that did.
 */
const reports = mkdtempSync(join(tmpdir(), "seamline-test-"));
const unitReport = join(reports, "unit.json");
const browserReport = join(reports, "browser.json");

const STEPS = [
  ["install", install],
  ["chromium", async () => Object.assign(process.env, { SEAMLINE_CHROMIUM: await findChromium() }) && 0],
  ["lint", () => tool("biome", ["ci", "."])],
  ["types", types],
  ["unit tests", unitTests],
  ["build", build],
  ["browser tests", browserTests],
];

/** Next declares what its imports are (style sheets above all) in files that it writes. */
async function types() {
  const code = existsSync(join(root, "next-env.d.ts")) ? 0 : await tool("next", ["typegen"]);
  return code || (await tool("tsc", ["--noEmit"]));
}

function unitTests() {
  return tool("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`]);
}

function browserTests() {
  return tool("playwright", ["test", "--reporter=list,json"], { PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport });
}

/** Runs the steps up to the first that fails, and gives its name. */
async function firstFailure() {
  for (const [name, step] of STEPS) {
    console.log(`\n== ${name}`);
    const code = await step().catch((error) => {
      console.error(error instanceof PrepareError ? error.message : error);
      return 1;
    });
    if (code) return name;
  }
  return undefined;
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

function countTests() {
  const { numPassedTests = 0, numFailedTests = 0 } = readReport(unitReport);
  const { stats: { expected = 0, flaky = 0, unexpected = 0 } = {} } = readReport(browserReport);
  return { passed: numPassedTests + expected + flaky, failed: numFailedTests + unexpected };
}

const failure = await firstFailure();
const { passed, failed } = countTests();
rmSync(reports, { recursive: true });
console.log(failure ? `\nFailed: ${failure}` : "\nAll checks passed.");
console.log(`${passed} passed, ${failure ? Math.max(1, failed) : failed} failed`);
process.exit(failure ? 1 : 0);
