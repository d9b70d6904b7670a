import { BLOCK_LIMIT, type PoolView } from "@/lib/model/fleet-view.ts";

/** How one pool is drawn. */
export interface ColumnLayout {
  readonly pool: PoolView;
  readonly drawn: "squares" | "bars";
  /** Px below which its words and blocks have no room; where there is not enough for all, the lanes scroll. */
  readonly least: number;
  /** Share of the width that is left over, as CSS `fr`. */
  readonly weight: number;
}

export interface LaneLayout {
  readonly columns: readonly ColumnLayout[];
  /** Side of one square in px. */
  readonly square: number;
}

/** Squares of larger pools say no more than a bar does. */
const SQUARES_PER_POOL = Math.min(300, BLOCK_LIMIT);
/** Nodes and slots drawn one by one on the page, each in four lanes: the pools that lose most come first and get theirs. */
const BLOCKS_IN_ALL = 600;

/** Which pools are squares and which bars, how wide their columns are, and how large a square is. */
export function layoutLanes(pools: readonly PoolView[]): LaneLayout {
  let drawnBlocks = 0;
  let drawnSquares = 0;
  const columns = pools.map((pool): ColumnLayout => {
    const cells = pool.blocks?.reduce((sum, block) => sum + block.cells.length, 0) ?? 0;
    const blocks = pool.blocks?.length ?? 0;
    const fits = cells > 0 && cells <= SQUARES_PER_POOL && drawnBlocks + blocks <= BLOCKS_IN_ALL;
    if (fits) {
      drawnBlocks += blocks;
      drawnSquares += cells;
    }
    return {
      pool,
      drawn: fits ? "squares" : "bars",
      least: leastWidth(fits ? cells : 0),
      weight: Math.round(Math.sqrt(Math.min(SQUARES_PER_POOL, Math.max(24, pool.paid.gpus ?? 0))) * 10) / 10,
    };
  });
  return { columns, square: squareSize(drawnSquares) };
}

/** Room for the words of any pool, and for three or four nodes of 8 side by side in larger ones. */
function leastWidth(squares: number): number {
  if (squares <= 64) return 128;
  return squares <= 160 ? 160 : 200;
}

/** The fewer GPUs there are, the larger they are drawn: one GPU is a picture too. */
function squareSize(squares: number): number {
  if (squares <= 4) return 28;
  if (squares <= 24) return 18;
  if (squares <= 96) return 12;
  return squares <= 200 ? 9 : 7;
}

/** Columns of squares within a node: 8 GPUs are two rows of four, as they sit in the machine. */
export function blockColumns(gpus: number): number {
  if (gpus <= 2) return Math.max(1, gpus);
  return gpus <= 4 ? 2 : Math.min(8, Math.max(4, Math.ceil(gpus / 4)));
}
