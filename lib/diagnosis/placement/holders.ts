import { gpusAsked } from "../../layers/gpus-asked.ts";
import type { HolderView } from "../../model/fleet-view.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import type { Ask } from "../ask.ts";
import { listInWords } from "../wording.ts";
import { type NodeFit, nominatedBefore } from "./node-fit.ts";

/** Who holds, or is nominated to, the accelerators of some nodes. */
export interface Holding {
  /** Biggest first, cut at HOLDERS_SHOWN. */
  readonly holders: readonly HolderView[];
  /** Workloads with most GPUs first: `ml/pretrain (64), ml/eval (8) and 4 more`. */
  readonly owners: string;
  /** False where `owners` leaves some out. */
  readonly isWhole: boolean;
  /** Holders that keep crashing: their GPUs look idle and stay requested. At most three. */
  readonly crashing: readonly PodRecord[];
  /** Holders that are being deleted: they hold their GPUs until they have gone. At most three, longest first. */
  readonly leaving: readonly PodRecord[];
}

const OWNERS_SHOWN = 3;
const HOLDERS_SHOWN = 20;

/** Sets of nodes whose holders are remembered, for each resource. */
const REMEMBERED = 8;

/**
 * Who stands in the way of a pod on some nodes: the same for all pods that wait for one resource there, unless pods are
 * nominated to them. `extra`: accelerator names from the configuration.
 */
export function createHoldings(
  extra: readonly string[],
): (waiting: PodRecord, fits: readonly NodeFit[], ask: Ask) => Holding {
  const known = new Map<string, { readonly fits: readonly NodeFit[]; readonly holding: Holding }[]>();
  return (waiting, fits, ask) => {
    if (fits.some(({ facts }) => facts.node.nominated.length > 0))
      return holdingOf(waiting, fits, ask, extra);
    const key = ask.accelerators.map(([resource]) => resource).join();
    const list = known.get(key) ?? [];
    known.set(key, list);
    const same = list.find((one) => areSameNodes(one.fits, fits));
    if (same) return same.holding;
    const holding = holdingOf(waiting, fits, ask, extra);
    if (list.unshift({ fits, holding }) > REMEMBERED) list.pop();
    return holding;
  };
}

function areSameNodes(a: readonly NodeFit[], b: readonly NodeFit[]): boolean {
  return a.length === b.length && a.every(({ facts }, index) => facts === b[index]?.facts);
}

function holdingOf(
  waiting: PodRecord,
  fits: readonly NodeFit[],
  ask: Ask,
  extra: readonly string[],
): Holding {
  const wanted = ask.accelerators.map(([resource]) => resource);
  const holders = fits
    .flatMap(({ facts: { node, holders: bound } }) => {
      const nominated = nominatedBefore(waiting, node).map((pod) => ({
        pod,
        devices: gpusAsked(pod, extra),
      }));
      return [...bound, ...nominated]
        .filter(({ pod }) => wanted.some((resource) => (pod.requests[resource] ?? 0) > 0))
        .map(({ pod, devices }) => ({ pod, node: node.record.name, gpus: devices }));
    })
    .sort((a, b) => b.gpus - a.gpus || (a.pod.name < b.pod.name ? -1 : 1));
  const owners = [...Map.groupBy(holders, ({ pod }) => `${pod.namespace}/${pod.owner?.name ?? pod.name}`)]
    .map(([name, list]) => ({ name, gpus: list.reduce((sum, one) => sum + one.gpus, 0) }))
    .sort((a, b) => b.gpus - a.gpus || (a.name < b.name ? -1 : 1));
  const words = owners.map(({ name, gpus }) => `${name} (${gpus})`);
  return {
    holders: holders
      .slice(0, HOLDERS_SHOWN)
      .map(({ pod, node, gpus }) => ({ namespace: pod.namespace, name: pod.name, node, gpus })),
    owners: listInWords(words, OWNERS_SHOWN),
    isWhole: owners.length <= OWNERS_SHOWN,
    crashing: holders.flatMap(({ pod }) => (isCrashing(pod) ? [pod] : [])).slice(0, 3),
    leaving: holders
      .flatMap(({ pod }) => (pod.deletedAt === undefined ? [] : [pod]))
      .sort((a, b) => (a.deletedAt ?? 0) - (b.deletedAt ?? 0))
      .slice(0, 3),
  };
}

function isCrashing(pod: PodRecord): boolean {
  return pod.containers.some(({ state }) => state.kind === "waiting" && state.reason === "CrashLoopBackOff");
}
