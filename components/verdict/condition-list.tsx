import { Age } from "@/components/ui/age.tsx";
import type { EvidenceView } from "@/lib/model/fleet-view.ts";

/** What an object says of itself, one line a condition or event: the object is not repeated. */
export function ConditionList({ entries }: { entries: readonly EvidenceView[] }) {
  return (
    <ul className="text-xs">
      {entries.map(({ field, value, at }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no identity but its place
        <li key={index} className="flex items-baseline gap-3 border-t border-line-soft py-1.5">
          <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap text-ink-2">
            {field !== null && <span className="mr-2 font-[560] text-ink">{conditionType(field)}</span>}
            {value}
          </span>
          {at !== null && (
            <span className="whitespace-nowrap text-ink-2">
              <Age since={at} /> ago
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** `status.conditions[Ready]` is the condition `Ready`; any other field is its own name. */
function conditionType(field: string): string {
  return /^status\.conditions\[(.+)\]$/.exec(field)?.[1] ?? field;
}
