import type { Facts } from "../../model/facts/facts.ts";
import type { EventRecord, NodeRecord, PodRecord } from "../../model/kubernetes.ts";
import type { Issue, Sourced, SourceStatus } from "../../model/snapshot.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Connection } from "./connection.ts";
import { createEventStore } from "./event-store.ts";
import { FactSource } from "./fact-source.ts";
import type { FactKind } from "./kinds/fact-kind.ts";
import { FACT_KINDS } from "./kinds/fact-kinds.ts";
import { normalizeEvent } from "./normalize-event.ts";
import { normalizeNode } from "./normalize-node.ts";
import { normalizePod } from "./normalize-pod.ts";
import { type ContainerLogs, type LoggedContainer, readContainerLogs } from "./pod-logs.ts";
import { createRecordStore } from "./record-store.ts";
import { Reflector } from "./reflector.ts";
import { ACCEPT } from "./wire.ts";

export interface ClusterSourceOptions {
  readonly connection: Connection;
  readonly clock?: Clock;
  /** Numbers in [0, 1), for jitter. */
  readonly random?: () => number;
  /** What is read beside nodes, pods and events, where the cluster has it. */
  readonly kinds?: readonly FactKind[];
  /** true: events are kept however old they are, as of a snapshot, which is never told of others. */
  readonly keepsOldEvents?: boolean;
}

/** Everything that is read of a cluster, kept up to date. */
export interface ClusterSource {
  start(): void;
  /** Resolves once every connection is closed. */
  stop(): Promise<void>;
  /** Calls `listener` at each batch of changes and each change of a source's state, until the returned function is called. */
  onChange(listener: () => void): () => void;
  read(): ClusterState;
  /** The objects (by `objectKey`) that are stuck at present: events about them are kept longer than the server keeps them. */
  retain(stuck: ReadonlySet<string>): void;
  /**
   * What a container has printed last, read now.
   * @throws SourceError as `readContainerLogs`
   */
  readLogs(container: LoggedContainer): Promise<ContainerLogs>;
}

export interface ClusterState {
  readonly nodes: Sourced<NodeRecord>;
  readonly pods: Sourced<PodRecord>;
  readonly events: Sourced<EventRecord>;
  readonly facts: Facts;
  readonly sources: readonly SourceStatus[];
  readonly issues: readonly Issue[];
}

/** Follows the Nodes, Pods, Events and all of `kinds` of a cluster, each over one stream. Nothing is opened before `start`. */
export function createClusterSource({
  connection,
  clock = systemClock,
  random = Math.random,
  kinds = FACT_KINDS,
  keepsOldEvents = false,
}: ClusterSourceOptions): ClusterSource {
  const listeners = new Set<() => void>();
  const onChange = () => {
    for (const listener of listeners) listener();
  };
  let stuck: ReadonlySet<string> = new Set();
  const common = { connection, clock, random, onChange };
  const nodes = new Reflector<NodeRecord>({
    ...common,
    resource: {
      id: "kubernetes/nodes",
      kind: "Node",
      path: "/api/v1/nodes",
      accept: ACCEPT,
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
      accept: ACCEPT,
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
      accept: ACCEPT,
      normalize: normalizeEvent,
      createStore: () =>
        createEventStore(clock, { isStuck: (key) => stuck.has(key), keepsOld: keepsOldEvents }),
    },
  });
  const further = new FactSource({ ...common, kinds });
  const all = [nodes, pods, events, further];
  return {
    start: () => {
      for (const source of all) source.start();
    },
    stop: async () => {
      await Promise.all(all.map((source) => source.stop()));
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => {
      const states = { nodes: nodes.read(), pods: pods.read(), events: events.read() };
      const required = Object.values(states);
      const { facts, sources, issues } = further.read();
      const sourced = <T>({ known, items }: Sourced<T>): Sourced<T> => ({ known, items });
      return {
        nodes: sourced(states.nodes),
        pods: sourced(states.pods),
        events: sourced(states.events),
        facts,
        sources: [...required.map(({ status }) => status), ...sources],
        issues: [...required.flatMap((state) => state.issues), ...issues],
      };
    },
    retain: (objects) => {
      stuck = objects;
    },
    readLogs: (container) => readContainerLogs(connection, container, clock),
  };
}
