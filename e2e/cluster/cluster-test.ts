import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { TestInfo } from "@playwright/test";
import { test as base } from "../support/test.ts";
import type { Cluster, NodeOptions, Rig, RigName } from "./rig.ts";
import { RIGS } from "./rigs.ts";

interface Options {
  /** Which rig a project's tests run on. */
  readonly rig: RigName;
}

interface Fixtures {
  /** Starts a cluster of the test's own; it ends with the test, and leaves its logs where that fails. */
  readonly newCluster: (name: string, nodes: readonly NodeOptions[]) => Promise<Cluster>;
}

/** The browser tests' own test, with clusters of real Kubernetes. */
export const test = base.extend<Fixtures, Options>({
  rig: ["processes", { option: true, scope: "worker" }],
  newCluster: async ({ rig }, use, testInfo) => {
    const opened: OpenCluster<Cluster>[] = [];
    await use(async (name, nodes) => {
      const open = await openCluster(RIGS[rig], name, nodes);
      opened.push(open);
      return open.cluster;
    });
    for (const { close } of opened) await close(testInfo);
  },
});

export { expect } from "../support/test.ts";

export interface OpenCluster<C extends Cluster> {
  readonly cluster: C;
  /** Takes it down; its logs become part of the test's output where the test has failed. */
  close(testInfo: TestInfo): Promise<void>;
}

/** Below the project, so that an interrupted run leaves nothing outside it. */
const workFolder = join(import.meta.dirname, "../../.cache/rigs");

/** Logs of clusters that never came up, and so belong to no test. */
const keptLogs = join(import.meta.dirname, "../../test-results/logs");

/** A cluster in a folder of its own, for hooks and fixtures that take it down themselves. */
export async function openCluster<C extends Cluster>(
  rig: Rig<C>,
  name: string,
  nodes: readonly NodeOptions[],
): Promise<OpenCluster<C>> {
  await mkdir(workFolder, { recursive: true });
  const folder = await mkdtemp(join(workFolder, `${rig.name}-`));
  const progress = (line: string) => console.error(`${rig.name} ${name}: ${line}`);
  try {
    const cluster = await rig.up({ name, nodes, folder, keep: false, progress });
    const close = async (testInfo: TestInfo) => {
      await cluster.down();
      if (testInfo.status !== testInfo.expectedStatus)
        await cp(join(folder, "logs"), testInfo.outputPath(`logs-${name}`), { recursive: true });
      await rm(folder, { recursive: true, force: true });
    };
    return { cluster, close };
  } catch (error) {
    const kept = join(keptLogs, `${basename(folder)}-${name}`);
    await cp(join(folder, "logs"), kept, { recursive: true }).catch(() => {});
    await rm(folder, { recursive: true, force: true });
    throw new Error(`${rig.name} ${name} did not come up; its logs are in ${kept}`, { cause: error });
  }
}
