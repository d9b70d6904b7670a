"use client";

import { useDeferredValue, useState } from "react";
import { Card } from "@/components/ui/card.tsx";
import { formatCount, formatGpus } from "@/components/ui/format.ts";
import { ShowMore } from "@/components/verdict/show-more.tsx";
import { useSelection } from "@/lib/client/selection.ts";
import type { FleetView, StuckView } from "@/lib/model/fleet-view.ts";
import { StuckFilterBar } from "./stuck-filter-bar.tsx";
import { filterStuck, type StuckFilter, stuckRows } from "./stuck-rows.ts";
import { StuckTable } from "./stuck-table.tsx";

const FIRST = 50;

/** GPU pods that are stuck, each with the layer at fault; a row opens its verdict. */
export function StuckList({ view }: { view: FleetView }) {
  const { stuck } = view;
  const { selected } = useSelection();
  const [filter, setFilter] = useState<StuckFilter>({ layer: null, text: "" });
  const [all, setAll] = useState(false);
  const text = useDeferredValue(filter.text);
  const matching = filterStuck(stuck, { ...filter, text });
  const rows = stuckRows(matching);
  const shown = all ? rows : rows.slice(0, FIRST);
  return (
    <Card
      id="stuck"
      title="Stuck workloads"
      note={noteOf(stuck, matching, filter)}
      actions={stuck.length > 0 && <StuckFilterBar stuck={stuck} filter={filter} onFilter={setFilter} />}
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
  const filtered = filter.layer !== null || filter.text.trim() !== "";
  const gpus = matching.reduce((sum, each) => sum + each.gpus, 0);
  const pods = `${formatCount(stuck.length)} ${stuck.length === 1 ? "pod" : "pods"}`;
  const count = filtered ? `${formatCount(matching.length)} of ${pods}` : pods;
  const by = [filter.layer, filter.text.trim() && `“${filter.text.trim()}”`].filter(Boolean).join(", ");
  return `${count}${by ? ` (${by})` : ""}, ${formatGpus(gpus)} asked for · verdict from the lowest broken layer`;
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
