import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Keeper } from "./keeper.ts";

/** One program of the cluster. */
export interface Daemon {
  readonly name: string;
  /** @param flags added to its own, for this time */
  start(flags?: readonly string[]): void;
  /** As `kill -9` does; resolves once it is gone. */
  kill(): Promise<void>;
  /** Throws with the end of its log where it has ended by itself. */
  check(): Promise<void>;
}

export interface DaemonOptions {
  readonly name: string;
  readonly program: string;
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Folder for its log. */
  readonly logs: string;
  /** Told of the process as it comes and goes. */
  readonly keeper: Pick<Keeper, "add" | "remove">;
}

/** A program that is not started yet. */
export function daemon({ name, program, flags, env, logs, keeper }: DaemonOptions): Daemon {
  const log = join(logs, `${name}.log`);
  let child: ChildProcess | undefined;
  const isRunning = (started: ChildProcess) => started.exitCode === null && started.signalCode === null;
  return {
    name,
    start: (more = []) => {
      const out = openSync(log, "a");
      const started = spawn(program, [...flags, ...more], {
        env,
        detached: true,
        stdio: ["ignore", out, out],
      });
      closeSync(out);
      started.unref();
      child = started;
      const { pid } = started;
      if (pid === undefined) throw new Error(`cannot start ${program}`);
      keeper.add(pid);
      started.once("exit", () => keeper.remove(pid));
    },
    kill: async () => {
      if (!child || !isRunning(child)) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    check: async () => {
      if (!child || isRunning(child)) return;
      const told = await readFile(log, "utf8");
      throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}:\n${told.slice(-3_000)}`);
    },
  };
}
