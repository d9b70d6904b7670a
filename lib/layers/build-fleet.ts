import { acceleratorRequests } from "../model/accelerators.ts";
import type { NodeRecord, PodRecord, Resources } from "../model/kubernetes.ts";
import type { Issue, Snapshot } from "../model/snapshot.ts";
import { buildPools, poolKeyOf } from "./build-pools.ts";
import { withClaimedDevices } from "./claimed-devices.ts";
import { clockSkewIssues } from "./clock-skew.ts";
import { indexEvents } from "./event-index.ts";
import type { Fleet, FleetNode } from "./fleet.ts";
import { isGpuReservation } from "./gpu-share.ts";
import { gpusAsked } from "./gpus-asked.ts";
import { groupPresent } from "./group-present.ts";
import { launchedMachines } from "./launched-machines.ts";
import { type Match, type Matching, matchReservations } from "./match-reservations.ts";
import { countNodeGpus } from "./node-gpus.ts";
import { blockedBy, readinessOf } from "./node-state.ts";
import type { PastReservation, ReservationMemory } from "./past-reservation.ts";
import { poolReservations } from "./pool-reservations.ts";
import { reservationRate } from "./rate.ts";
import { reservationState } from "./reservation-state.ts";
import { withStartupTaints } from "./startup-taints.ts";

/**
 * Joins what was read: pods to nodes, nodes to the reservations that pay for them, both to pools. `memory`: where nodes
 * were seen before. Never throws on data.
 */
export function buildFleet(snapshot: Snapshot, now: number, memory: ReservationMemory = new Map()): Fleet {
  const extra = snapshot.acceleratorNames;
  const { nodes, pods, twins } = withClaimedDevices(
    withStartupTaints(uniqueByName(snapshot.nodes.items), snapshot.facts),
    snapshot.pods.items,
    snapshot.facts,
  );
  const alive = pods.filter((pod) => !isTerminal(pod));
  const bound = groupPresent(alive, (pod) => pod.nodeName);
  const nominated = groupPresent(alive, (pod) =>
    pod.nodeName === undefined ? pod.nominatedNodeName : undefined,
  );
  const { prices } = snapshot;
  const reservations = snapshot.reservations.items.map((record) => {
    return { ...record, rate: reservationRate(record, prices) };
  });
  const launched = snapshot.nodes.known
    ? launchedMachines(snapshot.facts.nodeClaims.items, nodes, extra)
    : [];
  const machines = [...nodes, ...launched.map(({ node }) => node)];
  const matching = matchReservations(machines, reservations, now, poolReservations(snapshot.facts));
  const issues: Issue[] = [...matching.issues, ...unknownNodeIssues(bound, nodes, snapshot.nodes.known)];

  const fleetNodes = new Map<string, FleetNode>();
  for (const record of nodes) {
    const match = matching.ofNode.get(record.name);
    const own = bound.get(record.name) ?? [];
    const shared = twins.get(record.name) ?? [];
    const requested = sumRequests(own);
    const pods = { bound: own, requested, nominated: nominated.get(record.name) ?? [] };
    const built = buildNode(record, pods, match, extra, shared);
    const node = match ? built : { ...built, past: pastOf(record, matching, memory, now) };
    fleetNodes.set(record.name, node);
    issues.push(...nodeIssues(node, requested, match, extra));
  }

  const gpuPods = alive.filter(
    (pod) => pod.system === undefined && gpusAsked(pod, extra) > 0 && !isGpuReservation(pod),
  );
  issues.push(...clockSkewIssues(fleetNodes.values(), gpuPods, now));
  return {
    nodes: fleetNodes,
    pools: buildPools(fleetNodes, {
      reservations,
      matching,
      launched,
      prices,
      now,
      nodesKnown: snapshot.nodes.known,
    }),
    gpuPods,
    events: indexEvents(snapshot.events.items),
    pods,
    facts: snapshot.facts,
    podsKnown: snapshot.pods.known,
    nodesKnown: snapshot.nodes.known,
    acceleratorNames: extra,
    leastGpuPod: leastOf(gpuPods),
    issues,
  };
}

/** Terminal pods hold nothing. https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-phase */
function isTerminal(pod: PodRecord): boolean {
  return pod.phase === "Succeeded" || pod.phase === "Failed";
}

function uniqueByName(nodes: readonly NodeRecord[]): readonly NodeRecord[] {
  return [...new Map(nodes.map((node) => [node.name, node])).values()];
}

/** What a node outside every reservation ran in: what it still names, else what it was last seen in. */
function pastOf(
  record: NodeRecord,
  { inactive }: Matching,
  memory: ReservationMemory,
  now: number,
): PastReservation | undefined {
  const named = inactive.get(record.name);
  const seen = memory.get(record.uid);
  if (!named || named.id === seen?.id) return seen;
  // What has not begun is no past.
  if (reservationState(named, now) === "scheduled") return seen;
  const until = named.end !== undefined && named.end <= now ? named.end : undefined;
  return { id: named.id, name: named.name, until };
}

/** The pods of a node, and what the bound ones request together. */
interface NodePods {
  readonly bound: readonly PodRecord[];
  readonly requested: Resources;
  readonly nominated: readonly PodRecord[];
}

function buildNode(
  record: NodeRecord,
  { bound, requested, nominated }: NodePods,
  match: Match | undefined,
  extra: readonly string[],
  twins: readonly (readonly [string, string])[],
): FleetNode {
  const gpus = countNodeGpus(record, requested, match?.reservation.gpusPerInstance, extra);
  return {
    record,
    poolId: gpus.physical > 0 ? poolKeyOf(record, match).id : undefined,
    past: undefined,
    gpus,
    readiness: readinessOf(record),
    blocked: blockedBy(record),
    pods: bound,
    free: subtract(record.allocatable ?? {}, twinned(requested, twins)),
    nominated,
  };
}

function sumRequests(pods: readonly PodRecord[]): Resources {
  // Pods alike have their requests in common: they are added once for all of them.
  const counts = new Map<Resources, number>();
  for (const { requests } of pods) counts.set(requests, (counts.get(requests) ?? 0) + 1);
  const sum: Record<string, number> = {};
  for (const [requests, count] of counts) {
    for (const [resource, amount] of Object.entries(requests))
      sum[resource] = (sum[resource] ?? 0) + count * amount;
  }
  return sum;
}

/** What is taken under one of two names for the same devices is taken under the other. */
function twinned(requested: Resources, twins: readonly (readonly [string, string])[]): Resources {
  if (twins.length === 0) return requested;
  const sum: Record<string, number> = { ...requested };
  for (const [one, other] of twins) {
    const both = (requested[one] ?? 0) + (requested[other] ?? 0);
    sum[one] = both;
    sum[other] = both;
  }
  return sum;
}

function subtract(allocatable: Resources, requested: Resources): Resources {
  return Object.fromEntries(
    Object.entries(allocatable).map(([name, amount]) => [name, Math.max(0, amount - (requested[name] ?? 0))]),
  );
}

function leastOf(gpuPods: readonly PodRecord[]): Fleet["leastGpuPod"] {
  if (gpuPods.length === 0) return undefined;
  let cpu = Number.POSITIVE_INFINITY;
  let memory = Number.POSITIVE_INFINITY;
  for (const pod of gpuPods) {
    cpu = Math.min(cpu, pod.requests.cpu ?? 0);
    memory = Math.min(memory, pod.requests.memory ?? 0);
  }
  return { cpu, memory };
}

function unknownNodeIssues(
  bound: ReadonlyMap<string, readonly PodRecord[]>,
  nodes: readonly NodeRecord[],
  nodesKnown: boolean,
): Issue[] {
  if (!nodesKnown) return [];
  const names = new Set(nodes.map((node) => node.name));
  return [...bound]
    .filter(([name]) => !names.has(name))
    .flatMap(([name, pods]) =>
      pods.map(
        (pod): Issue => ({
          code: "PodOnUnknownNode",
          severity: "warning",
          message: `is bound to node ${name}, which does not exist`,
          object: { kind: "Pod", namespace: pod.namespace, name: pod.name },
        }),
      ),
    );
}

function nodeIssues(
  node: FleetNode,
  requested: Resources,
  match: Match | undefined,
  extra: readonly string[],
): Issue[] {
  const object = { kind: "Node", name: node.record.name };
  const issues: Issue[] = [];
  if (node.record.capacity === undefined) {
    issues.push({
      code: "NodeWithoutCapacity",
      severity: "warning",
      message: "its status has no capacity",
      object,
    });
  }
  for (const [resource, units] of acceleratorRequests(requested, extra)) {
    const there = node.record.allocatable?.[resource] ?? 0;
    if (units <= there) continue;
    issues.push({
      code: "MoreRequestedThanAllocatable",
      severity: "warning",
      message: `its pods hold ${units} ${resource}, it offers ${there}`,
      object,
    });
  }
  const own = countNodeGpus(node.record, {}, undefined, extra).physical;
  if (match && own > match.reservation.gpusPerInstance) {
    issues.push({
      code: "MoreGpusThanReserved",
      severity: "warning",
      message: `has ${own} GPUs, its reservation ${match.reservation.id} pays for ${match.reservation.gpusPerInstance} an instance`,
      object,
    });
  }
  return issues;
}
