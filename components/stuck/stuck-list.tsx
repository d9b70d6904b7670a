"use client";

import { useDeferredValue, useState } from "react";
import { Card } from "@/components/ui/card.tsx";
import { formatCount, formatGpus } from "@/components/ui/format.ts";
import { ShowMore } from "@/components/verdict/show-more.tsx";
import { useSelection } from "@/lib/client/selection.ts";
import type { FleetView, StuckView } from "@/lib/model/fleet-view.ts";
import { countOf, filterStuck, NO_FILTER, type StuckFilter } from "./stuck-filter.ts";
import { StuckFilterBar } from "./stuck-filter-bar.tsx";
import { StuckTable } from "./stuck-table.tsx";

const FIRST = 50;

/** What is stuck, each entry with the layer at fault; a row opens its verdict. */
export function StuckList({ view }: { view: FleetView }) {
  const { stuck } = view;
  const { selected } = useSelection();
  const [filter, setFilter] = useState<StuckFilter>(NO_FILTER);
  const [all, setAll] = useState(false);
  const text = useDeferredValue(filter.text);
  const rows = filterStuck(stuck, { ...filter, text });
  const poolNames = new Map(view.pools.map((pool) => [pool.id, pool.name]));
  const shown = all ? rows : rows.slice(0, FIRST);
  return (
    <Card
      id="stuck"
      title="Stuck workloads"
      note={noteOf(stuck, rows, filter)}
      actions={
        stuck.length > 0 && (
          <StuckFilterBar stuck={stuck} filter={filter} poolNames={poolNames} onFilter={setFilter} />
        )
      }
    >
      {shown.length > 0 ? (
        <StuckTable rows={shown} selected={selected} />
      ) : (
        <p className="border-t border-line-soft px-4 py-3 text-ink-2">{emptyOf(view)}</p>
      )}
      {shown.length < rows.length && (
        <div className="border-t border-line-soft px-4 py-1">
          <ShowMore shown={shown.length} total={rows.length} what="rows" onMore={() => setAll(true)} />
        </div>
      )}
    </Card>
  );
}

function noteOf(
  stuck: readonly StuckView[],
  matching: readonly StuckView[],
  filter: StuckFilter,
): string | undefined {
  if (stuck.length === 0) return undefined;
  const text = filter.text.trim();
  const by = [filter.layer, filter.owner, filter.namespace, filter.pool, text && `“${text}”`].filter(Boolean);
  const gpus = matching.reduce((sum, each) => sum + each.gpus, 0);
  const all = countOf(stuck);
  const count = by.length > 0 ? `${formatCount(countOf(matching))} of ${formatCount(all)}` : formatCount(all);
  const narrowed = by.length > 0 ? ` (${by.join(", ")})` : "";
  return `${count} ${all === 1 ? "pod" : "pods"}${narrowed}, ${formatGpus(gpus)} asked for · verdict from the lowest broken layer`;
}

/** An absence of stuck pods is only told where nodes and pods were read. */
function emptyOf({ stuck, sources, counts }: FleetView): string {
  if (stuck.length > 0) return "None matches the filter.";
  const unread = sources.filter(
    ({ id, state }) =>
      (id === "kubernetes/pods" || id === "kubernetes/nodes") && state !== "live" && state !== "stale",
  );
  if (unread.length > 0) {
    return `Cannot be told: ${unread.map(({ id, state }) => `${id} is ${state}`).join(", ")}.`;
  }
  return counts.gpuPods === 0
    ? "No pod asks for GPUs."
    : "Nothing is stuck: every GPU pod is placed and runs.";
}
