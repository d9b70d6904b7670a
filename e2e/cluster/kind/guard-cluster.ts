import { spawn } from "node:child_process";
import { join } from "node:path";

/** Said to the guard when nothing is left for it to do. */
export const RELEASED = "released";

/** Removes a cluster as soon as this process is no more, however it ended. */
export interface Guard {
  /** The cluster is down, or stays for good: nothing is left to do. May be called twice. */
  release(): void;
}

/** @param folder the rig's, with the cluster's state in it */
export function guardCluster(folder: string): Guard {
  const guard = spawn(process.execPath, [join(import.meta.dirname, "guard.ts"), folder], {
    // Of its own process group, so that an interrupt at the terminal does not end it first.
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  guard.unref();
  const release = () => {
    if (guard.stdin.writable) guard.stdin.end(RELEASED);
  };
  return { release };
}
