import { parseArgs } from "node:util";
import { snapshotView, Unreadable } from "./snapshot-view.ts";

const USAGE = `usage: npm run -s view -- PATH [--now TIME]

Prints the FleetView of a snapshot as JSON. PATH: a file or folder of Kubernetes YAML or JSON as kubectl prints it, with
reservations.json or reservations.yaml beside it or in it. TIME: the moment at which it is looked at, such as
2026-12-01T12:00:00Z; now if not given. SEAMLINE_RESERVATIONS and SEAMLINE_GPU_RESOURCES count as for npm start.`;

/** A day, or a moment with its offset: a moment without one would mean something else on every machine. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

function readArguments(args: string[]): { path: string; now: number } {
  const { values, positionals } = parseArgs({
    args,
    options: { now: { type: "string" } },
    allowPositionals: true,
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new Unreadable([USAGE]);
  if (values.now === undefined) return { path, now: Date.now() };
  const now = TIME.test(values.now) ? Date.parse(values.now) : Number.NaN;
  if (Number.isNaN(now)) {
    throw new Unreadable([
      `--now: expected a time such as 2026-12-01T12:00:00Z, got ${JSON.stringify(values.now)}`,
    ]);
  }
  return { path, now };
}

try {
  const { path, now } = readArguments(process.argv.slice(2));
  const view = await snapshotView(path, now, process.env);
  process.stdout.write(`${JSON.stringify(view, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
