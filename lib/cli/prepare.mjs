import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.mjs";
import { hashOf, isStamped, stamp } from "./stamp.mjs";

/** The project's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

const commands = join(root, "node_modules/.bin");

/** The Node that comes with the packages, whatever the machine has. */
export const node = join(commands, "node");

/**
 * Node's flags for the server. A small young generation halves the memory that reading a large cluster peaks at, and costs
 * no time. Garbage is collected once there is as much of it as of what lives: V8 itself waits for thrice as much, which
 * a cluster with many changes soon reaches.
 */
export const SERVER_FLAGS = ["--max-semi-space-size=4", "--heap-growing-percent=100"];

/** Of the server's environment: where Node keeps what it has compiled, for the next start. A build begins it anew. */
export const SERVER_ENV = { NODE_COMPILE_CACHE: join(root, ".next/compile-cache") };

/**
 * Runs a command of an installed package on that Node.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env] beside this process' own
 * @returns {Promise<number>} its exit code
 */
export function tool(name, args, env) {
  const PATH = `${commands}${delimiter}${process.env.PATH ?? ""}`;
  return run(node, [join(commands, name), ...args], {
    cwd: root,
    env: { PATH, NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
}

/** What the machine's own Node has to be to install that one. */
const LEAST_NODE = [20, 9];

/** What the production build is made from. */
const BUILT_FROM = [
  "app",
  "components",
  "lib",
  "public",
  "next.config.js",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

/** A message for the user; there is nothing to trace. */
export class PrepareError extends Error {}

/** Installs the packages of the lock file, unless just these are there. */
export async function install() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])) {
    throw new PrepareError(
      `Node.js ${LEAST_NODE.join(".")} or newer is needed, this is ${process.versions.node}.`,
    );
  }
  const stampFile = join(root, "node_modules/.seamline-lock");
  const hash = `${process.platform}-${process.arch} ${hashOf(root, ["package-lock.json"])}`;
  if (isStamped(stampFile, hash)) return;
  console.log("Installing packages (npm ci) ...");
  // npm itself must not run on the Node that it is about to replace.
  const path = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/]\.bin$/.test(folder));
  const code = await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], {
    cwd: root,
    env: { PATH: path.join(delimiter) },
  });
  if (code !== 0) throw new PrepareError("The packages could not be installed: see npm's message above.");
  stamp(stampFile, hash);
}

/** Makes the production build, unless the one that is there was made from just these files. */
export async function build() {
  const stampFile = join(root, ".next/seamline-build");
  const hash = hashOf(root, BUILT_FROM);
  if (isStamped(stampFile, hash)) return;
  console.log("Building the page (next build) ...");
  const code = await tool("next", ["build"], { NODE_ENV: "production" });
  if (code !== 0) throw new PrepareError("The page could not be built: see the message above.");
  stamp(stampFile, hash);
}
