import { parseArgs } from "node:util";
import { deriveFleetView } from "../pipeline.ts";
import { readConfig } from "../server/config.ts";
import { type OpenedSources, openSources } from "../server/open-sources.ts";
import { readSnapshot } from "../server/read-snapshot.ts";
import { systemClock } from "../sources/kubernetes/clock.ts";

const USAGE = `usage: npm run -s view -- PATH [--now TIME]

Prints the FleetView of a snapshot as JSON. PATH: a file or folder of Kubernetes YAML or JSON as kubectl prints it, with
reservations.json or reservations.yaml beside it or in it. TIME: the moment at which it is looked at, such as
2026-12-01T12:00:00Z; now if not given. SEAMLINE_RESERVATIONS and SEAMLINE_GPU_RESOURCES count as for npm start.`;

/** A day, or a moment with its offset: a moment without one would mean something else on every machine. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
/** Milliseconds in which a snapshot on this very machine has to be read. */
const PATIENCE = 60_000;
const MOST_LINES = 20;

/** What cannot be read, one line each. */
class Unreadable extends Error {
  constructor(lines: readonly string[]) {
    const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
    super([...lines.slice(0, MOST_LINES), ...more].join("\n"));
  }
}

async function view(path: string, now: number): Promise<string> {
  const { SEAMLINE_RESERVATIONS, SEAMLINE_GPU_RESOURCES } = process.env;
  const config = readConfig({ SEAMLINE_RESERVATIONS, SEAMLINE_GPU_RESOURCES }, []);
  const sources = await openSources({
    config: { ...config, source: { kind: "snapshot", path } },
    env: process.env,
    clock: { ...systemClock, now: () => now },
  });
  try {
    await readOnce(sources);
    return JSON.stringify(deriveFleetView(readSnapshot(sources), now), null, 2);
  } finally {
    for (const source of sources.reservations) source.stop();
    await sources.kubernetes.stop();
    await sources.close();
  }
}

/** Resolves when everything was read; throws `Unreadable` for whatever cannot be. */
async function readOnce({ issues, reservations, kubernetes }: OpenedSources): Promise<void> {
  if (issues.length > 0) throw new Unreadable(issues.map(({ message }) => message));
  await Promise.all(reservations.map((source) => source.start()));
  const wrong = reservations.flatMap((source) => source.read().status.error ?? []);
  if (wrong.length > 0) throw new Unreadable(wrong.map(({ message }) => message));

  const waiting = () => kubernetes.read().sources.filter(({ state }) => state !== "live");
  const { promise: live, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    if (waiting().length === 0) resolve();
  };
  const giveUp = () =>
    reject(
      new Unreadable(waiting().map(({ id, state, error }) => `${id} is ${state}: ${error?.message ?? ""}`)),
    );
  const timer = setTimeout(giveUp, PATIENCE);
  const stopListening = kubernetes.onChange(look);
  kubernetes.start();
  look();
  await live.finally(() => {
    clearTimeout(timer);
    stopListening();
  });
}

function readArguments(args: readonly string[]): { path: string; now: number } {
  const { values, positionals } = parseArgs({
    args: [...args],
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
  process.stdout.write(`${await view(path, now)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
