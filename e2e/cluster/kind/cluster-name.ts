import { randomBytes, randomUUID } from "node:crypto";
import { docker } from "./docker.ts";

/** A cluster's name and the volume that keeps others from it. */
export interface TakenName {
  readonly name: string;
  readonly volume: string;
}

const TRIES = 5;

/**
 * A name that no other kind cluster of this Docker has: `base`, else `base` with a suffix. It is taken as long as the
 * volume is there, also from runs that start at this very moment.
 */
export async function takeName(base: string): Promise<TakenName> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const name = attempt === 0 ? base : `${base}-${randomBytes(2).toString("hex")}`;
    const volume = `seamline-kind-${name}`;
    if ((await nodesOf(name)).length === 0 && (await take(volume))) return { name, volume };
  }
  throw new Error(`no name for a kind cluster is free: tried ${base}, and ${base} with a suffix`);
}

/** Names of the containers of a kind cluster; with `status`, of those in that state. */
export async function nodesOf(name: string, status?: "paused"): Promise<readonly string[]> {
  const filters = [`label=io.x-k8s.kind.cluster=${name}`, ...(status ? [`status=${status}`] : [])];
  const args = filters.flatMap((filter) => ["--filter", filter]);
  const told = await docker("ps", "--all", "--format", "{{.Names}}", ...args);
  return told.split("\n").filter((line) => line !== "");
}

/** A volume of one name is made once: who comes second is given the first one's, with the first one's label. */
async function take(volume: string): Promise<boolean> {
  const mine = randomUUID();
  await docker("volume", "create", "--label", `seamline.run=${mine}`, volume);
  const label = await docker("volume", "inspect", "--format", '{{index .Labels "seamline.run"}}', volume);
  return label.trim() === mine;
}
