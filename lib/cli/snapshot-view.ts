import type { FleetView } from "../model/fleet-view.ts";
import { deriveFleetView } from "../pipeline.ts";
import { openSnapshotAt } from "./open-snapshot-at.ts";
import { readOnce } from "./read-once.ts";

/**
 * The view of a snapshot, a file or a folder, as it is looked at at `now` (epoch milliseconds). It is read as a cluster
 * would be: served as a Kubernetes API on loopback and followed from there.
 *
 * @throws Unreadable where any part of it cannot be read
 */
export async function snapshotView(path: string, now: number, env: NodeJS.ProcessEnv): Promise<FleetView> {
  const sources = await openSnapshotAt(path, now, env);
  return await readOnce(sources, { now }, (snapshot) => deriveFleetView(snapshot, now));
}
