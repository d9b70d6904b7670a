import type { Fleet } from "../layers/fleet.ts";
import { perFleet } from "./per-fleet.ts";

/** What has ended for so long is history, in milliseconds. */
const HISTORY_MS = 24 * 3_600_000;

/**
 * Whether what ended `at` is history: long before the newest that is known of the cluster, since a snapshot may be looked
 * at days after it was taken.
 */
export function isHistory(at: number, fleet: Fleet, now: number): boolean {
  return Math.min(now, newestOf(fleet)) - at > HISTORY_MS;
}

/** When the newest of what is told of pods, nodes and events happened. */
const newestOf = perFleet(({ pods, nodes, events }) => {
  let newest = 0;
  const note = (at: number | undefined) => {
    if (at !== undefined && at > newest) newest = at;
  };
  for (const { createdAt, conditions } of pods) {
    note(createdAt);
    for (const { lastTransitionTime } of conditions) note(lastTransitionTime);
  }
  for (const { record } of nodes.values()) {
    note(record.createdAt);
    for (const { lastTransitionTime } of record.conditions) note(lastTransitionTime);
  }
  for (const { lastAt } of events.all) note(lastAt);
  return newest;
});
