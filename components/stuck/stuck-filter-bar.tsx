import { Button } from "@/components/ui/button.tsx";
import { formatCount } from "@/components/ui/format.ts";
import type { StuckView } from "@/lib/model/fleet-view.ts";
import { LAYER_INFO } from "@/lib/model/stages.ts";
import { countByLayer, type StuckFilter } from "./stuck-rows.ts";

/** Narrows the list to one layer or to some words; each layer says beforehand how many pods it is at fault for. */
export function StuckFilterBar({
  stuck,
  filter,
  onFilter,
}: {
  stuck: readonly StuckView[];
  filter: StuckFilter;
  onFilter: (filter: StuckFilter) => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {countByLayer(stuck).map(([layer, pods]) => {
        const on = filter.layer === layer;
        return (
          <Button
            key={layer}
            tone={on ? "chosen" : "plain"}
            aria-pressed={on}
            disabled={pods === 0 && !on}
            title={`${LAYER_INFO[layer].title} at fault`}
            onClick={() => onFilter({ ...filter, layer: on ? null : layer })}
          >
            {layer} <span className="text-ink-2 tabular-nums">{formatCount(pods)}</span>
          </Button>
        );
      })}
      <input
        type="search"
        aria-label="Filter stuck workloads"
        placeholder="Filter"
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape" && filter.text !== "") {
            event.preventDefault();
            onFilter({ ...filter, text: "" });
          }
        }}
        className="h-6 w-32 rounded-md border border-line bg-panel px-2 text-xs placeholder:text-ink-3"
      />
    </div>
  );
}
