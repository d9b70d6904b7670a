"use client";

import { memo, type PointerEvent, useId, useState } from "react";
import type { PoolView } from "@/lib/model/fleet-view.ts";
import type { Layer } from "@/lib/model/stages.ts";
import { LaneCell } from "./lane-cell.tsx";
import type { LaneCounts } from "./lane-counts.ts";
import type { ColumnLayout } from "./lane-layout.ts";
import { PoolHead } from "./pool-head.tsx";
import { SeamCell } from "./seam-cell.tsx";

interface PoolColumnProps {
  readonly pool: PoolView;
  readonly drawn: ColumnLayout["drawn"];
  readonly square: number;
  /** This pool's counts, one entry a layer. */
  readonly counts: LaneCounts;
  /** Layers whose data is not live, joined by spaces. */
  readonly hatched: string;
  /** It ends within the notice time. */
  readonly isAnnounced: boolean;
}

/** One pool from its head down to L1; a pool that did not change is not drawn again. */
export const PoolColumn = memo(function PoolColumn({
  pool,
  drawn,
  square,
  counts,
  hatched,
  isAnnounced,
}: PoolColumnProps) {
  const titleId = useId();
  const [marked, mark] = useState<number>();
  const cell = (layer: Layer) => (
    <LaneCell
      pool={pool}
      layer={layer}
      counts={counts[layer]}
      drawn={drawn}
      square={square}
      hatched={hatched.includes(layer)}
      marked={marked}
    />
  );
  return (
    <article
      aria-labelledby={titleId}
      className="row-span-6 grid min-w-0 grid-rows-subgrid border-r border-line-soft last:border-r-0"
      onPointerOver={(event) => mark(blockUnder(event))}
      onPointerLeave={() => mark(undefined)}
    >
      <PoolHead pool={pool} titleId={titleId} isAnnounced={isAnnounced} />
      {cell("L4")}
      {cell("L3")}
      <SeamCell pool={pool} />
      {cell("L2")}
      {cell("L1")}
    </article>
  );
}, sameColumn);

function sameColumn(a: PoolColumnProps, b: PoolColumnProps): boolean {
  return (
    a.pool === b.pool &&
    a.drawn === b.drawn &&
    a.square === b.square &&
    a.hatched === b.hatched &&
    a.isAnnounced === b.isAnnounced &&
    a.counts.L1 === b.counts.L1 &&
    a.counts.L2 === b.counts.L2 &&
    a.counts.L3 === b.counts.L3 &&
    a.counts.L4 === b.counts.L4
  );
}

function blockUnder(event: PointerEvent): number | undefined {
  const block = event.target instanceof Element ? event.target.closest("[data-block]") : null;
  const index = block?.getAttribute("data-block");
  return index == null ? undefined : Number(index);
}
