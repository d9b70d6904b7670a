"use client";

import { useState } from "react";
import { formatGpus } from "@/components/ui/format.ts";
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
  const shown = all ? here : here.slice(0, FIRST);
  return (
    <Section
      title="Stuck here"
      note={`${here.length} ${here.length === 1 ? "pod" : "pods"} in it, or that would run in it`}
    >
      <ul className="text-xs">
        {shown.map(({ id, namespace, name, layer, reason, gpus }) => (
          <li key={id} className="flex items-baseline gap-2 border-t border-line-soft py-1.5">
            <LayerTag layer={layer} />
            <ObjectLink object={{ kind: "Pod", namespace, name }} />
            <span className="text-ink-2">{reason}</span>
            <span className="ml-auto whitespace-nowrap tabular-nums">{formatGpus(gpus)}</span>
          </li>
        ))}
      </ul>
      <ShowMore shown={shown.length} total={here.length} what="pods" onMore={() => setAll(true)} />
    </Section>
  );
}
