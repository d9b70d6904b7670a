import { foldKinds, isFurtherKind } from "@/components/fold-kinds.ts";
import type { FleetView, SourceView } from "@/lib/model/fleet-view.ts";

/** Whether there is anything to draw, and what stands in the way of the rest. */
export type ReadState =
  /** Nodes were never read and it is still being tried for the first time. */
  | { readonly kind: "loading" }
  /** Nodes were never read and cannot be; `failing` sources have problems of their own. */
  | { readonly kind: "unread"; readonly source: SourceView; readonly failing: readonly SourceView[] }
  /** Nodes were read; `failing` sources were not, or show their last data with a problem. */
  | { readonly kind: "read"; readonly failing: readonly SourceView[]; readonly empty: boolean };

/** Tells what the page can show of `view`. */
export function readState(view: Pick<FleetView, "sources" | "pools" | "counts">): ReadState {
  if (view.counts.nodes === null) {
    const failing = view.sources.find(
      (source) =>
        source.kind === "kubernetes" &&
        !isFurtherKind(source) &&
        source.state !== "live" &&
        source.state !== "loading",
    );
    if (!failing) return { kind: "loading" };
    const others = foldKinds(view.sources).filter(
      ({ error }) => error && error.message !== failing.error?.message,
    );
    return { kind: "unread", source: failing, failing: others };
  }
  return {
    kind: "read",
    failing: foldKinds(view.sources).filter((source) => source.error !== null),
    empty: view.pools.length === 0,
  };
}
