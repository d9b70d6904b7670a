import { devicePluginsOf } from "../layers/device-plugin.ts";
import type { Fleet, FleetNode, Pool, PoolMember } from "../layers/fleet.ts";
import { devices } from "../layers/node-gpus.ts";
import { acceleratorRequests } from "../model/accelerators.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import type { Stage } from "../model/stages.ts";
import { podWork } from "./classify-pod.ts";
import type { Entry } from "./entry.ts";

type NodeMember = Extract<PoolMember, { kind: "node" }>;

/** Reason of what is lost in the last minutes of a reservation, when its provider takes the machines back. */
export const ENDING = "EndingSoon";
export const ENDING_DETAIL = "inside the reservation's last minutes: its machines are taken back";

/** Puts every GPU of a machine that is a node into the first stage that applies. The sum is `member.gpus`. */
export function classifyNode(member: NodeMember, pool: Pool, fleet: Fleet): Entry[] {
  const { node, gpus: paid } = member;
  const object = { kind: "Node", name: node.record.name };
  const entry = (stage: Stage, gpus: number, rest: Pick<Entry, "reason" | "detail" | "since">): Entry => {
    return { stage, schedulable: undefined, gpus, rate: member.rate, object, ...rest };
  };
  if (!node.readiness.ready) {
    const { reason, message, since } = node.readiness;
    return [entry("not-ready", paid, { reason: "NodeNotReady", detail: message || reason, since })];
  }
  const { advertised, allocatable } = node.gpus;
  const missing = {
    reason: "GpuNotAdvertised",
    detail: missingDetail(node, paid),
    since: pluginFailure(node)?.since,
  };
  const broken = {
    reason: "GpuUnhealthy",
    detail: `${allocatable} of ${advertised} allocatable`,
    since: undefined,
  };
  return [
    entry("not-advertised", paid - advertised, missing),
    entry("unhealthy", advertised - allocatable, broken),
    ...(fleet.podsKnown ? [...idle(member, pool, fleet, entry), ...busy(member, fleet)] : [untold(member)]),
  ].filter((found) => found.gpus > 0);
}

/** The pods were never read: its GPUs are schedulable if it takes pods, but who holds them cannot be told. */
function untold({ node, rate }: NodeMember): Entry {
  return {
    stage: undefined,
    schedulable: node.blocked === undefined ? true : undefined,
    gpus: node.gpus.allocatable,
    rate,
    reason: "PodsNotRead",
    detail: "pods were never read: who holds its GPUs cannot be told",
    since: undefined,
    object: { kind: "Node", name: node.record.name },
  };
}

function idle(
  { node }: NodeMember,
  pool: Pool,
  fleet: Fleet,
  entry: (stage: Stage, gpus: number, rest: Pick<Entry, "reason" | "detail" | "since">) => Entry,
): Entry[] {
  const free = node.gpus.allocatable - node.gpus.requested;
  if (node.blocked) {
    const { by, since } = node.blocked;
    const detail = by === "unschedulable" ? "cordoned" : by === "deletion" ? "being deleted" : `taint ${by}`;
    return [entry("cordoned", free, { reason: "NodeCordoned", detail, since })];
  }
  if (pool.reservation?.ending) {
    const since = pool.reservation.record.usableUntil;
    return [entry("cordoned", free, { reason: ENDING, detail: ENDING_DETAIL, since })];
  }
  const used = usedUp(node, fleet);
  if (used) {
    return [entry("stranded", free, { reason: "OtherResourcesExhausted", detail: used, since: undefined })];
  }
  const held = Math.min(free, heldGpus(node, fleet));
  const nominee = node.nominated.map((pod) => `${pod.namespace}/${pod.name}`).join(", ");
  return [
    entry("held", held, { reason: "Nominated", detail: `kept for ${nominee}`, since: undefined }),
    entry("free", free - held, { reason: "Free", detail: "free", since: undefined }),
  ];
}

/** Requested GPUs, pod by pod; where pods hold more than is left, the later ones count for what is left. */
function busy({ node, rate }: NodeMember, fleet: Fleet): Entry[] {
  let left = node.gpus.requested;
  const shares = node.pods
    .map((pod) => ({ pod, gpus: heldBy(pod, node, fleet, Math.ceil) }))
    .filter(({ gpus }) => gpus > 0)
    .map((share) => ({ ...share, work: podWork(share.pod) }))
    .sort((a, b) => Number(b.work.working) - Number(a.work.working) || (a.pod.name < b.pod.name ? -1 : 1));
  return shares.map(({ pod, gpus, work }): Entry => {
    const share = Math.min(gpus, left);
    left -= share;
    return {
      stage: work.working ? "working" : "not-working",
      schedulable: undefined,
      gpus: share,
      rate,
      reason: work.reason,
      detail: work.detail,
      since: work.since,
      object: { kind: "Pod", namespace: pod.namespace, name: pod.name },
    };
  });
}

function heldBy(pod: PodRecord, node: FleetNode, fleet: Fleet, round: (value: number) => number): number {
  if (acceleratorRequests(pod.requests, fleet.acceleratorNames).length === 0) return 0;
  return devices(pod.requests, node.gpus.unitsPerDevice, round);
}

function heldGpus(node: FleetNode, fleet: Fleet): number {
  return node.nominated.reduce((sum, pod) => sum + heldBy(pod, node, fleet, Math.ceil), 0);
}

/** Which resource besides GPUs is so used up that not even the least demanding GPU pod fits; undefined if none. */
function usedUp(node: FleetNode, fleet: Fleet): string | undefined {
  const least = fleet.leastGpuPod;
  const short = (resource: string, needed: number): boolean => {
    const free = node.free[resource];
    return free !== undefined && (free <= 0 || free < needed);
  };
  if (short("pods", 1)) return "no room for another pod";
  if (short("cpu", least?.cpu ?? 0)) {
    const total = (node.record.allocatable?.cpu ?? 0) / 1000;
    return `CPU requests at ${trim(total - (node.free.cpu ?? 0) / 1000)} of ${trim(total)}`;
  }
  if (short("memory", least?.memory ?? 0)) {
    const gib = (bytes: number) => trim(bytes / 2 ** 30);
    const total = node.record.allocatable?.memory ?? 0;
    return `memory requests at ${gib(total - (node.free.memory ?? 0))} of ${gib(total)} GiB`;
  }
  return undefined;
}

const trim = (value: number): string => String(Math.round(value * 10) / 10);

/** The failing device plugin or driver pod on the node, if there is one. */
function pluginFailure(
  node: FleetNode,
): { name: string; detail: string; since: number | undefined } | undefined {
  const { failing } = devicePluginsOf(node);
  if (!failing) return undefined;
  const { working, detail, since } = podWork(failing.pod);
  return {
    name: `${failing.pod.namespace}/${failing.pod.name}`,
    detail: working ? "runs again and is not Ready" : detail,
    since,
  };
}

function missingDetail(node: FleetNode, paid: number): string {
  const what =
    node.gpus.advertised === 0
      ? "Ready, but advertises no GPU"
      : `advertises ${node.gpus.advertised} of ${paid}`;
  const failure = pluginFailure(node);
  return failure ? `${what}: ${failure.name} ${failure.detail}` : what;
}
