import type { FleetNode } from "../layers/fleet.ts";
import { gpusAsked } from "../layers/gpus-asked.ts";
import { instanceTypeOf, zoneOf } from "../layers/node-labels.ts";
import type { NodeDetailView } from "../model/detail-view.ts";
import type { HolderView } from "../model/fleet-view.ts";
import { STAGES } from "../model/stages.ts";
import type { Derived } from "../pipeline.ts";
import { isoOf } from "../seam/ledger.ts";
import { formatAmount } from "./amounts.ts";
import { conditionEvidence, eventEvidence } from "./evidence.ts";

const PHYSICAL_FROM: Readonly<Record<FleetNode["gpus"]["physicalFrom"], string>> = {
  reservation: "its reservation's GPUs per instance",
  "instance-type": "the instance-type table",
  label: "a label of the machine",
  annotation: "what a plugin that shares them has registered",
  capacity: "what it advertises",
  none: "nothing says that it has any",
};

/** One node for the drawer; undefined where there is none of that name. */
export function nodeDetail({ fleet, view, nodes }: Derived, name: string): NodeDetailView | undefined {
  const node = fleet.nodes.get(name);
  if (!node) return undefined;
  const { record, gpus, readiness, blocked, past } = node;
  const classified = nodes.get(name);
  const object = { kind: "Node", name };
  return {
    name,
    pool: node.poolId ?? null,
    poolName: view.pools.find((pool) => pool.id === node.poolId)?.name ?? null,
    instanceType: instanceTypeOf(record) ?? null,
    zone: zoneOf(record) ?? null,
    providerId: record.providerId ?? null,
    model: gpus.model ?? null,
    createdAt: isoOf(record.createdAt),
    ready: { ...readiness, since: isoOf(readiness.since) },
    blocked: blocked ? { by: blocked.by, since: isoOf(blocked.since) } : null,
    gpus: { ...gpus, physicalFrom: PHYSICAL_FROM[gpus.physicalFrom] },
    matchedBy: (classified?.member.kind === "node" ? classified.member.matchedBy : undefined) ?? null,
    past: past ? { ...past, until: isoOf(past.until) } : null,
    stages: STAGES.map(({ stage, layer }) => {
      const own = (classified?.entries ?? []).filter((entry) => entry.stage === stage);
      return { stage, layer, gpus: own.reduce((sum, entry) => sum + entry.gpus, 0) };
    }).filter((stage) => stage.gpus > 0),
    holders: holdersOf(node, fleet.acceleratorNames),
    conditions: conditionEvidence(object, record.conditions),
    taints: record.taints.map(({ key, value, effect }) => `${key}${value ? `=${value}` : ""}:${effect}`),
    resources: resourcesOf(node),
    events: eventEvidence(object, fleet.events.ofNode(name)),
  };
}

function holdersOf(node: FleetNode, extra: readonly string[]): HolderView[] {
  return node.pods
    .map((pod) => ({
      namespace: pod.namespace,
      name: pod.name,
      node: node.record.name,
      gpus: gpusAsked(pod, extra),
    }))
    .filter((holder) => holder.gpus > 0)
    .sort((a, b) => b.gpus - a.gpus || (a.name < b.name ? -1 : 1));
}

function resourcesOf({ record, pods }: FleetNode): NodeDetailView["resources"] {
  const names = new Set([...Object.keys(record.capacity ?? {}), ...Object.keys(record.allocatable ?? {})]);
  return [...names].sort().map((name) => {
    const amount = (value: number | undefined) => (value === undefined ? null : formatAmount(name, value));
    const requested = pods.reduce((sum, pod) => sum + (pod.requests[name] ?? 0), 0);
    return {
      name,
      capacity: amount(record.capacity?.[name]),
      allocatable: amount(record.allocatable?.[name]),
      requested: formatAmount(name, requested),
    };
  });
}
