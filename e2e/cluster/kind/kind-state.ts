import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** What has to be known to find a kind cluster again, and to remove it. */
export interface KindState {
  /** kind's name for it, unique on this Docker. */
  readonly name: string;
  /** Name of the volume that keeps `name` taken. */
  readonly volume: string;
  /** Path of the kind that made it. */
  readonly program: string;
  /** Where its files are; goes with it. */
  readonly folder: string;
  /** Where its logs go; stays. */
  readonly logs: string;
}

const schema = z.object({
  name: z.string(),
  volume: z.string(),
  program: z.string(),
  folder: z.string(),
  logs: z.string(),
});

/** @param root the rig's folder */
export async function saveState(
  root: string,
  about: Pick<KindState, "name" | "volume" | "program">,
): Promise<KindState> {
  const state = { ...about, folder: join(root, "kind"), logs: join(root, "logs") };
  await mkdir(state.folder, { recursive: true });
  await writeFile(fileIn(root), JSON.stringify(state));
  return state;
}

/** @throws Error where no kind cluster was left up in `root`. */
export async function loadState(root: string): Promise<KindState> {
  return schema.parse(JSON.parse(await readFile(fileIn(root), "utf8")));
}

/** Path of the kubeconfig with all rights. */
export const adminKubeconfig = ({ folder }: KindState): string => join(folder, "kubeconfig");

const fileIn = (root: string): string => join(root, "kind", "cluster.json");
