"use client";

import { useState } from "react";
import { formatCount, formatGpus } from "@/components/ui/format.ts";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import type { PoolView, StuckView } from "@/lib/model/fleet-view.ts";
import { ObjectLink } from "./object-link.tsx";
import { Section } from "./section.tsx";
import { ShowMore } from "./show-more.tsx";

const FIRST = 8;

/** The stuck pods that are in this pool or would run in it; nothing where there are none. */
export function PoolWaiting({ pool, stuck }: { pool: PoolView; stuck: readonly StuckView[] }) {
  const [all, setAll] = useState(false);
  const here = stuck.filter((each) => each.pool === pool.id);
  if (here.length === 0) return null;
  const pods = here.reduce((sum, { count }) => sum + count, 0);
  const shown = all ? here : here.slice(0, FIRST);
  return (
    <Section
      title="Stuck here"
      note={`${formatCount(pods)} ${pods === 1 ? "pod" : "pods"} in it, or that would run in it`}
    >
      <ul className="text-xs">
        {shown.map(({ id, kind, namespace, name, layer, reason, gpus, count }) => (
          <li key={id} className="flex items-baseline gap-2 border-t border-line-soft py-1.5">
            <LayerTag layer={layer} />
            <ObjectLink object={{ kind, namespace, name }} />
            <span className="text-ink-2">
              {reason}
              {count > 1 && ` · ${formatCount(count)} pods`}
            </span>
            <span className="ml-auto whitespace-nowrap tabular-nums">{formatGpus(gpus)}</span>
          </li>
        ))}
      </ul>
      <ShowMore shown={shown.length} total={here.length} what="entries" onMore={() => setAll(true)} />
    </Section>
  );
}
