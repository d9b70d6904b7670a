import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { root, SERVER_ENV, SERVER_FLAGS } from "../../lib/cli/prepare.mjs";

/** A dashboard that runs as a user's does: the production build, its own process, its own port. */
export interface Seamline {
  readonly url: string;
  /** What it has printed so far. */
  output(): string;
  /** Ends it as a service manager does and resolves with its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts the built dashboard on a free port and waits until it serves. Of this process' environment only PATH is
 * passed on, so that no kubeconfig of the machine gets in.
 * @throws Error with its output where it ends by itself.
 */
export async function startSeamline(env: Record<string, string>): Promise<Seamline> {
  const home = await mkdtemp(join(tmpdir(), "seamline-e2e-"));
  const child = spawn(process.execPath, [...SERVER_FLAGS, join(root, "lib/server/main.ts")], {
    cwd: root,
    env: {
      ...SERVER_ENV,
      PATH: process.env.PATH ?? "",
      HOME: home,
      NODE_ENV: "production",
      PORT: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await rm(home, { recursive: true, force: true });
    return child.exitCode;
  };
  try {
    return { url: await addressOf(child, () => output), output: () => output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(child: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const address = /Seamline on (\S+)/.exec(output())?.[1];
    if (address) return address;
    if (child.exitCode !== null) throw new Error(`Seamline ended with ${child.exitCode}:\n${output()}`);
    await delay(50);
  }
}

/** The whole view, as scripts read it. */
export async function readView<T>(seamline: Seamline): Promise<T> {
  const response = await fetch(`${seamline.url}/api/view`);
  if (!response.ok) throw new Error(`GET /api/view: ${response.status}`);
  return (await response.json()) as T;
}
