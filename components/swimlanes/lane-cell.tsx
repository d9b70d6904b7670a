import { formatCount, formatGpus } from "@/components/ui/format.ts";
import type { LanePoolView, PoolView } from "@/lib/model/fleet-view.ts";
import { LAYER_INFO, type Layer } from "@/lib/model/stages.ts";
import { LaneBar } from "./lane-bar.tsx";
import { throughText } from "./lane-counts.ts";
import type { ColumnLayout } from "./lane-layout.ts";
import { NodeBlock } from "./node-block.tsx";

const HUE = { L1: "hue-L1", L2: "hue-L2", L3: "hue-L3", L4: "hue-L4" } as const;

/** One pool in one lane: how many GPUs get through, how many are lost here, and where each of them is. */
export function LaneCell({
  pool,
  layer,
  counts,
  drawn,
  square,
  hatched,
  marked,
}: {
  pool: PoolView;
  layer: Layer;
  counts: LanePoolView;
  drawn: ColumnLayout["drawn"];
  square: number;
  /** The lane's data is not live. */
  hatched: boolean;
  /** Index of the block under the pointer; the same place in all four lanes. */
  marked: number | undefined;
}) {
  const { through } = LAYER_INFO[layer];
  return (
    <div
      className={`@container min-w-0 border-t border-line-soft py-2.5 pr-2 pl-3 ${hatched ? "hatched" : ""}`}
      data-layer={layer}
    >
      <p className="mb-[5px] flex max-w-60 justify-between gap-1.5 text-[11.5px] text-ink-2 tabular-nums">
        <span className="truncate" title={`${throughText(counts)} ${through}`}>
          <span className="sr-only">{layer}: </span>
          <b className="font-semibold text-ink">{throughText(counts)}</b> <ThroughWord word={through} />
        </span>
        <span className="shrink-0 font-semibold">
          {counts.unknown > 0 && (
            <span title={`${formatGpus(counts.unknown)} cannot be told`}>
              ? {formatCount(counts.unknown)}{" "}
            </span>
          )}
          {counts.lost > 0 && (
            <span className={HUE[layer]} title={`${formatGpus(counts.lost)} lost in this layer`}>
              −{formatCount(counts.lost)}
            </span>
          )}
        </span>
      </p>
      {drawn === "bars" || !pool.blocks ? (
        <div className="h-3.5">
          <LaneBar ledger={pool} layer={layer} untold={counts.unknown > 0 ? "unknown" : "ok"} />
        </div>
      ) : (
        <div className="flex flex-wrap gap-[5px]">
          {pool.blocks.map((block, index) => (
            <NodeBlock
              key={`${block.kind}/${block.name}`}
              block={block}
              layer={layer}
              square={square}
              index={index}
              untold={counts.unknown > 0 ? "unknown" : "ok"}
              marked={marked === index}
            />
          ))}
        </div>
      )}
      {layer === "L3" && pool.waiting.pods > 0 && (
        <p className="mt-1.5 text-2xs text-ink-3 tabular-nums">
          waiting here: {formatGpus(pool.waiting.gpus)} in {pool.waiting.pods}{" "}
          {pool.waiting.pods === 1 ? "pod" : "pods"}
        </p>
      )}
    </div>
  );
}

/** The lane's word, short where the column is narrow. */
function ThroughWord({ word }: { word: string }) {
  if (word !== "schedulable") return word;
  return (
    <>
      <span className="@max-[118px]:hidden">schedulable</span>
      <span className="@min-[118px]:hidden">sched.</span>
    </>
  );
}
