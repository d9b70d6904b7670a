import type { EventRecord } from "../../model/kubernetes.ts";
import { unitsInWords } from "../ask.ts";
import { growableGroups } from "../autoscalers/growable-groups.ts";
import { karpenterSays, type SaidOfPool } from "../autoscalers/karpenter-words.ts";
import { launchesOf } from "../autoscalers/launches.ts";
import { isOfGroup, type NodeGroup, nodeGroups } from "../autoscalers/node-groups.ts";
import type { PoolOffer } from "../autoscalers/pool-offer.ts";
import type { NotTriggered, ScaleUpWords } from "../autoscalers/scale-up-words.ts";
import { unreadPools } from "../autoscalers/unread-pools.ts";
import { eventEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { Finding, PlacementQuestion, Rule } from "../question.ts";
import { amountInWords, countInWords, cutText, listInWords, shellWord } from "../wording.ts";

/** A ceiling of our own stops the launch: the limits of a node pool, the largest size of a node group. */
export const autoscalerLimitReached: Rule<PlacementQuestion> = (question) => {
  const { running } = launchesOf(question);
  if (question.placement.roomy.length > 0 || running.length > 0) return undefined;
  return poolLimit(question) ?? groupLimit(question) ?? clusterFull(question);
};

/** Cluster Autoscaler says it again every ten seconds, as long as it holds. */
const STILL_MS = 15 * 60_000;

/** The cluster has as many nodes as the autoscaler may make, which it tells of the cluster and not of a pod. */
function clusterFull(question: PlacementQuestion): Finding | undefined {
  const { pod, ask, fleet, placement, now } = question;
  const event = maxNodesReached(fleet);
  const isNeeded = placement.candidates.length > 0 || growableGroups(question).length > 0;
  if (!event || now - (event.lastAt ?? 0) > STILL_MS || !isNeeded) return undefined;
  const what = `the cluster may not have more nodes (${cutText(event.message, 120)})`;
  return {
    reason: "AutoscalerLimitReached",
    sure: {
      certainty: "medium",
      why: "the autoscaler says so of the cluster; which group it would grow is not told",
    },
    evidence: [eventEvidence(event)],
    sentence: `${pod.name} needs ${ask.words}, and ${what}.`,
    step: what,
    next: ["Raise the autoscaler's --max-nodes-total, or free nodes that nobody needs."],
    reads: ["autoscalerStatus"],
  };
}

const maxNodesReached = perFleet((fleet) =>
  fleet.events.all
    .filter(({ reason, about }) => about.kind === "ConfigMap" && reason === "MaxNodesTotalReached")
    .reduce<EventRecord | undefined>(
      (newest, event) => ((event.lastAt ?? 0) > (newest?.lastAt ?? 0) ? event : newest),
      undefined,
    ),
);

/** One limit of a pool that the smallest machine for the pod would break. */
interface Ceiling {
  readonly offer: PoolOffer;
  readonly resource: string;
  readonly limit: number;
  readonly used: number;
}

function poolLimit(question: PlacementQuestion): Finding | undefined {
  const { pod, ask } = question;
  const { serving } = launchesOf(question);
  const ceilings = serving.flatMap((offer) => ceilingOf(offer, question) ?? []);
  const pools = [...serving.map(({ pool }) => pool.name), ...unreadPools(question)];
  const said = pools.flatMap((name) => karpenterSays(question, name, "limit") ?? []);
  const [first] = ceilings;
  if (!first && said[0]) return limitTold(question, said[0]);
  if (!first || (ceilings.length < serving.length && said.length === 0)) return undefined;
  const { pool } = first.offer;
  const limit = amountWords(first.resource, first.limit);
  const used = `${amountWords(first.resource, first.used)} in use`;
  const field = pool.kind === "Provisioner" ? "spec.limits.resources" : "spec.limits";
  return {
    reason: "AutoscalerLimitReached",
    sure:
      said.length > 0
        ? { certainty: "high", why: "the pool's limits and Karpenter's message agree" }
        : { certainty: "medium", why: "the pool's limits show it; Karpenter has left no message about it" },
    pool: `node-pool/${pool.name}`,
    evidence: [
      factEvidence(pool, `${field}["${first.resource}"]`, `${limit}, ${used}`),
      ...said.slice(0, 1).map(({ evidence }) => evidence),
    ],
    sentence: `${pod.name} needs ${ask.words}, and ${pool.kind} ${pool.name} may not launch another node for it: its limit of ${limit} leaves no room (${used}).`,
    step: `limit of ${pool.name}: ${limit}, ${used}`,
    next: [
      `Raise ${field} of ${pool.name}, or free what its nodes hold.`,
      `kubectl get ${pool.kind.toLowerCase()} ${shellWord(pool.name)} -o yaml`,
    ],
    reads: ["nodePools"],
  };
}

/** Karpenter says that a limit stops it, and the pool's own numbers do not show which: its status may be of another moment. */
function limitTold({ pod, ask }: PlacementQuestion, { pool, evidence }: SaidOfPool): Finding {
  return {
    reason: "AutoscalerLimitReached",
    sure: { certainty: "medium", why: "Karpenter says so; what the pool's nodes use is not read" },
    pool: `node-pool/${pool}`,
    evidence: [evidence],
    sentence: `${pod.name} needs ${ask.words}, and ${pool} may not launch another node for it: its limits leave no room.`,
    step: `limits of ${pool} leave no room`,
    next: [`Raise spec.limits of ${pool}, or free what its nodes hold.`],
    reads: ["nodePools"],
  };
}

/** The limit that every type of the pool that holds the pod would break; undefined where one could still be launched. */
function ceilingOf(offer: PoolOffer, { ask }: PlacementQuestion): Ceiling | undefined {
  const { limits, used } = offer.pool;
  if (!used) return undefined;
  const asked = new Map([...ask.accelerators, ...ask.others]);
  const needs = ({ gpus, vcpus }: PoolOffer["types"][number], resource: string): number => {
    if (resource === "nodes") return 1;
    if (resource === "cpu" && vcpus !== undefined) return vcpus * 1_000;
    const isDevice = ask.accelerators.some(([name]) => name === resource);
    return isDevice ? Math.max(gpus ?? 0, asked.get(resource) ?? 0) : (asked.get(resource) ?? 0);
  };
  const broken = Object.entries(limits).flatMap(([resource, limit]) => {
    const free = limit - (used[resource] ?? 0);
    const blocks = offer.types.filter((type) => needs(type, resource) > free).length;
    return blocks > 0 ? [{ offer, resource, limit, used: used[resource] ?? 0, blocks }] : [];
  });
  const isBlocked = offer.types.every((type) =>
    broken.some(({ resource, limit, used: has }) => needs(type, resource) > limit - has),
  );
  if (!isBlocked) return undefined;
  const isAsked = (resource: string) => ask.accelerators.some(([name]) => name === resource);
  return broken.sort(
    (a, b) => b.blocks - a.blocks || Number(isAsked(b.resource)) - Number(isAsked(a.resource)),
  )[0];
}

function amountWords(resource: string, amount: number): string {
  if (resource === "nodes") return countInWords(amount, "node");
  const words = unitsInWords(resource, amount);
  return words === `${amount} ${resource}` ? amountInWords(resource, amount) : words;
}

function groupLimit(question: PlacementQuestion): Finding | undefined {
  const { pod, ask } = question;
  const { scaleUp } = launchesOf(question);
  const refusal = scaleUp?.notTriggered;
  const limits = refusal?.reasons.filter(({ kind }) => kind === "max-size" || kind === "cluster-limit");
  const [limit] = limits ?? [];
  if (!scaleUp || !refusal || !limit) return undefined;
  if (limit.kind === "max-size" && contradicts(question)) return undefined;
  const groups = limit.kind === "max-size" ? groupsAtMax(question, scaleUp) : [];
  const [group] = groups;
  const what =
    limit.kind === "cluster-limit"
      ? `the cluster's own ceiling is reached (${limit.text})`
      : group
        ? `${listInWords(groups.map(sizeInWords))} may not grow`
        : `${limit.count === 1 ? "a node group" : `${limit.count} node groups`} for it may not grow: the largest size is reached`;
  return {
    reason: "AutoscalerLimitReached",
    sure: group
      ? { certainty: "high", why: "the autoscaler's message and its own status agree" }
      : { certainty: "medium", why: "the autoscaler says so; sizes and limits of the groups are not read" },
    evidence: [eventEvidence(refusal.event), ...groupEvidence(group)],
    sentence: `${pod.name} needs ${ask.words}, and ${what}.`,
    step: what,
    next: [`Raise the largest size of ${group?.name ?? "the node group"}, or free what its nodes hold.`],
    reads: ["autoscalerStatus"],
  };
}

/** It says that a group is at its largest size, while its own status has none that is. */
export function contradicts(question: PlacementQuestion): boolean {
  const sized = sizedGroups(question);
  return sized.length > 0 && !sized.some(isAtMax);
}

function sizedGroups({ fleet }: PlacementQuestion): readonly NodeGroup[] {
  return [...nodeGroups(fleet).values()].filter(
    ({ status }) => status?.max !== undefined && status.target !== undefined,
  );
}

function isAtMax({ status }: NodeGroup): boolean {
  return status?.max !== undefined && status.target !== undefined && status.target >= status.max;
}

/** Groups at their largest size: those that the pod was to get, or that have nodes for it, before all others. */
function groupsAtMax(question: PlacementQuestion, { groups }: ScaleUpWords): readonly NodeGroup[] {
  const atMax = sizedGroups(question).filter(isAtMax);
  const named = atMax.filter(({ name }) => groups.some((plan) => plan.name === name));
  if (named.length > 0) return named;
  const fitting = atMax.filter(({ name }) =>
    question.placement.candidates.some((fit) => isOfGroup(fit.facts.node.record, name)),
  );
  return fitting.length > 0 ? fitting : atMax.length === 1 ? atMax : [];
}

function sizeInWords({ name, status }: NodeGroup): string {
  return `${name} (${status?.target} of at most ${status?.max} nodes)`;
}

/** Both numbers of one group, as the autoscaler writes them. */
export function groupEvidence(group: NodeGroup | undefined): Finding["evidence"] {
  if (!group?.record || !group.status) return [];
  const { target, max } = group.status;
  const value = `cloudProviderTarget ${target ?? "unknown"}, maxSize ${max ?? "unknown"}`;
  return [factEvidence(group.record, `nodeGroups["${group.name}"]`, value, group.record.updatedAt)];
}

/** Why no group was made larger, in the autoscaler's own words. */
export function reasonsInWords({ reasons }: NotTriggered): string {
  return listInWords(reasons.map(({ count, text }) => `${count} ${text}`));
}
