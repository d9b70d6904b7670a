import type { ClusterInfo, Issue, Snapshot, SourceStatus } from "../model/snapshot.ts";
import type { ClusterSource } from "../sources/kubernetes/cluster-source.ts";
import type { ReservationSource } from "../sources/reservations/reservation-source.ts";

/** Everything that is read for one picture. */
export interface Sources {
  readonly cluster: ClusterInfo;
  readonly kubernetes: ClusterSource;
  readonly reservations: readonly ReservationSource[];
  /** What was odd before anything was read, such as documents of a snapshot that are no Kubernetes objects. */
  readonly issues: readonly Issue[];
  readonly acceleratorNames: readonly string[];
}

/** What the sources know at this moment. */
export function readSnapshot(sources: Sources): Snapshot {
  const { nodes, pods, events, facts, ...kubernetes } = sources.kubernetes.read();
  const reservations = sources.reservations.map((source) => source.read());
  return {
    cluster: sources.cluster,
    nodes,
    pods,
    events,
    facts,
    reservations: {
      known: reservations.every((state) => state.reservations.known),
      items: reservations.flatMap((state) => state.reservations.items),
    },
    sources: [
      ...kubernetes.sources,
      ...(reservations.length > 0
        ? reservations.map(({ status }) => status)
        : [notConfigured("reservations")]),
      notConfigured("prometheus"),
    ],
    issues: [...sources.issues, ...kubernetes.issues, ...reservations.flatMap(({ issues }) => issues)],
    acceleratorNames: sources.acceleratorNames,
  };
}

function notConfigured(kind: "reservations" | "prometheus"): SourceStatus {
  return { id: kind, kind, state: "not-configured", asOf: undefined, error: undefined };
}
