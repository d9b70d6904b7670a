import type { PodRecord } from "../model/kubernetes.ts";
import type { Issue } from "../model/snapshot.ts";
import type { FleetNode } from "./fleet.ts";

/** Clocks differ by less than this without anybody's fault. */
const TOLERANCE_MS = 60_000;

/**
 * Objects that tell of a time to come: their clock, or the one that `now` is from, is wrong, and so are all ages between
 * the two.
 */
export function clockSkewIssues(
  nodes: Iterable<FleetNode>,
  pods: readonly PodRecord[],
  now: number,
): Issue[] {
  const issues: Issue[] = [];
  for (const { record } of nodes) {
    const skew = furthest([record.createdAt, ...record.conditions.map((c) => c.lastTransitionTime)], now);
    if (skew !== undefined) issues.push(issueOf({ kind: "Node", name: record.name }, skew));
  }
  for (const { namespace, name, createdAt, conditions } of pods) {
    const skew = furthest([createdAt, ...conditions.map((c) => c.lastTransitionTime)], now);
    if (skew !== undefined) issues.push(issueOf({ kind: "Pod", namespace, name }, skew));
  }
  return issues;
}

/** Milliseconds by which the latest of `times` lies in the future; undefined where none does by more than tolerated. */
function furthest(times: readonly (number | undefined)[], now: number): number | undefined {
  const latest = Math.max(...times.map((time) => time ?? Number.NEGATIVE_INFINITY));
  return latest - now > TOLERANCE_MS ? latest - now : undefined;
}

function issueOf(object: NonNullable<Issue["object"]>, skew: number): Issue {
  const minutes = Math.floor(skew / 60_000);
  const message = `tells of a time ${minutes} m ahead of this clock: one of the two clocks is wrong, and so are its ages`;
  return { code: "ClockSkew", severity: "warning", message, object };
}
