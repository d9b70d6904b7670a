import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stopCluster } from "./stop.ts";

/** Knows a cluster's processes, and takes it down with the process that has started it, however that one ends. */
export interface Keeper {
  add(pid: number): void;
  remove(pid: number): void;
  /** From now on the cluster stays until `down`, here or in another process. */
  release(): Promise<void>;
  /** Resolves once all are gone and the folder is cleared. May be called twice. */
  down(): Promise<void>;
}

export function guardCluster(folder: string): Keeper {
  const pids = new Set<number>();
  // Of its own process group, so that an interrupt at the terminal does not end it first.
  const guard = spawn(process.execPath, [join(import.meta.dirname, "guard.ts"), folder], {
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const gone = once(guard, "exit");
  const tell = (line: string) => {
    if (guard.stdin.writable) guard.stdin.write(`${line}\n`);
  };
  return {
    add: (pid) => {
      pids.add(pid);
      tell(`+${pid}`);
    },
    remove: (pid) => {
      pids.delete(pid);
      tell(`-${pid}`);
    },
    release: async () => {
      await writeFile(pidFile(folder), JSON.stringify([...pids]));
      for (const pid of pids) tell(`-${pid}`);
      guard.stdin.end("release\n");
      await gone;
    },
    down: async () => {
      guard.stdin.end();
      await gone;
      await stopCluster([...pids], folder);
    },
  };
}

/** Takes down a cluster that was released. */
export async function stopReleased(folder: string): Promise<void> {
  const text = await readFile(pidFile(folder), "utf8").catch(() => "[]");
  const pids: readonly number[] = JSON.parse(text);
  await stopCluster(pids, folder);
}

const pidFile = (folder: string): string => join(folder, "pids.json");
