import { parseArgs } from "node:util";
import { readMoment } from "./read-moment.ts";
import { Unreadable } from "./read-once.ts";
import { snapshotView } from "./snapshot-view.ts";

const USAGE = `usage: npm run -s view -- PATH [--now TIME]

Prints the FleetView of a snapshot as JSON. PATH: a file or folder of Kubernetes YAML or JSON as kubectl prints it, with
reservations.json or reservations.yaml beside it or in it. TIME: the moment at which it is looked at, such as
2026-12-01T12:00:00Z; now if not given. SEAMLINE_RESERVATIONS and SEAMLINE_GPU_RESOURCES count as for npm start.`;

function readArguments(args: string[]): { path: string; now: number } {
  const { values, positionals } = parseArgs({
    args,
    options: { now: { type: "string" } },
    allowPositionals: true,
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new Unreadable([USAGE]);
  return { path, now: values.now === undefined ? Date.now() : readMoment(values.now) };
}

try {
  const { path, now } = readArguments(process.argv.slice(2));
  const view = await snapshotView(path, now, process.env);
  process.stdout.write(`${JSON.stringify(view, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
