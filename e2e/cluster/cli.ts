import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { demoScenarios } from "../../lib/demo/demo.ts";
import { LAYERS } from "./layers-cluster.ts";
import { type Cluster, RigError, type RigName, type UpOptions } from "./rig.ts";
import { isRigName, RIGS } from "./rigs.ts";
import { seed } from "./seed.ts";

const USAGE = `usage: npm run cluster -- up kind|processes [--scenario NAME]   start a cluster and leave it up
       npm run cluster -- seed NAME                                 apply a scenario of lib/demo/scenarios to it
       npm run cluster -- down                                      take it down`;

const state = join(import.meta.dirname, "../../.cache/cluster");
const rigFile = join(state, "rig");
const reservationsFile = join(state, "reservations.yaml");
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
  // Logs of a cluster that did not come up.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(rigFile, rig);
  const progress = (line: string) => console.error(line);
  const start = scenario === undefined ? { name: "layers", nodes: LAYERS } : SEEDED[rig];
  const options = { ...start, folder, keep: true, progress };
  const cluster = await RIGS[rig].up(options).catch(async (error: unknown) => {
    await rm(rigFile, { force: true });
    throw error;
  });
  console.log(`export KUBECONFIG=${cluster.kubeconfig}`);
  if (scenario !== undefined) await seedInto(cluster, scenario);
}

async function seedInto(cluster: Cluster, scenario: string): Promise<void> {
  const { objects, reservations } = await seed(cluster, scenario);
  await writeFile(reservationsFile, stringify(reservations));
  console.error(`${objects} objects of the scenario ${scenario} applied`);
  console.log(`export SEAMLINE_RESERVATIONS=${reservationsFile}`);
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
