import type { SourceView } from "@/lib/model/fleet-view.ts";

const OWN_NAME = new Set([
  "kubernetes/nodes",
  "kubernetes/pods",
  "kubernetes/events",
  "kubernetes/discovery",
]);

/**
 * The kinds that are read beside nodes, pods and events are many, so those that are in the same state, for the same
 * reason, become one entry beside the others of the cluster: `12 further kinds`, with the oldest age among them.
 */
export function foldKinds(sources: readonly SourceView[]): readonly SourceView[] {
  const alike = Map.groupBy(sources.filter(isFurtherKind), ({ state, error }) => `${state} ${error?.code}`);
  return [
    ...sources.filter((source) => source.kind === "kubernetes" && !isFurtherKind(source)),
    ...[...alike.values()].flatMap(fold),
    ...sources.filter(({ kind }) => kind !== "kubernetes"),
  ];
}

/** Whether it is a kind beside nodes, pods and events, which the cluster need not have. */
export function isFurtherKind({ id, kind }: Pick<SourceView, "id" | "kind">): boolean {
  return kind === "kubernetes" && !OWN_NAME.has(id);
}

function fold(kinds: readonly SourceView[]): readonly SourceView[] {
  const [first, ...more] = kinds.toSorted((a, b) => ((a.asOf ?? "") < (b.asOf ?? "") ? -1 : 1));
  if (!first || more.length === 0) return kinds.map((source) => ({ ...source, id: nameOf(source) }));
  const { error } = first;
  const message = error && `${kinds.map(nameOf).join(", ")}: ${error.message}`;
  const hint = error?.code === "forbidden" ? "Needs the rights of deploy/cluster-role.yaml." : error?.hint;
  return [
    {
      ...first,
      id: `${kinds.length} further kinds`,
      error: error && { ...error, message: message ?? "", hint: hint ?? "" },
    },
  ];
}

/** `nodepools.karpenter.sh` */
function nameOf({ id }: SourceView): string {
  return id.replace(/^kubernetes\//, "");
}
