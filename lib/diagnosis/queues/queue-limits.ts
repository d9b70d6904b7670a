import type { Fleet } from "../../layers/fleet.ts";
import { acceleratorUnit } from "../../model/accelerators.ts";
import type { PodGroupRecord, QueueRecord } from "../../model/facts/gangs.ts";
import type { EventRecord, Resources } from "../../model/kubernetes.ts";
import { unitsInWords } from "../ask.ts";
import { eventEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { Finding } from "../question.ts";
import type { Evidence, Gang } from "../verdict.ts";
import { amountInWords, shellWord } from "../wording.ts";

/** The API group of a queue: queues of different schedulers may have the same name. */
export type QueueFamily = "scheduling.volcano.sh" | "scheduling.run.ai";

/** A pod or a group of pods that waits in a queue. */
export interface Applicant {
  /** `p asks`, `p and its group g ask together`: the start of a sentence. */
  readonly asks: string;
  readonly name: string;
  readonly family: QueueFamily;
  readonly queue: string;
  readonly asked: Resources;
  /** True where it may not be preempted. */
  readonly fixed: boolean;
  readonly group: PodGroupRecord | undefined;
  readonly gang: Gang | undefined;
  /** Newest first. */
  readonly events: readonly EventRecord[];
  /** What else its scheduler says of it. */
  readonly words: string;
  readonly says: readonly Evidence[];
}

/** What queues hold that do not say so themselves. */
export interface Holdings {
  readonly all: (queue: string) => Resources;
  readonly fixed: (queue: string) => Resources;
}

/**
 * Why the queue of an applicant, or one above it, does not take it: it is closed, it may never hold as much, it may not
 * hold as much besides what it holds now, or the scheduler says so.
 */
export function queueRefusal(applicant: Applicant, fleet: Fleet, holdings: Holdings): Finding | undefined {
  const chain = chainOf(applicant, fleet);
  if (chain.length === 0 && isRead(applicant.family, fleet)) return missing(applicant);
  for (const queue of chain) {
    const found = closed(applicant, queue) ?? overLimit(applicant, queue, fleet, holdings);
    if (found) return found;
  }
  return saidFull(applicant, chain[0]);
}

const queues = perFleet(
  ({ facts }) =>
    new Map(facts.queues.items.map((queue) => [`${queue.apiVersion.split("/")[0]}/${queue.name}`, queue])),
);

/** The queue and those above it; a circle ends. */
function chainOf({ queue: name, family }: Applicant, fleet: Fleet): QueueRecord[] {
  const chain: QueueRecord[] = [];
  let next = name;
  while (next !== "") {
    const queue = queues(fleet).get(`${family}/${next}`);
    if (!queue || chain.includes(queue)) break;
    chain.push(queue);
    next = queue.parent;
  }
  return chain;
}

/** Queues of the family are there, and all of them are read. */
function isRead(family: QueueFamily, { facts }: Fleet): boolean {
  return (
    facts.queues.known && facts.queues.items.some(({ apiVersion }) => apiVersion.startsWith(`${family}/`))
  );
}

function missing({ name, queue, family, group, says }: Applicant): Finding {
  return {
    reason: "SchedulingGated",
    sure: { certainty: "high", why: "all queues are read, and none has that name" },
    evidence: [...(group ? [factEvidence(group, "spec.queue", queue)] : []), ...says],
    sentence: `${name} waits in queue ${queue || "without a name"}, which does not exist: no scheduler lets it in.`,
    step: `there is no queue ${queue}`,
    next: [`kubectl get queues.${family}`, "Create that queue, or name one that exists."],
    reads: ["queues"],
  };
}

function closed({ name, says }: Applicant, queue: QueueRecord): Finding | undefined {
  if (!/^(Closed|Closing)$/.test(queue.state)) return undefined;
  return {
    reason: "SchedulingGated",
    sure: { certainty: "high", why: "a closed queue takes nothing" },
    evidence: [factEvidence(queue, "status.state", queue.state), ...says],
    sentence: `${name} waits in queue ${queue.name}, which is ${queue.state.toLowerCase()}: it takes no new work.`,
    step: `queue ${queue.name} is ${queue.state.toLowerCase()}`,
    next: [`Ask the owner of queue ${queue.name} to open it, or name another queue.`],
    reads: ["queues"],
  };
}

interface Over {
  readonly resource: string;
  readonly asks: number;
  readonly most: number;
  readonly held: number;
  /** The limit on what may not be preempted, not that on everything. */
  readonly fixed: boolean;
}

function overLimit(
  applicant: Applicant,
  queue: QueueRecord,
  fleet: Fleet,
  holdings: Holdings,
): Finding | undefined {
  const { asked, group } = applicant;
  const over = [
    ...overOf(queue.limit, asked, queue.allocated ?? holdings.all(queue.name), false),
    ...(applicant.fixed
      ? overOf(queue.quota, asked, queue.allocatedFixed ?? holdings.fixed(queue.name), true)
      : []),
  ];
  // What can never be comes before what cannot be now, an accelerator before anything else.
  const rank = ({ asks, most, resource }: Over): number =>
    (asks > most ? 0 : 2) + (acceleratorUnit(resource, fleet.acceleratorNames) ? 0 : 1);
  const [worst] = over.sort((a, b) => rank(a) - rank(b));
  if (!worst) return undefined;
  const { resource, asks, most, held, fixed } = worst;
  const never = asks > most;
  const limit = `${fixed ? "a quota" : "a limit"} of ${say(resource, most)}${fixed ? " for pods that may not be preempted" : ""}`;
  return {
    reason: never ? "QueueRequestTooLarge" : "QueueQuotaExhausted",
    sure: saysQueue(applicant)
      ? { certainty: "high", why: "the queue's limit and the scheduler's message agree" }
      : {
          certainty: never ? "high" : "medium",
          why: "the queue's limit shows it; the scheduler's message names no queue",
        },
    evidence: [
      factEvidence(
        queue,
        `${fixed ? "quota" : "limit"} of ${resource}`,
        `${round(most)}, of which ${round(held)} held`,
      ),
      ...(group?.minResources
        ? [factEvidence(group, `spec.minResources["${resource}"]`, String(round(asks)))]
        : []),
      ...wordsOf(applicant),
      ...applicant.says,
    ],
    sentence: never
      ? `${applicant.asks} for ${say(resource, asks)}, and queue ${queue.name} has ${limit}: it can never be admitted there.`
      : `${applicant.asks} for ${say(resource, asks)}: queue ${queue.name} has ${limit}, and ${say(resource, held)} are held already.`,
    step: `queue ${queue.name}: asks ${round(asks)}, ${round(held)} of ${round(most)} held`,
    next: [
      never
        ? `Ask for less, raise the limit of queue ${queue.name}, or use another queue; waiting does not help.`
        : `Wait for work in queue ${queue.name} to end, or ask its owner for more.`,
      describeQueue(applicant.family, queue.name),
    ],
    gang: applicant.gang,
    reads: ["queues", "podGroups"],
  };
}

function overOf(limits: Resources, asked: Resources, held: Resources, fixed: boolean): Over[] {
  return Object.entries(limits).flatMap(([resource, most]) => {
    const asks = asked[resource] ?? 0;
    const has = held[resource] ?? 0;
    // Parts of a device do not add up to the last digit.
    return asks > 0 && has + asks > most + 1e-9 ? [{ resource, asks, most, held: has, fixed }] : [];
  });
}

/** Volcano and KAI where they refuse a group for its queue. */
const SAYS_FULL =
  /queue resource quota insufficient|queue \S* ?(?:is )?overused|OverLimit|NonPreemptibleOverQuota|quota has reached the allowable limit/i;

/** The scheduler refuses for the queue, by a share that it works out itself or a limit that is not read. */
function saidFull(applicant: Applicant, queue: QueueRecord | undefined): Finding | undefined {
  if (!SAYS_FULL.test(messages(applicant))) return undefined;
  const { name, family } = applicant;
  const unnamed = queue
    ? Object.keys(applicant.asked).filter((one) => one.includes("/") && !(one in queue.limit))
    : [];
  const but = queue
    ? unnamed.length > 0 && Object.keys(queue.limit).length > 0
      ? `; its limits do not name ${unnamed.join(" and ")}`
      : "; by its written limits it would fit"
    : "";
  return {
    reason: "QueueQuotaExhausted",
    sure: {
      certainty: "medium",
      why: "the scheduler says so; the share that it gives to a queue is not written down",
    },
    evidence: [...wordsOf(applicant), ...applicant.says],
    sentence: `${name} is refused for queue ${applicant.queue}, whose share is used up as its scheduler says${but}.`,
    step: `queue ${applicant.queue}: its share is used up`,
    next: [
      describeQueue(family, applicant.queue),
      "Compare what the queue is allocated with its share: capability, deserved, guarantees of other queues, and what the cluster has.",
    ],
    gang: applicant.gang,
    reads: ["queues", "podGroups"],
  };
}

/** What schedulers with queues say of them. */
const QUEUE_SAYS = /queue|quota|OverLimit|overused|capability/i;

const saysQueue = (applicant: Applicant): boolean => QUEUE_SAYS.test(messages(applicant));

function messages({ events, words, group }: Applicant): string {
  const conditions = (group?.conditions ?? []).map(({ reason, message }) => `${reason} ${message}`);
  return [words, ...events.map(({ message }) => message), ...conditions].join("\n");
}

/** The newest event that speaks of the queue. */
function wordsOf({ events }: Applicant): Evidence[] {
  const event = events.find((one) => QUEUE_SAYS.test(one.message));
  return event ? [eventEvidence(event)] : [];
}

const describeQueue = (family: QueueFamily, name: string): string =>
  `kubectl describe queues.${family} ${shellWord(name)}`;

function say(resource: string, amount: number): string {
  return resource.includes("/") ? unitsInWords(resource, round(amount)) : amountInWords(resource, amount);
}

const round = (amount: number): number => Math.round(amount * 100) / 100;
