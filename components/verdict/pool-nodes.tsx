"use client";

import { useState } from "react";
import { formatGpus } from "@/components/ui/format.ts";
import { StageSwatch } from "@/components/ui/stage-swatch.tsx";
import { BLOCK_LIMIT, type BlockView } from "@/lib/model/fleet-view.ts";
import { STAGES, UNKNOWN_CODE } from "@/lib/model/stages.ts";
import { SelectionLink } from "./selection-link.tsx";
import { ShowMore } from "./show-more.tsx";

const FIRST = 24;

/** A pool's nodes and empty slots with the stages of their GPUs: what the picture draws, in words. */
export function PoolNodes({ blocks }: { blocks: readonly BlockView[] | null }) {
  const [all, setAll] = useState(false);
  if (blocks === null) {
    return <p className="text-ink-2">More than {BLOCK_LIMIT} GPUs: only sums are read for the page.</p>;
  }
  if (blocks.length === 0) return <p className="text-ink-2">None.</p>;
  const shown = all ? blocks : blocks.slice(0, FIRST);
  return (
    <>
      <ul className="text-xs">
        {shown.map((block) => (
          <li
            key={`${block.kind}/${block.name}`}
            className="flex items-baseline justify-between gap-3 border-t border-line-soft py-1"
          >
            {block.kind === "node" ? (
              <SelectionLink
                to={{ kind: "node", name: block.name }}
                className="min-h-6 wrap-anywhere leading-6 underline decoration-line"
              >
                {block.name}
              </SelectionLink>
            ) : (
              <span className="leading-6 text-ink-2">slot {block.name}</span>
            )}
            <BlockStages cells={block.cells} />
          </li>
        ))}
      </ul>
      <ShowMore
        shown={shown.length}
        total={blocks.length}
        what="nodes and slots"
        onMore={() => setAll(true)}
      />
    </>
  );
}

function BlockStages({ cells }: { cells: string }) {
  const count = (code: string) => cells.split(code).length - 1;
  const unknown = count(UNKNOWN_CODE);
  return (
    <span className="flex flex-wrap justify-end gap-x-3 text-right tabular-nums">
      {STAGES.filter(({ code }) => cells.includes(code))
        .reverse()
        .map(({ stage, code, label }) => (
          <span key={stage} className="inline-flex items-center gap-1.5 whitespace-nowrap">
            <StageSwatch stage={stage} />
            {count(code)} {label}
          </span>
        ))}
      {unknown > 0 && <span className="text-ink-2">{formatGpus(unknown)} cannot be told</span>}
    </span>
  );
}
