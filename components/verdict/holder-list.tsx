"use client";

import { useState } from "react";
import { formatGpus } from "@/components/ui/format.ts";
import type { HolderView } from "@/lib/model/fleet-view.ts";
import { ObjectLink } from "./object-link.tsx";
import { ShowMore } from "./show-more.tsx";

const FIRST = 8;

/** The pods that hold GPUs. `onNode`: all are on the node that is shown, so it is not repeated. */
export function HolderList({
  holders,
  onNode = false,
}: {
  holders: readonly HolderView[];
  onNode?: boolean;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? holders : holders.slice(0, FIRST);
  return (
    <>
      <ul className="text-xs">
        {shown.map(({ namespace, name, node, gpus }) => (
          <li
            key={`${namespace}/${name}/${node}`}
            className="flex items-baseline gap-3 border-t border-line-soft py-1.5"
          >
            <ObjectLink object={{ kind: "Pod", namespace, name }} />
            {!onNode && (
              <span className="text-ink-2">
                on <ObjectLink object={{ kind: "Node", name: node }} />
              </span>
            )}
            <span className="ml-auto whitespace-nowrap tabular-nums">{formatGpus(gpus)}</span>
          </li>
        ))}
      </ul>
      <ShowMore shown={shown.length} total={holders.length} what="holders" onMore={() => setAll(true)} />
    </>
  );
}
