import { Button } from "@/components/ui/button.tsx";
import { CAPACITY_FIELDS, type CapacitySort, FIELD_KEYS } from "./capacity-fields.ts";

/** What to sort by, where there are cards and no heads to press. */
export function SortChoice({ sort, onSort }: { sort: CapacitySort; onSort: (sort: CapacitySort) => void }) {
  return (
    <span className="flex items-center gap-1.5 @7xl:hidden">
      <select
        aria-label="Sort by"
        value={sort.by}
        onChange={(event) => {
          const by = FIELD_KEYS.find((key) => key === event.target.value);
          if (by) onSort({ ...sort, by });
        }}
        className="h-6 max-w-44 rounded-md border border-line bg-panel px-1 text-xs text-ink-2"
      >
        {FIELD_KEYS.map((key) => (
          <option key={key} value={key}>
            {CAPACITY_FIELDS[key].title}
          </option>
        ))}
      </select>
      <Button
        aria-label={sort.descending ? "Largest or last first" : "Smallest or first first"}
        title="Turn the order round"
        onClick={() => onSort({ ...sort, descending: !sort.descending })}
      >
        {sort.descending ? "▼" : "▲"}
      </Button>
    </span>
  );
}
