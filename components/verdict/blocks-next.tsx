import { LayerTag } from "@/components/ui/layer-tag.tsx";
import type { BlockerView } from "@/lib/model/fleet-view.ts";

/** What would stand in the way once the first thing is mended. */
export function BlocksNext({ blockers }: { blockers: readonly BlockerView[] }) {
  return (
    <ul>
      {blockers.map(({ layer, reason, step }) => (
        <li key={reason} className="flex items-baseline gap-2 border-t border-line-soft py-1.5">
          <LayerTag layer={layer} />
          <span className="min-w-0 break-words">
            <b className="font-[560]">{reason}</b> <span className="text-ink-2">{step}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
