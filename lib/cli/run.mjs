import { spawn } from "node:child_process";

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

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
  const stops = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => {
    const forward = () => child.kill(signal);
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  if (process.env.npm_lifecycle_event) stops.push(onOrphaned(() => child.kill("SIGTERM")));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? 128 + (SIGNALS[signal] ?? 0)));
  }).finally(() => {
    for (const stop of stops) stop();
  });
}

/** npm passes a signal to its shell, which ends without passing it on: all that is to be seen is a new parent. */
function onOrphaned(callback) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) callback();
  }, 200);
  return () => clearInterval(timer);
}
