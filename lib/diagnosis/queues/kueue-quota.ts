import { acceleratorUnit } from "../../model/accelerators.ts";
import type { ClusterQueueRecord, WorkloadRecord } from "../../model/facts/kueue.ts";
import { unitsInWords } from "../ask.ts";
import { factEvidence } from "../fact-evidence.ts";
import type { Finding, Sure } from "../question.ts";
import type { Evidence } from "../verdict.ts";
import { amountInWords, listInWords, shellWord } from "../wording.ts";
import { describeWorkload, type KueueCase } from "./kueue-case.ts";
import { isOver, type QuotaRoom } from "./kueue-index.ts";
import { type KueueWords, kueueWords } from "./kueue-words.ts";
import { askedBy, canHold, flavorsFor, heldBy, roomOf } from "./queue-quota.ts";

/** The queue can never admit it: a resource that it does not cover, or more than it may ever hold. */
export function requestTooLarge(one: KueueCase): Finding | undefined {
  const { queue, workload, fleet, message, reason } = one;
  const words = kueueWords(reason, message);
  if (!queue) {
    const said = byWordsAlone(one, words);
    return said && /^(QueueRequestTooLarge|RequestNeverFits)$/.test(said.reason) ? said : undefined;
  }
  const uncovered = acceleratorsOf(workload, fleet.acceleratorNames).find(
    (resource) => !queue.groups.some(({ covered }) => covered.includes(resource)),
  );
  if (uncovered && (words === undefined || words === "uncovered")) return notCovered(one, queue, uncovered);
  if (words === "uncovered")
    return notCovered(one, queue, /resource (\S+)/.exec(message)?.[1] ?? "a resource");
  const homeless = workload.podSets.find((set) =>
    queue.groups.some(
      (group) =>
        group.covered.some((resource) => (set.requests[resource] ?? 0) > 0) &&
        flavorsFor(set, group.flavors, one.index).length === 0,
    ),
  );
  if (homeless) return noFlavor(one, queue, homeless.name, "its node selector agrees with none");
  if (words === "untolerated") return taintedFlavors(one, queue);
  if (words === "no-flavor") return noFlavor(one, queue, workload.podSets[0]?.name ?? "", "Kueue finds none");
  if (!canHold(workload, queue, one.index, ({ most }) => most)) return overMaximum(one, queue, words);
  // Flavors are chosen for one pod set after the other: what would fit in another order is not found.
  return words === "too-large" && workload.podSets.length > 1 ? overMaximum(one, queue, words) : undefined;
}

/** Quota that would do is there, and others hold it now. */
export function quotaExhausted(one: KueueCase): Finding | undefined {
  const { queue, workload, index, message, reason } = one;
  const words = kueueWords(reason, message);
  if (!queue) return byWordsAlone(one, words);
  if (canHold(workload, queue, index, ({ free }) => free)) return undefined;
  const rooms = scarceRooms(one, queue);
  const resource = rooms[0]?.resource ?? "";
  const held = holdersOf(one, rooms);
  const by =
    held.names.length === 0
      ? ""
      : `; ${listInWords(held.names)} hold${held.names.length === 1 ? "s" : ""} it`;
  const lent = rooms.reduce((sum, { lent: part }) => sum + part, 0);
  const borrowed =
    lent > 0 ? `; other queues of cohort ${queue.cohort} have borrowed ${say(resource, lent)} of it` : "";
  const base = {
    evidence: [...rooms.slice(0, 3).map((room) => roomEvidence(queue, room)), ...held.evidence, ...one.says],
    reads: ["clusterQueues", "workloads", "cohorts"] as const,
    next: [describeWorkload(workload), `kubectl describe clusterqueue ${shellWord(queue.name)}`],
  };
  const has = `${one.who} needs ${say(resource, askedBy(workload, resource))}, and ClusterQueue ${queue.name} has ${listInWords(rooms.map(roomInWords))}`;
  if (words === "no-victims") {
    return {
      ...base,
      reason: "PreemptionNotPossible",
      sure: {
        certainty: "medium",
        why: "the quotas show that it is used up, Kueue's message that nobody may be evicted",
      },
      sentence: `${has}${by}, and it may evict nobody (withinClusterQueue ${queue.preemption.withinClusterQueue}, reclaimWithinCohort ${queue.preemption.reclaimWithinCohort}).`,
      step: `quota of ${queue.name} is used up and no workload may be evicted for it`,
    };
  }
  const soon = words === "evicting" ? "; workloads are being evicted for it" : "";
  return {
    ...base,
    reason: "QueueQuotaExhausted",
    sure: sureOf(words, ["quota", "evicting"]),
    sentence: `${has}${by}${borrowed}${soon}.`,
    step: `${queue.name}: ${listInWords(rooms.map(roomInWords))}`,
    next: [
      ...base.next,
      "Wait for a holder to end, lower its priority, or raise the quota or the borrowing limit.",
    ],
  };
}

function notCovered(one: KueueCase, queue: ClusterQueueRecord, resource: string): Finding {
  const covered = queue.groups.flatMap((group) => group.covered);
  return {
    reason: "QueueRequestTooLarge",
    sure: sureOf(kueueWords(one.reason, one.message), ["uncovered"]),
    evidence: [
      factEvidence(queue, "spec.resourceGroups[].coveredResources", covered.join(", ") || "none"),
      ...one.says,
    ],
    sentence: `${one.who} asks for ${resource}, and ClusterQueue ${queue.name} has no quota of it at all: it covers ${listInWords(covered, 5) || "nothing"}.`,
    step: `${queue.name} does not cover ${resource}`,
    next: [
      `Give ClusterQueue ${queue.name} a quota of ${resource}, or send the workload to a queue that has one.`,
      describeWorkload(one.workload),
    ],
    reads: ["clusterQueues"],
  };
}

function noFlavor(one: KueueCase, queue: ClusterQueueRecord, set: string, why: string): Finding {
  const flavors = queue.groups.flatMap((group) => group.flavors.map(({ name }) => name));
  return {
    reason: "QueueRequestTooLarge",
    sure: sureOf(kueueWords(one.reason, one.message), ["no-flavor"]),
    evidence: [factEvidence(queue, "spec.resourceGroups[].flavors", flavors.join(", ")), ...one.says],
    sentence: `${one.who} can never be admitted by ClusterQueue ${queue.name}: no flavor takes pod set ${set} (${why} of ${listInWords([...new Set(flavors)])}).`,
    step: `no flavor of ${queue.name} takes pod set ${set}`,
    next: [
      "Correct the node selector or tolerations of the pods, or add a flavor for them.",
      describeWorkload(one.workload),
    ],
    reads: ["clusterQueues", "resourceFlavors"],
  };
}

/** Every flavor that could give the resources has a taint that the pods do not tolerate. */
function taintedFlavors(one: KueueCase, queue: ClusterQueueRecord): Finding {
  const taints = [...one.message.matchAll(/untolerated taint \{?&?([^\s,}]+)/gi)].map(([, key = ""]) => key);
  const names = listInWords([...new Set(taints)]);
  return {
    reason: "RequestNeverFits",
    sure: { certainty: "medium", why: "Kueue says so; the taints of flavors are not read" },
    evidence: one.says,
    sentence: `${one.who} can never be admitted as it is written: its pods do not tolerate the taint ${names} of the flavors of ClusterQueue ${queue.name}.`,
    step: `its pods do not tolerate ${names}`,
    next: [`Add a toleration for ${names} to the pods, or to the flavor.`, describeWorkload(one.workload)],
    reads: ["clusterQueues"],
  };
}

function overMaximum(one: KueueCase, queue: ClusterQueueRecord, words: KueueWords): Finding {
  const { workload, index } = one;
  const possible = canHold(workload, queue, index, ({ most }) => most);
  const rooms = scarceRooms(one, queue, ({ most }) => most);
  const resource = rooms[0]?.resource ?? "";
  const most = rooms.map(({ flavor, most: limit }) => `${say(resource, limit)} in ${flavor}`);
  const sets = workload.podSets
    .filter((set) => (set.requests[resource] ?? 0) > 0)
    .map((set) => `${set.name} ${say(resource, (set.requests[resource] ?? 0) * set.count)}`);
  const asks = `${one.who} asks for ${say(resource, askedBy(workload, resource))}${sets.length > 1 ? ` (${listInWords(sets)})` : ""}`;
  const gives = `ClusterQueue ${queue.name} gives at most ${listInWords(most)}, borrowing included`;
  return {
    reason: "QueueRequestTooLarge",
    sure: possible
      ? { certainty: "medium", why: "Kueue says so; by the quotas alone another choice of flavors would fit" }
      : sureOf(words, ["too-large"]),
    evidence: [...rooms.slice(0, 3).map((room) => roomEvidence(queue, room)), ...one.says],
    sentence: possible
      ? `${asks}, each pod set from one flavor, and ${gives}: Kueue chooses a flavor for one pod set after the other, and in that order no flavor is left that is large enough.`
      : `${asks}, and ${gives}: it can never be admitted there${sets.length > 1 ? ", since each pod set takes one flavor" : ""}.`,
    step: `${queue.name} gives at most ${listInWords(most)}`,
    next: [
      "Make the workload smaller, or raise the quota or the borrowing limit; waiting does not help.",
      describeWorkload(workload),
    ],
    reads: ["clusterQueues", "cohorts"],
  };
}

const REASON_OF_WORDS: Partial<Record<NonNullable<KueueWords>, Finding["reason"]>> = {
  "too-large": "QueueRequestTooLarge",
  uncovered: "QueueRequestTooLarge",
  "no-flavor": "QueueRequestTooLarge",
  untolerated: "RequestNeverFits",
  "limit-range": "NamespaceQuotaExceeded",
  invalid: "RequestNeverFits",
  quota: "QueueQuotaExhausted",
  evicting: "QueueQuotaExhausted",
  "no-victims": "PreemptionNotPossible",
  stopped: "SchedulingGated",
};

/** Queues cannot be read: what Kueue says is all there is. */
function byWordsAlone(one: KueueCase, words: KueueWords): Finding | undefined {
  const reason = words && REASON_OF_WORDS[words];
  if (!reason) return undefined;
  return {
    reason,
    sure: { certainty: "medium", why: "Kueue says so" },
    evidence: one.says,
    sentence: `${one.who} is not admitted by its queue: “${one.message || one.reason}”.`,
    step: one.reason === "" ? "not admitted" : `not admitted: ${one.reason}`,
    next: [describeWorkload(one.workload)],
    reads: ["clusterQueues", "localQueues"],
  };
}

/**
 * The resource that is short, in every flavor that could give it: an accelerator before anything else, flavors with
 * most left first.
 */
function scarceRooms(
  { workload, index, fleet }: KueueCase,
  queue: ClusterQueueRecord,
  limit: (room: QuotaRoom) => number = ({ free }) => free,
): QuotaRoom[] {
  const accelerators = acceleratorsOf(workload, fleet.acceleratorNames);
  const covered = queue.groups
    .flatMap((group) => group.covered)
    .filter((name) => askedBy(workload, name) > 0);
  const ordered = [
    ...covered.filter((name) => accelerators.includes(name)),
    ...covered.filter((name) => !accelerators.includes(name)),
  ];
  const roomsOf = (resource: string): QuotaRoom[] => {
    const flavors = queue.groups
      .filter((group) => group.covered.includes(resource))
      .flatMap((group) => workload.podSets.flatMap((set) => flavorsFor(set, group.flavors, index)));
    return [...new Set(flavors)].flatMap((flavor) => roomOf(queue, flavor, resource, index) ?? []);
  };
  const isShort = (resource: string): boolean =>
    !roomsOf(resource).some((room) => limit(room) >= askedBy(workload, resource));
  const resource = ordered.find(isShort) ?? ordered[0];
  return resource === undefined ? [] : roomsOf(resource).sort((a, b) => limit(b) - limit(a));
}

function holdersOf({ workload, queue, index }: KueueCase, rooms: readonly QuotaRoom[]) {
  const queues = queue?.cohort
    ? (index.cohorts.get(index.rootOf(queue.cohort)) ?? [queue])
    : queue
      ? [queue]
      : [];
  const held = queues
    .flatMap(({ name }) => index.holders.get(name) ?? [])
    .filter((other) => other.uid !== workload.uid && !isOver(other))
    .map((other) => ({
      other,
      amount: rooms.reduce((sum, { flavor, resource }) => sum + heldBy(other, flavor, resource), 0),
    }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount || (a.other.name < b.other.name ? -1 : 1));
  return {
    names: held.map(
      ({ other, amount }) => `${other.namespace}/${other.name} (${short(amount, rooms[0]?.resource)})`,
    ),
    evidence: held
      .slice(0, 2)
      .map(({ other, amount }) =>
        factEvidence(
          other,
          "status.admission",
          `${say(rooms[0]?.resource ?? "", amount)} in ClusterQueue ${other.clusterQueue}, priority ${other.priority}`,
        ),
      ),
  };
}

const short = (amount: number, resource = ""): string =>
  resource.includes("/") ? String(amount) : amountInWords(resource, amount);

/** Accelerator resources that its pods ask for. */
export function acceleratorsOf(workload: WorkloadRecord, extra: readonly string[]): readonly string[] {
  const names = workload.podSets.flatMap((set) =>
    Object.keys(set.requests).filter((name) => (set.requests[name] ?? 0) > 0 && acceleratorUnit(name, extra)),
  );
  return [...new Set(names)];
}

function say(resource: string, amount: number): string {
  return resource.includes("/") ? unitsInWords(resource, amount) : amountInWords(resource, amount);
}

function roomInWords({ flavor, resource, free, nominal, borrowingLimit, most }: QuotaRoom): string {
  const more =
    most > nominal
      ? ` (may borrow ${borrowingLimit === undefined ? "more" : say(resource, borrowingLimit)})`
      : "";
  return `${say(resource, free)} left of ${short(nominal, resource)} in ${flavor}${more}`;
}

function roomEvidence(queue: ClusterQueueRecord, room: QuotaRoom): Evidence {
  const { flavor, resource, nominal, used, most } = room;
  const value = `${short(used, resource)} of nominal ${short(nominal, resource)} reserved, at most ${short(most, resource)} with borrowing`;
  return factEvidence(queue, `flavor ${flavor}, ${resource}`, value);
}

function sureOf(words: KueueWords, agrees: readonly KueueWords[]): Sure {
  if (words === undefined)
    return { certainty: "medium", why: "the quotas show it; Kueue has left no message" };
  return agrees.includes(words)
    ? { certainty: "high", why: "the quotas and Kueue's message agree" }
    : { certainty: "medium", why: "the quotas show it, Kueue's message names another reason" };
}
