import { NO_FACTS } from "../model/facts/facts.ts";
import type { ContainerRecord, EventRecord, NodeRecord, PodRecord } from "../model/kubernetes.ts";
import { UNKNOWN_RATE } from "../model/money.ts";
import type { Reservation } from "../model/reservation.ts";
import type { Snapshot } from "../model/snapshot.ts";

/** The moment at which built snapshots are looked at: 2026-12-01T12:00:00Z. */
export const NOW = Date.parse("2026-12-01T12:00:00Z");

const GiB = 2 ** 30;
let serial = 0;
const uid = (): string => `uid-${++serial}`;

/** A Ready node that advertises `gpus` of nvidia.com/gpu, 64 CPUs and 512 GiB. */
export function aNode(
  overrides: Partial<NodeRecord> & { gpus?: number; gpuResource?: string } = {},
): NodeRecord {
  const { gpus = 8, gpuResource = "nvidia.com/gpu", ...rest } = overrides;
  const resources = {
    cpu: 64_000,
    memory: 512 * GiB,
    pods: 110,
    ...(gpus > 0 ? { [gpuResource]: gpus } : {}),
  };
  return {
    name: `node-${++serial}`,
    uid: uid(),
    labels: {},
    createdAt: NOW - 86_400_000,
    deletedAt: undefined,
    problems: [],
    providerId: undefined,
    unschedulable: false,
    taints: [],
    capacity: resources,
    allocatable: resources,
    conditions: [
      {
        type: "Ready",
        status: "True",
        reason: "KubeletReady",
        message: "",
        lastTransitionTime: NOW - 86_000_000,
      },
    ],
    kubeletVersion: "v1.36.3",
    ...rest,
  };
}

/** A running container. */
export function aContainer(overrides: Partial<ContainerRecord> = {}): ContainerRecord {
  return {
    name: "main",
    init: false,
    image: "registry.example/trainer:1",
    ready: true,
    restarts: 0,
    state: { kind: "running", startedAt: NOW - 3_600_000 },
    lastTermination: undefined,
    livenessProbe: undefined,
    startupProbe: undefined,
    ...overrides,
  };
}

/** A Pending pod that asks for `gpus` of nvidia.com/gpu; with `nodeName` it runs there. */
export function aPod(
  overrides: Partial<PodRecord> & { gpus?: number; gpuResource?: string } = {},
): PodRecord {
  const { gpus = 1, gpuResource = "nvidia.com/gpu", ...rest } = overrides;
  const bound = rest.nodeName !== undefined;
  return {
    namespace: "ml",
    annotations: {},
    name: `pod-${++serial}`,
    uid: uid(),
    labels: {},
    createdAt: NOW - 1_800_000,
    deletedAt: undefined,
    problems: [],
    owner: undefined,
    system: undefined,
    nodeName: undefined,
    nominatedNodeName: undefined,
    phase: bound ? "Running" : "Pending",
    reason: "",
    message: "",
    schedulerName: "default-scheduler",
    priority: 0,
    requests: { cpu: 1_000, memory: GiB, pods: 1, ...(gpus > 0 ? { [gpuResource]: gpus } : {}) },
    conditions: bound
      ? [
          {
            type: "PodScheduled",
            status: "True",
            reason: "",
            message: "",
            lastTransitionTime: NOW - 1_800_000,
          },
        ]
      : [
          {
            type: "PodScheduled",
            status: "False",
            reason: "Unschedulable",
            message: "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",
            lastTransitionTime: NOW - 1_800_000,
          },
        ],
    containers: bound ? [aContainer()] : [],
    nodeSelector: {},
    nodeAffinity: [],
    tolerations: [],
    schedulingGates: [],
    hasPodPlacementRules: false,
    podAffinity: [],
    podAntiAffinity: [],
    topologySpread: [],
    volumeClaims: [],
    hasSharedMemoryVolume: false,
    resourceClaims: [],
    preemptionPolicy: "",
    priorityClassName: "",
    ...rest,
  };
}

/** A Warning event about a pod or node. */
export function anEvent(overrides: Partial<EventRecord> & Pick<EventRecord, "about">): EventRecord {
  return {
    uid: uid(),
    namespace: "default",
    name: `event-${++serial}`,
    type: "Warning",
    reason: "FailedScheduling",
    message: "",
    component: "default-scheduler",
    count: 1,
    firstAt: NOW - 600_000,
    lastAt: NOW - 60_000,
    ...overrides,
  };
}

/** An active, continuous reservation of `count` slots of 8 GPUs for $2 a GPU-hour, matched by label `pool: ID`. */
export function aReservation(overrides: Partial<Reservation> = {}): Reservation {
  const id = overrides.id ?? `res-${++serial}`;
  return {
    id,
    provider: "onprem",
    name: id,
    instanceType: "dgx-h100",
    gpuModel: "H100",
    count: 1,
    broken: 0,
    used: undefined,
    gpusPerInstance: 8,
    region: undefined,
    zone: undefined,
    account: undefined,
    market: "unknown",
    matching: undefined,
    start: NOW - 30 * 86_400_000,
    end: undefined,
    rawState: undefined,
    lifecycle: undefined,
    usableUntil: undefined,
    machines: [],
    billing: "continuous",
    rate: { ...UNKNOWN_RATE, perGpuHour: { currency: "USD", micros: 2_000_000 }, source: "contract" },
    owner: undefined,
    selector: { matchLabels: { pool: id }, providerIdPrefix: undefined },
    sourceId: "reservations/test",
    ...overrides,
  };
}

/** A snapshot in which every source is live. */
export function aSnapshot(
  parts: {
    nodes?: readonly NodeRecord[];
    pods?: readonly PodRecord[];
    events?: readonly EventRecord[];
    reservations?: readonly Reservation[];
  } & Partial<Pick<Snapshot, "facts" | "sources" | "issues" | "acceleratorNames" | "owners" | "prices">> = {},
): Snapshot {
  const known = <T>(items: readonly T[] = []) => ({ known: true, items });
  return {
    cluster: { name: "test", kind: "snapshot", server: undefined },
    nodes: known(parts.nodes),
    pods: known(parts.pods),
    events: known(parts.events),
    reservations: known(parts.reservations),
    facts: { ...NO_FACTS, ...parts.facts },
    sources: parts.sources ?? [],
    issues: parts.issues ?? [],
    acceleratorNames: parts.acceleratorNames ?? [],
    owners: parts.owners ?? [],
    prices: parts.prices ?? [],
    noticeHours: 72,
  };
}
