import { join } from "node:path";
import { build, install, node, PrepareError, root, SERVER_ENV, SERVER_FLAGS } from "./prepare.mjs";
import { run } from "./run.mjs";

/** `npm start`: installs and builds what is missing or old, then serves. Runs on any Node, before there is a package. */
async function start() {
  await install();
  await build();
  return await run(node, [...SERVER_FLAGS, join(root, "lib/server/main.ts"), "--open"], { env: SERVER_ENV });
}

start().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error instanceof PrepareError ? error.message : error);
    process.exit(1);
  },
);
