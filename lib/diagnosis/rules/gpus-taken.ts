import { isClaimedResource } from "../../model/accelerators.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { unitsInWords } from "../ask.ts";
import { SAYS_INSUFFICIENT, sureBySchedulersWords } from "../certainty.ts";
import { containerEvidence, nodeEvidence, podEvidence } from "../evidence.ts";
import type { NodeFit } from "../placement/node-fit.ts";
import { perPlacement } from "../placement/per-placement.ts";
import type { Finding, PlacementQuestion, Rule } from "../question.ts";
import { containerState } from "../runtime/container-state.ts";
import type { Evidence } from "../verdict.ts";
import { countInWords, listInWords, shellWord, timeInWords } from "../wording.ts";
import { asDeviceClaim } from "./device-claims.ts";

/** No node that takes pods has enough accelerators free: they are taken, or free in pieces only. */
export const gpusTaken: Rule<PlacementQuestion> = (question) => {
  const { placement, words } = question;
  if (!placement.isShortOfDevices) return undefined;
  const sums = sumUp(placement);
  const sure = sureBySchedulersWords(words, SAYS_TAKEN);
  const found =
    sums.free >= sums.asks && sums.most > 0
      ? { ...fragmented(question, sums), sure }
      : { ...busy(question, sums), sure };
  return asDeviceClaim(found, question);
};

/** For devices by claims it says that those cannot be allocated. */
const SAYS_TAKEN = new RegExp(`${SAYS_INSUFFICIENT.source}|cannot allocate all claims`);

interface Sums {
  readonly resource: string;
  readonly asks: number;
  /** Over all open candidates, in units of `resource`. */
  readonly free: number;
  readonly total: number;
  /** Free on the node that has most. */
  readonly most: number;
  /** `H100` where all nodes have the same. */
  readonly model: string | undefined;
}

/** Of the first accelerator that it asks for: pods ask for one kind. */
const sumUp = perPlacement(({ ask, open }): Sums => {
  const [resource = "", asks = 0] = ask.accelerators[0] ?? [];
  const models = new Set<string | undefined>();
  const sums = { free: 0, total: 0, most: 0 };
  for (const { facts, units } of open) {
    models.add(facts.node.gpus.model);
    sums.free += units.free;
    sums.total += facts.node.record.allocatable?.[resource] ?? 0;
    sums.most = Math.max(sums.most, units.free);
  }
  const [model] = models;
  return { resource, asks, ...sums, model: models.size === 1 ? model : undefined };
});

type Found = Omit<Finding, "sure">;

function busy(question: PlacementQuestion, { resource, free, total, model }: Sums): Found {
  const { pod, ask, placement, words, now } = question;
  const { holders, owners, isWhole, crashing, leaving } = placement.holding();
  const all = unitsInWords(resource, total, model);
  const where = nodesThatFit(placement.open);
  const be = total === 1 ? "is" : "are";
  const by = holders.length === 0 ? "" : isWhole ? ` by ${owners}` : `, most by ${owners}`;
  const taken =
    total === 0
      ? `${where} offer none now`
      : free === 0
        ? `${total === 1 ? "the" : "all"} ${all} on ${where} ${be} taken${by}`
        : `only ${free} of ${all} on ${where} ${free === 1 ? "is" : "are"} free, the rest is taken${by}`;
  const names = crashing.map((one) => `${one.namespace}/${one.name}`);
  const but =
    names.length === 0 ? "" : `; ${listInWords(names)} only crash-loop${names.length === 1 ? "s" : ""}`;
  const stuck = leaving.filter(({ deletedAt = now }) => now - deletedAt > NORMAL_END_MS);
  return {
    reason: "GpusBusy",
    evidence: [
      ...heldEvidence(placement.open, resource),
      ...crashing.flatMap(crash),
      ...stuck.map(deletion),
      ...says(words),
    ],
    holders,
    sentence: `${pod.name} needs ${ask.words}: ${taken}${but}${deletionsInWords(stuck, now)}${nominationOf(pod)}.`,
    step: `${free} of ${all} free on ${countInWords(placement.open.length, "node")}`,
    next: [
      ...names.map((name) => `Ask the owner of ${name} to mend or stop it: it holds GPUs and does no work.`),
      ...stuck.map(
        ({ namespace, name }) =>
          `Find out what keeps ${namespace}/${name} from ending (finalizers, a kubelet that does not answer): kubectl -n ${shellWord(namespace)} get pod ${shellWord(name)} -o yaml`,
      ),
      "Wait for a holder to end, lower the priority of one, or add capacity.",
      `kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`,
    ],
  };
}

function nodesThatFit(open: readonly NodeFit[]): string {
  const [only] = open;
  if (open.length === 1 && only) return `${only.facts.node.record.name}, the only node that fits,`;
  return `the ${countInWords(open.length, "node")} that fit`;
}

function fragmented(question: PlacementQuestion, { resource, free, most, model }: Sums): Found {
  const { pod, ask, placement, words } = question;
  const some = placement.open.filter((fit) => fit.units.free > 0);
  const nodes = countInWords(some.length, "node");
  const all = unitsInWords(resource, free, model);
  return {
    reason: "GpusFragmented",
    evidence: [...freeEvidence(some, resource), ...says(words)],
    holders: placement.holding().holders,
    sentence: `${pod.name} needs ${ask.words} on one node: ${all} are free over ${nodes}, but no node has more than ${most} free.`,
    step: `${all} free over ${nodes}, at most ${most} on one`,
    next: [
      "Let small pods end or move together, so that one node comes free; or ask for less on one node.",
      `kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`,
    ],
  };
}

const says = (words: PlacementQuestion["words"]): readonly Evidence[] => words?.evidence ?? [];

/** The scheduler has chosen a node where it makes room, or waits for some. */
function nominationOf({ nominatedNodeName }: PodRecord): string {
  return nominatedNodeName === undefined
    ? ""
    : `; it is nominated to ${nominatedNodeName} and waits for room there`;
}

/** A pod that is to be deleted should have ended by now: its grace period is over for so long. */
const NORMAL_END_MS = 120_000;

function deletionsInWords([first, ...others]: readonly PodRecord[], now: number): string {
  if (!first) return "";
  const { namespace, name, deletedAt } = first;
  const since = deletedAt === undefined ? "" : ` since ${timeInWords(deletedAt, now)}`;
  const more = others.length === 0 ? "" : `, as ${others.length} more do`;
  return `; ${namespace}/${name} should have ended${since} and still holds its own${more}`;
}

function deletion(pod: PodRecord): Evidence {
  return podEvidence(pod, "metadata.deletionTimestamp", "set, and the pod is still there", pod.deletedAt);
}

/** What shows that a holder does no work. */
function crash(pod: PodRecord): Evidence[] {
  const container = pod.containers.find((one) => one.state.kind === "waiting");
  return container ? [containerEvidence(pod, container, containerState(container))] : [];
}

/** Where the node's offer is written: in its status, or in the ResourceSlices that drivers make for it. */
function offerField(resource: string): string {
  return isClaimedResource(resource) ? "devices in its ResourceSlices" : `status.allocatable["${resource}"]`;
}

function heldEvidence(open: readonly NodeFit[], resource: string): Evidence[] {
  return open.slice(0, 3).map(({ facts: { node, held } }) => {
    const has = node.record.allocatable?.[resource] ?? 0;
    const value = `${has}, of which pods request ${held[resource] ?? 0}`;
    return nodeEvidence(node.record, offerField(resource), value);
  });
}

function freeEvidence(some: readonly NodeFit[], resource: string): Evidence[] {
  return [...some]
    .sort((a, b) => b.units.free - a.units.free)
    .slice(0, 3)
    .map(({ facts: { node }, units }) => {
      const has = node.record.allocatable?.[resource] ?? 0;
      return nodeEvidence(node.record, offerField(resource), `${has}, of which ${units.free} free`);
    });
}
