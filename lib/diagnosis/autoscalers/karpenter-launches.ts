import type { NodeClaimRecord } from "../../model/facts/karpenter.ts";
import type { Condition, PodRecord } from "../../model/kubernetes.ts";
import { eventEvidence } from "../evidence.ts";
import { conditionEvidence, factEvidence } from "../fact-evidence.ts";
import type { PlacementQuestion } from "../question.ts";
import { karpenterIndex, type PoolHistory } from "./karpenter-index.ts";
import { classifyLaunchError } from "./launch-errors.ts";
import {
  type FailedLaunch,
  type LateLaunch,
  type LaunchState,
  NORMAL_LAUNCH_MS,
  type RunningLaunch,
} from "./launch-state.ts";
import { type LostClaim, lostClaims } from "./lost-claims.ts";

/** After this long Karpenter gives up a launch that the cloud does not answer. */
const LAUNCH_TIMEOUT_MS = 5 * 60_000;

/** Until its node is ready, once it has joined. */
const NORMAL_START_MS = 5 * 60_000;

/** What Karpenter has tried in the pool `pool` for this pod. */
export function karpenterLaunches(question: PlacementQuestion, pool: string): LaunchState {
  const { pod, fleet, now } = question;
  const history = karpenterIndex(fleet).get(pool);
  if (!history) return { failed: [], running: [], late: [] };
  const mine = nominatedClaims(pod, question);
  const states = history.claims.flatMap((claim) => claimState(claim, mine, pod, now) ?? []);
  const lost = mine.size > 1 ? lostClaims(question).filter((one) => one.pool === pool) : [];
  const isLoop = lost.length > 1;
  return {
    failed: [
      ...states.flatMap((state) => (state.kind === "failed" ? [state.launch] : [])),
      ...ownFailures(mine, history, now),
      ...history.failed.filter(({ evidence }) => !mine.has(evidence.object.name)),
    ],
    // One more launch of a row that leads nowhere is no news.
    running: isLoop ? [] : states.flatMap((state) => (state.kind === "running" ? [state.launch] : [])),
    late: [
      ...states.flatMap((state) => (state.kind === "late" ? [state.launch] : [])),
      ...(isLoop ? lateInRow(lost) : []),
    ],
  };
}

/** The newest of several claims whose machines never joined. */
function lateInRow(lost: readonly LostClaim[]): LateLaunch[] {
  const late = lost.filter(({ how }) => how === "never-joined");
  const [newest] = late;
  if (!newest) return [];
  const what = `NodeClaim ${newest.name} of ${newest.pool}${late.length > 1 ? `, the last of ${late.length} in a row,` : ""}`;
  return [{ what, since: newest.at, own: true, claim: undefined, evidence: eventEvidence(newest.event) }];
}

/**
 * A later launch in the pool has overtaken a failure, unless it is this pod's own and fresh: others' machines may be
 * smaller.
 */
function ownFailures(mine: ReadonlySet<string>, history: PoolHistory, now: number): FailedLaunch[] {
  return [...mine]
    .flatMap((name) => history.ofClaim.get(name) ?? [])
    .filter(({ at }) => at >= history.lastLaunch || now - at < NORMAL_LAUNCH_MS)
    .map((failure) => ({ ...failure, own: true }));
}

/** Claims that Karpenter has said the pod should run on, at any time, by name; newest first. */
function nominatedClaims(pod: PodRecord, { fleet }: PlacementQuestion): ReadonlySet<string> {
  const names = fleet.events
    .ofPod(pod.namespace, pod.name)
    .filter((event) => event.reason === "Nominated")
    .flatMap((event) => /(?:nodeclaim|machine)\/([\w.-]+)/.exec(event.message)?.[1] ?? []);
  return new Set(names);
}

type ClaimState =
  | { readonly kind: "failed"; readonly launch: FailedLaunch }
  | { readonly kind: "running"; readonly launch: RunningLaunch }
  | { readonly kind: "late"; readonly launch: LateLaunch };

/** undefined for a claim that has become a node, or that is none of this pod's business. */
function claimState(
  claim: NodeClaimRecord,
  mine: ReadonlySet<string>,
  pod: PodRecord,
  now: number,
): ClaimState | undefined {
  const own = mine.has(claim.name);
  const what = wordsOf(claim);
  const launched = conditionOf(claim, "Launched");
  const since = launched?.lastTransitionTime ?? claim.createdAt ?? now;
  if (launched?.status !== "True") {
    const error = launched && classifyLaunchError(`${launched.reason} ${launched.message}`);
    const says = launched !== undefined && !/^(AwaitingReconciliation)?$/.test(launched.reason);
    const isLate = now - (claim.createdAt ?? now) > LAUNCH_TIMEOUT_MS;
    if (launched && (error || says || isLate)) {
      const message = [launched.reason, launched.message].filter((part) => part !== "").join(": ");
      const evidence = conditionEvidence(claim, launched);
      return {
        kind: "failed",
        launch: { what, pool: claim.nodePool, error, message, at: since, own, evidence },
      };
    }
    return running(claim, claim.createdAt ?? now, own, mine, pod);
  }
  const registered = conditionOf(claim, "Registered");
  if (registered?.status !== "True") {
    if (now - since < NORMAL_LAUNCH_MS) return running(claim, since, own, mine, pod);
    const evidence = registered
      ? conditionEvidence(claim, registered)
      : factEvidence(claim, "status.nodeName", "absent", since);
    return { kind: "late", launch: { what, since, own, claim, evidence } };
  }
  const initialized = conditionOf(claim, "Initialized");
  const joined = registered.lastTransitionTime ?? since;
  if (!initialized || initialized.status === "True" || now - joined > NORMAL_START_MS) return undefined;
  return running(claim, since, own, mine, pod);
}

/** A launch for other pods is none for this one: where Karpenter has named its claims, only those count. */
function running(
  claim: NodeClaimRecord,
  since: number,
  own: boolean,
  mine: ReadonlySet<string>,
  pod: PodRecord,
): ClaimState | undefined {
  if (!own && (mine.size > 0 || (claim.createdAt ?? 0) < (pod.createdAt ?? 0))) return undefined;
  const evidence = factEvidence(claim, "status.conditions", progressOf(claim), since);
  return { kind: "running", launch: { what: wordsOf(claim), since, own, evidence } };
}

function progressOf(claim: NodeClaimRecord): string {
  return ["Launched", "Registered", "Initialized"]
    .map((type) => `${type}=${conditionOf(claim, type)?.status ?? "absent"}`)
    .join(", ");
}

function conditionOf(claim: NodeClaimRecord, type: string): Condition | undefined {
  return claim.conditions.find((one) => one.type === type || one.type === `Machine${type}`);
}

function wordsOf({ kind, name, nodePool }: NodeClaimRecord): string {
  return `${kind} ${name} of ${nodePool}`;
}
