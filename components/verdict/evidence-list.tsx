import { Age } from "@/components/ui/age.tsx";
import type { EvidenceView } from "@/lib/model/fleet-view.ts";
import { ObjectLink } from "./object-link.tsx";

/** What was read: object, field or message, and when. Values are printed as they came. */
export function EvidenceList({ evidence }: { evidence: readonly EvidenceView[] }) {
  return (
    <ul>
      {evidence.map(({ object, field, value, at }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: evidence has no identity but its place
        <li key={index} className="border-t border-line-soft py-2">
          <div className="flex items-baseline justify-between gap-3">
            <ObjectLink object={object} withKind className="font-mono text-xs" />
            {at !== null && (
              <span className="text-xs whitespace-nowrap text-ink-2">
                <Age since={at} /> ago
              </span>
            )}
          </div>
          <p className="mt-1 rounded-[5px] bg-field px-2 py-1 font-mono text-[11.5px] break-words whitespace-pre-wrap text-ink-2">
            {field !== null && <span className="mr-3">{field}</span>}
            <span className={field === null ? "" : "text-ink"}>{value}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
