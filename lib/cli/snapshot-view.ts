import type { FleetView } from "../model/fleet-view.ts";
import { deriveFleetView } from "../pipeline.ts";
import { readConfig } from "../server/config.ts";
import { openSnapshot } from "../server/open-snapshot.ts";
import type { OpenedSources } from "../server/opened-sources.ts";
import { readSnapshot } from "../server/read-snapshot.ts";
import { systemClock } from "../sources/kubernetes/clock.ts";

/** What cannot be read, one line each. */
export class Unreadable extends Error {
  constructor(lines: readonly string[]) {
    const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
    super([...lines.slice(0, MOST_LINES), ...more].join("\n"));
  }
}

const MOST_LINES = 20;
/** Milliseconds in which a snapshot on this very machine has to be read. */
const PATIENCE = 60_000;

/**
 * The view of a snapshot, a file or a folder, as it is looked at at `now` (epoch milliseconds). It is read as a cluster
 * would be: served as a Kubernetes API on loopback and followed from there.
 *
 * @throws Unreadable where any part of it cannot be read
 */
export async function snapshotView(path: string, now: number, env: NodeJS.ProcessEnv): Promise<FleetView> {
  const { SEAMLINE_RESERVATIONS, SEAMLINE_GPU_RESOURCES } = env;
  const config = readConfig({ SEAMLINE_RESERVATIONS, SEAMLINE_GPU_RESOURCES }, []);
  const sources = await openSnapshot(path, { config, clock: { ...systemClock, now: () => now } });
  try {
    await readOnce(sources);
    return deriveFleetView(readSnapshot(sources), now);
  } finally {
    for (const source of sources.reservations) source.stop();
    await sources.kubernetes.stop();
    await sources.close();
  }
}

/** Resolves when everything was read. */
async function readOnce({ issues, reservations, kubernetes }: OpenedSources): Promise<void> {
  if (issues.length > 0) throw new Unreadable(issues.map(({ message }) => message));
  await Promise.all(reservations.map((source) => source.start()));
  const wrong = reservations.flatMap((source) => source.read().status.error ?? []);
  if (wrong.length > 0) throw new Unreadable(wrong.map(({ message }) => message));

  const missing = () => kubernetes.read().sources.filter(({ state }) => state !== "live");
  const { promise: live, resolve, reject } = Promise.withResolvers<void>();
  const stopListening = kubernetes.onChange(() => {
    if (missing().length === 0) resolve();
  });
  const timer = setTimeout(
    () => reject(new Unreadable(missing().map(({ id, state }) => `${id} is ${state}`))),
    PATIENCE,
  );
  kubernetes.start();
  await live.finally(() => {
    clearTimeout(timer);
    stopListening();
  });
}
