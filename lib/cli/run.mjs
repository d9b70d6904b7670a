import { spawn } from "node:child_process";

/**
 * Runs a command to its end with this process' own input and output. Signals go on to it, so that whoever ends this
 * process ends it too.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, cwd?: string }} [options] `env`: beside this process' own
 * @returns {Promise<number>} its exit code; that of a shell where it was ended by a signal
 */
export function run(command, args, { env = {}, cwd } = {}) {
  const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env }, cwd });
  const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => {
    const forward = () => child.kill(signal);
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? 128 + (SIGNALS[signal] ?? 0)));
  }).finally(() => {
    for (const stop of forwarded) stop();
  });
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
