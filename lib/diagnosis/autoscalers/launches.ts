import type { NodeClassRecord, NodePoolRecord } from "../../model/facts/karpenter.ts";
import { oncePer } from "../../model/once-per.ts";
import type { Placement } from "../placement/placement.ts";
import type { PlacementQuestion } from "../question.ts";
import { loggedFailures } from "./autoscaler-logs.ts";
import { karpenterIndex, poolByName } from "./karpenter-index.ts";
import { karpenterLaunches } from "./karpenter-launches.ts";
import { karpenterSays } from "./karpenter-words.ts";
import { type FailedLaunch, type LaunchState, NORMAL_LAUNCH_MS } from "./launch-state.ts";
import { type PoolOffer, poolOffers } from "./pool-offer.ts";
import { scaleUpLaunches } from "./scale-up-launches.ts";
import { type ScaleUpWords, scaleUpWords } from "./scale-up-words.ts";
import { unreadFailures } from "./unread-pools.ts";

/** What every autoscaler could do, and has done, for one pod. */
export interface Launches extends LaunchState {
  /** Pools of Karpenter that have accelerators of the kind asked for. */
  readonly offers: readonly PoolOffer[];
  /** Those that could make a node for the pod. */
  readonly serving: readonly PoolOffer[];
  /** undefined: no Cluster Autoscaler has spoken of the pod. */
  readonly scaleUp: ScaleUpWords | undefined;
}

const OFFERS = new WeakMap<Placement, readonly PoolOffer[]>();

/** Worked out once for a pod; what the pools offer, once for all pods alike. */
export const launchesOf = oncePer((question: PlacementQuestion): Launches => {
  const { pod, ask, fleet, placement } = question;
  const byFields = OFFERS.get(placement) ?? poolOffers(pod, ask, fleet);
  OFFERS.set(placement, byFields);
  const offers = byFields.map((offer) => asKarpenterSays(offer, question));
  const serving = offers.filter(({ types }) => types.length > 0);
  const group = scaleUpLaunches(question);
  const states = [
    ...serving.map(({ pool }) => karpenterLaunches(question, pool.name)),
    ...(group ? [group] : []),
  ];
  const logged = serving.flatMap(({ pool }) => failedInLogs(pool, question));
  return {
    offers,
    serving,
    scaleUp: scaleUpWords(pod, fleet.events),
    failed: [...states.flatMap(({ failed }) => failed), ...logged, ...unreadFailures(question)].sort(
      (a, b) => weight(b) - weight(a),
    ),
    running: states.flatMap(({ running }) => running),
    late: states.flatMap(({ late }) => late),
  };
});

/**
 * What a machine has besides accelerators and vCPUs, and which labels it gets, Karpenter knows better than the pool's
 * fields tell.
 */
function asKarpenterSays(offer: PoolOffer, question: PlacementQuestion): PoolOffer {
  if (offer.types.length === 0) return offer;
  const said = karpenterSays(question, offer.pool.name, "unfit");
  if (!said) return offer;
  const label = /label "?([^"\s]+)"? does not have known values/.exec(said.text)?.[1];
  const what = label
    ? `gets ${label} after its launch at best, so that Karpenter cannot count on it`
    : "is too small for it in some resource, by Karpenter's count";
  return { ...offer, types: [], mismatch: { kind: "told", resource: undefined, what } };
}

/** Newest first, this pod's own a little before others': those may be for other machines. */
function weight({ at, own }: FailedLaunch): number {
  return at + (own ? NORMAL_LAUNCH_MS : 0);
}

/** Lines about the pool or its claims, or about none in particular; older Karpenters name neither. */
function failedInLogs(pool: NodePoolRecord, { fleet, logs, now }: PlacementQuestion): FailedLaunch[] {
  const history = karpenterIndex(fleet);
  const last = history.get(pool.name)?.lastLaunch ?? 0;
  const names = /"(nodepool|provisioner|nodeclaim|machine)(-name)?"/i;
  const line = loggedFailures(fleet, logs, now).find(({ text, at }) => {
    if (at < last || !/karpenter|controller\.|nodeclaim|provision/i.test(text)) return false;
    if (!names.test(text)) return true;
    const words = text.match(/[\w.-]+/g) ?? [];
    return words.some((word) => word === pool.name || poolByName(word, history) === pool.name);
  });
  return line ? [{ what: pool.name, pool: pool.name, message: line.text, own: false, ...line }] : [];
}

/** Every pool that could serve the pod launches into reservations only. */
export function isReservedOnly({ serving }: Launches): boolean {
  return (
    serving.length > 0 &&
    serving.every(({ pool }) =>
      pool.requirements.some(
        ({ key, operator, values }) =>
          key === "karpenter.sh/capacity-type" &&
          operator === "In" &&
          values.every((value) => value === "reserved"),
      ),
    )
  );
}

/** The node class of a pool; undefined where it cannot be found. */
export function nodeClassOf(
  { nodeClass }: NodePoolRecord,
  classes: readonly NodeClassRecord[],
): NodeClassRecord | undefined {
  if (!nodeClass) return undefined;
  return classes.find(
    (one) => one.name === nodeClass.name && (nodeClass.kind === "" || one.kind === nodeClass.kind),
  );
}

/** True where some autoscaler at least might make a node for the pod, so that the nodes there are not all there can be. */
export function couldBeServed(question: PlacementQuestion): boolean {
  const { serving, scaleUp } = launchesOf(question);
  if (serving.some(({ sure }) => sure)) return true;
  if (!scaleUp) return false;
  const { triggered, notTriggered, failed } = scaleUp;
  if (!notTriggered || (triggered?.lastAt ?? 0) > (notTriggered.event.lastAt ?? 0)) {
    return triggered !== undefined || failed !== undefined;
  }
  return notTriggered.reasons.some(({ kind }) => kind !== "template");
}
