"use client";

import { useState } from "react";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import type { FleetView, StuckView } from "@/lib/model/fleet-view.ts";
import { ObjectLink } from "./object-link.tsx";
import { Section } from "./section.tsx";
import { ShowMore } from "./show-more.tsx";

const FIRST = 8;

/** The other pods of the same workload that are stuck too; nothing where there are none. */
export function Siblings({ view, stuck }: { view: FleetView; stuck: StuckView }) {
  const [all, setAll] = useState(false);
  const { workload } = stuck;
  if (!workload) return null;
  const siblings = view.stuck.filter(
    (each) =>
      each.id !== stuck.id &&
      each.namespace === stuck.namespace &&
      each.workload?.kind === workload.kind &&
      each.workload.name === workload.name,
  );
  if (siblings.length === 0) return null;
  const shown = all ? siblings : siblings.slice(0, FIRST);
  return (
    <Section title={`More of ${workload.kind} ${workload.name}`} note="stuck too">
      <ul className="text-xs">
        {shown.map(({ id, namespace, name, layer, reason }) => (
          <li key={id} className="flex items-baseline gap-2 border-t border-line-soft py-1.5">
            <LayerTag layer={layer} />
            <ObjectLink object={{ kind: "Pod", namespace, name }} />
            <span className="ml-auto text-ink-2">{reason}</span>
          </li>
        ))}
      </ul>
      <ShowMore shown={shown.length} total={siblings.length} what="pods" onMore={() => setAll(true)} />
    </Section>
  );
}
