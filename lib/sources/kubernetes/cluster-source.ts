import { type Facts, NO_FACTS } from "../../model/facts/facts.ts";
import type { EventRecord, NodeRecord, PodRecord } from "../../model/kubernetes.ts";
import type { Issue, Sourced, SourceStatus } from "../../model/snapshot.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Connection } from "./connection.ts";
import { createEventStore } from "./event-store.ts";
import { normalizeEvent } from "./normalize-event.ts";
import { normalizeNode } from "./normalize-node.ts";
import { normalizePod } from "./normalize-pod.ts";
import { createRecordStore } from "./record-store.ts";
import { Reflector } from "./reflector.ts";

export interface ClusterSourceOptions {
  readonly connection: Connection;
  readonly clock?: Clock;
  /** Numbers in [0, 1), for jitter. */
  readonly random?: () => number;
}

/** Everything that is read of a cluster, kept up to date. */
export interface ClusterSource {
  start(): void;
  /** Resolves once every connection is closed. */
  stop(): Promise<void>;
  /** Calls `listener` at each batch of changes and each change of a source's state, until the returned function is called. */
  onChange(listener: () => void): () => void;
  read(): ClusterState;
}

export interface ClusterState {
  readonly nodes: Sourced<NodeRecord>;
  readonly pods: Sourced<PodRecord>;
  readonly events: Sourced<EventRecord>;
  readonly facts: Facts;
  readonly sources: readonly SourceStatus[];
  readonly issues: readonly Issue[];
}

/** Follows the Nodes, Pods and Events of a cluster, each over one stream. Nothing is opened before `start`. */
export function createClusterSource({
  connection,
  clock = systemClock,
  random = Math.random,
}: ClusterSourceOptions): ClusterSource {
  const listeners = new Set<() => void>();
  const onChange = () => {
    for (const listener of listeners) listener();
  };
  const common = { connection, clock, random, onChange };
  const nodes = new Reflector<NodeRecord>({
    ...common,
    resource: {
      id: "kubernetes/nodes",
      kind: "Node",
      path: "/api/v1/nodes",
      normalize: normalizeNode,
      createStore: createRecordStore,
    },
  });
  const pods = new Reflector<PodRecord>({
    ...common,
    resource: {
      id: "kubernetes/pods",
      kind: "Pod",
      path: "/api/v1/pods",
      normalize: normalizePod,
      createStore: createRecordStore,
    },
  });
  const events = new Reflector<EventRecord>({
    ...common,
    resource: {
      id: "kubernetes/events",
      kind: "Event",
      path: "/api/v1/events",
      normalize: normalizeEvent,
      createStore: () => createEventStore(clock),
    },
  });
  const reflectors = [nodes, pods, events];
  return {
    start: () => {
      for (const reflector of reflectors) reflector.start();
    },
    stop: async () => {
      await Promise.all(reflectors.map((reflector) => reflector.stop()));
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => {
      const states = { nodes: nodes.read(), pods: pods.read(), events: events.read() };
      const all = Object.values(states);
      const sourced = <T>({ known, items }: Sourced<T>): Sourced<T> => ({ known, items });
      return {
        nodes: sourced(states.nodes),
        pods: sourced(states.pods),
        events: sourced(states.events),
        facts: NO_FACTS,
        sources: all.map(({ status }) => status),
        issues: all.flatMap(({ issues }) => issues),
      };
    },
  };
}
