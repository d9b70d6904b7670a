import { Button } from "@/components/ui/button.tsx";
import { formatCount } from "@/components/ui/format.ts";
import { SearchBox } from "@/components/ui/search-box.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { StuckView } from "@/lib/model/fleet-view.ts";
import { LAYER_INFO } from "@/lib/model/stages.ts";
import { choicesOf, countByLayer, type StuckFilter } from "./stuck-filter.ts";

/** Narrows the list; each layer says beforehand how many pods it is at fault for. */
export function StuckFilterBar({
  stuck,
  filter,
  poolNames,
  onFilter,
}: {
  stuck: readonly StuckView[];
  filter: StuckFilter;
  poolNames: ReadonlyMap<string, string>;
  onFilter: (filter: StuckFilter) => void;
}) {
  const { owners, namespaces, pools } = choicesOf(stuck);
  const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {countByLayer(stuck).map(([layer, count]) => {
        const on = filter.layer === layer;
        return (
          <Button
            key={layer}
            tone={on ? "chosen" : "plain"}
            aria-pressed={on}
            disabled={count === 0 && !on}
            title={`${LAYER_INFO[layer].title} at fault`}
            onClick={() => onFilter({ ...filter, layer: on ? null : layer })}
          >
            {layer} <span className="text-ink-2 tabular-nums">{formatCount(count)}</span>
          </Button>
        );
      })}
      <Select
        label="Whose move"
        all="All owners"
        value={filter.owner}
        options={plain(owners)}
        onChange={(owner) => onFilter({ ...filter, owner })}
      />
      <Select
        label="Namespace"
        all="All namespaces"
        value={filter.namespace}
        options={plain(namespaces)}
        onChange={(namespace) => onFilter({ ...filter, namespace })}
      />
      <Select
        label="Pool"
        all="All pools"
        value={filter.pool}
        options={pools.map((id) => ({ value: id, label: poolNames.get(id) ?? id }))}
        onChange={(pool) => onFilter({ ...filter, pool })}
      />
      <SearchBox
        label="Filter stuck workloads"
        text={filter.text}
        onText={(text) => onFilter({ ...filter, text })}
      />
    </div>
  );
}
