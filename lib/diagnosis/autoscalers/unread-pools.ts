import { eventEvidence } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { PlacementQuestion } from "../question.ts";
import { FAILURES_KEPT } from "./karpenter-index.ts";
import { karpenterEvent } from "./karpenter-words.ts";
import { classifyLaunchError } from "./launch-errors.ts";
import type { FailedLaunch } from "./launch-state.ts";

/** Names of the pools that Karpenter speaks of to the pod, where none of the pools can be seen; else none. */
export function unreadPools(question: PlacementQuestion): readonly string[] {
  if (question.fleet.facts.nodePools.items.length > 0) return [];
  const message = karpenterEvent(question)?.message ?? "";
  const names = message.matchAll(
    /(?:nodepool|provisioner)[":]*\s*[="]+([\w.-]+)|karpenter\.sh\/nodepool In \[([\w.-]+)\]/gi,
  );
  return [...new Set([...names].flatMap(([, name, listed]) => name ?? listed ?? []))];
}

/** Refused launches that only events of claims tell of, where none of the pools can be seen: newest first. */
export function unreadFailures({ pod, fleet }: PlacementQuestion): readonly FailedLaunch[] {
  const failures = claimFailures(fleet);
  if (failures.length === 0) return [];
  const said = fleet.events
    .ofPod(pod.namespace, pod.name)
    .filter(({ reason }) => reason === "Nominated")
    .map(({ message }) => message)
    .join(" ");
  const isMine = (claim: string) => new RegExp(`/${claim.replaceAll(".", "\\.")}(?![\\w.-])`).test(said);
  return failures.map((failure) => ({ ...failure, own: isMine(failure.evidence.object.name) }));
}

/** Without those that a later launch in the pool has overtaken. */
const claimFailures = perFleet(({ facts, events }): readonly FailedLaunch[] => {
  if (facts.nodePools.items.length > 0) return [];
  const ofClaims = events.all.filter(({ about }) => /^(NodeClaim|Machine)$/.test(about.kind));
  const lastLaunch = new Map<string, number>();
  for (const { about, type, reason, lastAt = 0 } of ofClaims) {
    if (type === "Warning" || !/^(Launched|Registered)$/.test(reason)) continue;
    const pool = poolOf(about.name);
    lastLaunch.set(pool, Math.max(lastLaunch.get(pool) ?? 0, lastAt));
  }
  return ofClaims
    .flatMap((event): FailedLaunch[] => {
      const error =
        event.type === "Warning" && classifyLaunchError(event.message.replaceAll(event.about.name, ""));
      const what = poolOf(event.about.name);
      const at = event.lastAt ?? event.firstAt ?? 0;
      if (!error || at < (lastLaunch.get(what) ?? 0)) return [];
      const evidence = eventEvidence(event);
      return [{ what, pool: undefined, error, message: event.message, at, own: false, evidence }];
    })
    .sort((a, b) => b.at - a.at)
    .slice(0, FAILURES_KEPT);
});

/** A claim is called `POOL-` and five random characters. */
const poolOf = (claim: string): string => claim.replace(/-[a-z0-9]{5}$/, "");
