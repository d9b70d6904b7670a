import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** What is left of a cluster's folder once it is down. */
export const LOGS = "logs";

const POLL = 20;
const PATIENCE = 10_000;

/**
 * Kills the cluster's processes and removes what it has written to `folder`, save its logs. A process id that another
 * program has got by now is left alone: every one of ours names the folder on its command line.
 */
export async function stopCluster(pids: readonly number[], folder: string): Promise<void> {
  const ours = await Promise.all(
    pids.map(async (pid) => ((await commandOf(pid)).includes(folder) ? [pid] : [])),
  );
  const running = ours.flat().filter((pid) => signal(pid, "SIGKILL"));
  const deadline = Date.now() + PATIENCE;
  while (running.some((pid) => signal(pid, 0)) && Date.now() < deadline) await delay(POLL);
  const entries = await readdir(folder).catch(() => []);
  const gone = entries.filter((name) => name !== LOGS);
  await Promise.all(gone.map((name) => rm(join(folder, name), { recursive: true, force: true })));
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
