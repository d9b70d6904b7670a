import { UNREAD_FACTS } from "../model/facts/facts.ts";
import type { SourceProblem, SourceStatus } from "../model/snapshot.ts";
import type { ClusterSource } from "../sources/kubernetes/cluster-source.ts";
import { SourceError } from "../sources/source-error.ts";

/** A cluster that is configured, but in a way that names no server to ask: nothing of it is ever known. */
export function unreachableCluster(error: SourceProblem): ClusterSource {
  const nothing = { known: false, items: [] };
  const sources = ["nodes", "pods", "events"].map(
    (resource): SourceStatus => ({
      id: `kubernetes/${resource}`,
      kind: "kubernetes",
      state: "unreachable",
      asOf: undefined,
      error,
    }),
  );
  return {
    start: () => {},
    stop: async () => {},
    onChange: () => () => {},
    retain: () => {},
    readLogs: async () => {
      throw new SourceError(error.code, error.message, { hint: error.hint });
    },
    read: () => ({
      nodes: nothing,
      pods: nothing,
      events: nothing,
      facts: UNREAD_FACTS,
      sources,
      issues: [],
    }),
  };
}
