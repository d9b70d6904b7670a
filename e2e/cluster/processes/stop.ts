import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** What is left of a cluster's folder once it is down. */
export const LOGS = "logs";

const POLL = 20;
const PATIENCE = 10_000;

/** Kills the cluster's processes and removes what it has written to `folder`, save its logs. */
export async function stopCluster(pids: readonly number[], folder: string): Promise<void> {
  await stopProcesses(pids, folder);
  const entries = await readdir(folder).catch(() => []);
  const gone = entries.filter((name) => name !== LOGS);
  await Promise.all(gone.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** Kills a cluster's processes and resolves once they are gone. */
export async function stopProcesses(pids: readonly number[], folder: string): Promise<void> {
  const running = (await runningOf(pids, folder)).filter((pid) => signal(pid, "SIGKILL"));
  const deadline = Date.now() + PATIENCE;
  while (running.some((pid) => signal(pid, 0)) && Date.now() < deadline) await delay(POLL);
}

/**
 * Which of a cluster's processes are there still. A process id that another program has got by now is left out: every one
 * of ours names the cluster's folder on its command line.
 */
export async function runningOf(pids: readonly number[], folder: string): Promise<readonly number[]> {
  const ours = pids.map(async (pid) => ((await commandOf(pid)).includes(folder) ? [pid] : []));
  return (await Promise.all(ours)).flat();
}

async function commandOf(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]).catch(
    () => {
      return { stdout: "" };
    },
  );
  return stdout;
}

/** False where there is no such process any more. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
