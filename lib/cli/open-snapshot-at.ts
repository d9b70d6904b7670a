import { readConfig } from "../server/config.ts";
import { openSnapshot } from "../server/open-snapshot.ts";
import type { OpenedSources } from "../server/opened-sources.ts";
import { systemClock } from "../sources/kubernetes/clock.ts";

/** A snapshot, not read yet, as it is looked at at `now`. Of `env` only what concerns reading counts. */
export async function openSnapshotAt(
  path: string,
  now: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedSources> {
  const { SEAMLINE_CONFIG, SEAMLINE_RESERVATIONS, SEAMLINE_GPU_RESOURCES } = env;
  const config = readConfig({ SEAMLINE_CONFIG, SEAMLINE_RESERVATIONS, SEAMLINE_GPU_RESOURCES }, []);
  return await openSnapshot(path, { config, clock: { ...systemClock, now: () => now } });
}
