import type { ClusterInfo, Issue, Snapshot, SourceStatus } from "../model/snapshot.ts";
import type { ClusterSource } from "../sources/kubernetes/cluster-source.ts";
import { combineReservations } from "../sources/reservations/combine.ts";
import type { ReservationSource } from "../sources/reservations/reservation-source.ts";
import type { Settings } from "./config-file.ts";

/** Everything that is read for one picture. */
export interface Sources {
  readonly cluster: ClusterInfo;
  readonly kubernetes: ClusterSource;
  readonly reservations: readonly ReservationSource[];
  /** What was odd before anything was read, such as documents of a snapshot that are no Kubernetes objects. */
  readonly issues: readonly Issue[];
  readonly acceleratorNames: readonly string[];
  readonly settings: Pick<Settings, "owners" | "prices" | "noticeHours">;
}

/** What the sources know at `now` (epoch milliseconds), which is this moment. */
export function readSnapshot(sources: Sources, now: number): Snapshot {
  const { nodes, pods, events, facts, ...kubernetes } = sources.kubernetes.read();
  const reservations = sources.reservations.map((source) => source.read());
  const combined = combineReservations(reservations, now);
  const { owners, prices, noticeHours } = sources.settings;
  return {
    cluster: sources.cluster,
    nodes,
    pods,
    events,
    facts,
    reservations: combined.reservations,
    sources: [
      ...kubernetes.sources.filter(isShown),
      ...(reservations.length > 0
        ? reservations.map(({ status }) => status)
        : [notConfigured("reservations")]),
      notConfigured("prometheus"),
    ],
    issues: [
      ...sources.issues,
      ...kubernetes.issues,
      ...reservations.flatMap(({ issues }) => issues),
      ...combined.issues,
    ],
    acceleratorNames: sources.acceleratorNames,
    owners,
    prices,
    noticeHours,
  };
}

/** Kinds that the cluster need not have, such as those of an autoscaler that it does not use, are no sources of it. */
function isShown({ id, state }: SourceStatus): boolean {
  return state !== "absent" || REQUIRED.has(id);
}

const REQUIRED = new Set(["kubernetes/nodes", "kubernetes/pods", "kubernetes/events"]);

function notConfigured(kind: "reservations" | "prometheus"): SourceStatus {
  return { id: kind, kind, state: "not-configured", asOf: undefined, error: undefined };
}
