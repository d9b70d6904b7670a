import { type MouseEvent, memo } from "react";
import { openSelection } from "@/lib/client/selection.ts";
import type { BlockView } from "@/lib/model/fleet-view.ts";
import type { Layer } from "@/lib/model/stages.ts";
import { cellsInWords, lookRuns } from "./cell-looks.ts";
import { blockColumns } from "./lane-layout.ts";
import { squareGap, squareId } from "./square-defs.tsx";

/**
 * The GPUs of one node or empty slot in one lane. A node's block opens its drawer by pointer; by keyboard the pool's
 * drawer leads there, so that a large pool is not hundreds of tab stops. `marked`: the pointer is on this node.
 */
export const NodeBlock = memo(function NodeBlock({
  block,
  layer,
  square,
  index,
  untold,
  marked,
}: {
  block: BlockView;
  layer: Layer;
  /** How a GPU looks whose stage cannot be told. */
  untold: "ok" | "unknown";
  square: number;
  index: number;
  marked: boolean;
}) {
  const columns = blockColumns(block.cells.length);
  const rows = Math.ceil(block.cells.length / columns);
  const gap = squareGap(square);
  const tile = square + gap;
  const squares = (
    <svg width={columns * tile - gap} height={rows * tile - gap} className="block" aria-hidden="true">
      {lookRuns(block.cells, layer, columns, untold).map((run) => (
        <rect
          key={`${run.row}-${run.column}`}
          x={run.column * tile}
          y={run.row * tile}
          width={run.columns * tile - gap}
          height={run.rows * tile - gap}
          fill={`url(#${squareId(run.look)})`}
        />
      ))}
    </svg>
  );
  const look = `rounded-[2px] ${marked ? "outline-2 outline-offset-1 outline-focus" : ""}`;
  if (block.kind === "slot") {
    return (
      <span data-block={index} className={look} title={`slot ${block.name}: ${cellsInWords(block.cells)}`}>
        {squares}
      </span>
    );
  }
  return (
    <a
      href={`?node=${encodeURIComponent(block.name)}`}
      onClick={openNode}
      tabIndex={-1}
      data-block={index}
      className={look}
      title={`${block.name}: ${cellsInWords(block.cells)}`}
    >
      {squares}
    </a>
  );
});

function openNode(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const name = new URL(event.currentTarget.href).searchParams.get("node");
  if (name) openSelection({ kind: "node", name });
}
