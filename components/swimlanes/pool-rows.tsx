"use client";

import { TERM_TONE } from "@/components/capacity/term-words.tsx";
import { formatCount, formatPerHour } from "@/components/ui/format.ts";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import { useNow } from "@/lib/client/clock.tsx";
import type { PoolView } from "@/lib/model/fleet-view.ts";
import { LAYERS } from "@/lib/model/stages.ts";
import { LaneBar } from "./lane-bar.tsx";
import { type LaneCounts, throughText } from "./lane-counts.ts";
import { poolWords } from "./pool-words.ts";

const TOP_DOWN = [...LAYERS].reverse();

/** The lanes where there is no room for squares: four bars a pool. */
export function PoolRows({
  pools,
  countsOf,
  hatched,
  announced,
}: {
  pools: readonly PoolView[];
  countsOf: (pool: PoolView) => LaneCounts;
  hatched: string;
  /** Ids of the pools that end within the notice time. */
  announced: ReadonlySet<string>;
}) {
  return (
    <ul className="md:hidden">
      {pools.map((pool) => {
        const counts = countsOf(pool);
        return (
          <li key={pool.id} className="border-t border-line-soft px-3.5 py-2.5">
            <div className="flex items-baseline justify-between gap-2">
              <h3 className="min-w-0 font-semibold">
                <SelectionLink
                  to={{ kind: "pool", id: pool.id }}
                  className="inline-block max-w-full truncate align-bottom leading-6"
                >
                  {pool.name}
                </SelectionLink>
              </h3>
              <span className="shrink-0 text-ink-2 tabular-nums">{formatPerHour(pool.paid)}</span>
            </div>
            <p className="text-[11.5px] text-ink-2">
              {formatCount(pool.paid.gpus)} × {pool.gpuModel ?? "GPU"}
              <NearTerm pool={pool} isAnnounced={announced.has(pool.id)} />
            </p>
            {TOP_DOWN.map((layer) => (
              <div
                key={layer}
                className={`mt-[5px] grid grid-cols-[26px_minmax(0,1fr)_auto] items-center gap-2 text-[11.5px] text-ink-2 ${hatched.includes(layer) ? "hatched" : ""}`}
              >
                <LayerTag layer={layer} />
                <span className="flex h-[9px]">
                  <LaneBar
                    ledger={pool}
                    layer={layer}
                    untold={counts[layer].unknown > 0 ? "unknown" : "ok"}
                  />
                </span>
                <span className="min-w-[58px] text-right tabular-nums">
                  {throughText(counts[layer])}/{formatCount(pool.paid.gpus)}
                </span>
              </div>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

/** The countdown where it ends or starts soon. */
function NearTerm({ pool, isAnnounced }: { pool: PoolView; isAnnounced: boolean }) {
  const { term } = poolWords(pool, useNow(), isAnnounced);
  if (term.tone === "calm") return null;
  return <span className={`tabular-nums ${TERM_TONE[term.tone]}`}> · {term.text}</span>;
}
