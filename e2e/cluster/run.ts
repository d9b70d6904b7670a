import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "../../lib/cli/chromium.mjs";
import { build, PrepareError, root, tool } from "../../lib/cli/prepare.mjs";
import { RigError } from "./rig.ts";
import { isRigName, RIGS } from "./rigs.ts";

const USAGE = "usage: npm run test:cluster [-- --rig kind|processes] [spec files]";

/** `npm run test:cluster`: the specs beside this file on one rig, or on each. Gives the exit code. */
async function main(given: readonly string[]): Promise<number> {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1_000);
  const { values, positionals } = parseArgs({
    args: [...given],
    options: { rig: { type: "string" } },
    allowPositionals: true,
  });
  if (values.rig !== undefined && !isRigName(values.rig)) throw new PrepareError(USAGE);
  const rigs = values.rig === undefined ? Object.values(RIGS) : [RIGS[values.rig]];
  for (const rig of rigs) await rig.prepare((line) => console.error(`${rig.name}: ${line}`));
  console.log(`rigs ready after ${seconds()} s`);
  process.env.SEAMLINE_CHROMIUM = await findChromium();
  await build();
  const config = join(import.meta.dirname, "playwright.config.ts");
  const projects = rigs.map(({ name }) => `--project=${name}`);
  // Playwright clears this folder when it starts: a run beside this one has its own.
  const output = join(root, "test-results", `cluster-${process.pid}`);
  const args = ["test", "--config", config, "--output", output, ...projects];
  const code = await tool("playwright", [...args, ...positionals]);
  if (code === 0) await rm(output, { recursive: true, force: true });
  console.log(
    `test:cluster (${rigs.map(({ name }) => name).join(", ")}): ${code ? "failed" : "passed"} in ${seconds()} s`,
  );
  return code;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof RigError || error instanceof PrepareError)) throw error;
  console.error(error.message);
  return 1;
});
