import type { FindingView, PoolView } from "@/lib/model/fleet-view.ts";

/** Whether it says that capacity ends within the notice time. */
export function isEnding({ kind }: FindingView): boolean {
  return kind === "ending" || kind === "ending-with-work";
}

/** Ids of the pools whose capacity ends within the notice time. */
export function announcedPools(findings: readonly FindingView[]): ReadonlySet<string> {
  return new Set(findings.filter(isEnding).map(({ pool }) => pool));
}

/** What happens at the end that `finding` tells of: some providers take the machines back before the reservation ends. */
export function endWord({ until }: FindingView, pool: PoolView | undefined): string {
  return until !== null && until === pool?.reservation?.usableUntil ? "taken back" : "ends";
}
