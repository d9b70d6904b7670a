import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { demoScenarios } from "../../lib/demo/demo.ts";
import { kwokProgram } from "./kwok/kwok-program.ts";
import { LAYERS } from "./layers-cluster.ts";
import { type Cluster, RigError, type RigName, type UpOptions } from "./rig.ts";
import { isRigName, RIGS } from "./rigs.ts";
import { scenarioNow, writeConfiguration } from "./seed/scenario-now.ts";
import { seed } from "./seed.ts";

const USAGE = `usage: npm run cluster -- up kind|processes [--scenario NAME]   start a cluster and leave it up
       npm run cluster -- seed NAME                                 apply a scenario of lib/demo/scenarios to it
       npm run cluster -- down                                      take it down`;

const state = join(import.meta.dirname, "../../.cache/cluster");
const rigFile = join(state, "rig");
const configuration = join(state, "configuration");
const folder = join(state, "work");

/** What a cluster has that is seeded: no name of a scenario's node, and on kind what it cannot do without. */
const SEEDED: Readonly<Record<RigName, Pick<UpOptions, "name" | "nodes">>> = {
  kind: { name: "seamline", nodes: [{ name: "seamline-control-plane", role: "control-plane", labels: {} }] },
  processes: { name: "seamline", nodes: [] },
};

async function main(args: readonly string[]): Promise<void> {
  const options = { scenario: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, what, ...rest] = positionals;
  if (rest.length > 0) throw new RigError(USAGE);
  const scenario = command === "seed" ? what : values.scenario;
  if (scenario !== undefined && !demoScenarios().includes(scenario))
    throw new RigError(`No scenario ${scenario}: expected one of ${demoScenarios().join(", ")}`);
  if (command === "up" && isRigName(what)) await up(what, scenario);
  else if (command === "seed" && what !== undefined) await seedInto(await current(), what);
  else if (command === "down" && what === undefined) await down();
  else throw new RigError(USAGE);
}

async function up(rig: RigName, scenario: string | undefined): Promise<void> {
  if ((await currentRig()) !== undefined)
    throw new RigError("A cluster is up already. Take it down first: npm run cluster -- down");
  const progress = (line: string) => console.error(line);
  // Before a cluster is there that cannot be seeded.
  if (scenario !== undefined) await kwokProgram(progress);
  // Logs of a cluster that did not come up.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(rigFile, rig);
  const start = scenario === undefined ? { name: "layers", nodes: LAYERS } : SEEDED[rig];
  const options = { ...start, folder, keep: true, progress };
  const cluster = await RIGS[rig].up(options).catch(async (error: unknown) => {
    await rm(rigFile, { force: true });
    throw error;
  });
  console.log(`export KUBECONFIG=${cluster.kubeconfig}`);
  if (scenario !== undefined) await seedInto(cluster, scenario);
}

async function seedInto(cluster: Cluster, name: string): Promise<void> {
  const scenario = await scenarioNow(name);
  await seed(cluster, scenario.objects);
  console.error(`${scenario.objects.length} objects of the scenario ${name} applied`);
  await rm(configuration, { recursive: true, force: true });
  await mkdir(configuration);
  const env = await writeConfiguration(configuration, scenario);
  for (const [variable, value] of Object.entries(env)) console.log(`export ${variable}=${value}`);
}

async function down(): Promise<void> {
  await (await current()).down();
  await rm(state, { recursive: true, force: true });
}

async function current(): Promise<Cluster> {
  const rig = await currentRig();
  if (rig === undefined)
    throw new RigError("No cluster is up. Start one: npm run cluster -- up kind|processes");
  return await RIGS[rig].attach(folder);
}

async function currentRig(): Promise<RigName | undefined> {
  const name = await readFile(rigFile, "utf8").catch(() => undefined);
  return isRigName(name) ? name : undefined;
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  const known = error instanceof RigError || (error instanceof TypeError && "code" in error);
  console.error(known ? error.message : error);
  process.exitCode = 1;
});
