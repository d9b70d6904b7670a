import type { Fleet } from "../layers/fleet.ts";
import type { NodeGroupStatus } from "../model/facts/autoscaling.ts";
import { NO_FACTS } from "../model/facts/facts.ts";
import type { NodeClaimRecord, NodeClassRecord, NodePoolRecord } from "../model/facts/karpenter.ts";
import type { EventRecord, NodeRecord, PodRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import { anAutoscalerStatus } from "./autoscaler-builders.ts";
import { aNode, anEvent, aPod, NOW } from "./builders.ts";
import { aFleet } from "./fleet-builder.ts";

/** What an autoscaler has to do with one pod, `ml/stuck`. */
export interface LaunchCluster {
  readonly pools?: readonly NodePoolRecord[];
  readonly claims?: readonly NodeClaimRecord[];
  readonly classes?: readonly NodeClassRecord[];
  readonly groups?: readonly NodeGroupStatus[];
  readonly events?: readonly EventRecord[];
  readonly nodes?: readonly NodeRecord[];
  readonly pods?: readonly PodRecord[];
  readonly reservations?: readonly Reservation[];
  /** The pod `stuck`, where it is more than one that asks for 1 GPU. */
  readonly pod?: Parameters<typeof aPod>[0];
}

/** The fleet of such a cluster, in which everything can be read. */
export function launchFleet(cluster: LaunchCluster): Fleet {
  const facts = {
    ...NO_FACTS,
    nodePools: known(cluster.pools),
    nodeClaims: known(cluster.claims),
    nodeClasses: known(cluster.classes),
    autoscalerStatus: known(cluster.groups ? [anAutoscalerStatus(...cluster.groups)] : []),
  };
  const { nodes = [], events = [], reservations = [] } = cluster;
  const pods = [aPod({ name: "stuck", ...cluster.pod }), ...(cluster.pods ?? [])];
  return aFleet({ pods, nodes, events, reservations, facts });
}

const known = <T>(items: readonly T[] = []) => ({ known: true, items });

/** An event of that many minutes ago. */
export function eventOf(
  about: EventRecord["about"],
  reason: string,
  message: string,
  minutes: number,
  component = "karpenter",
): EventRecord {
  const at = NOW - minutes * 60_000;
  return anEvent({ about, reason, message, component, firstAt: at, lastAt: at });
}

/** The pod as events name it. */
export const STUCK = { kind: "Pod", namespace: "ml", name: "stuck", uid: "" };

/** A cluster whose only GPU another pod has. */
export const BUSY = {
  nodes: [aNode({ name: "busy", gpus: 1 })],
  pods: [aPod({ nodeName: "busy", gpus: 1 })],
};
