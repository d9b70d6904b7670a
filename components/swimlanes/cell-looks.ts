import { type Layer, type Stage, stageOfCode } from "@/lib/model/stages.ts";

/**
 * How a GPU looks in one lane: `ok` is still there, `ghost` was lost further down, a stage is lost right here,
 * `unknown` cannot be told.
 */
export type Look = Stage | "ok" | "ghost" | "unknown";

/**
 * The look in lane `layer` of the GPU that `code` stands for (`BlockView.cells`). `untold`: what the lane makes of a GPU
 * whose stage cannot be told; a lane that counts none as unknown lets them through.
 */
export function lookOf(code: string, layer: Layer, untold: "ok" | "unknown" = "unknown"): Look {
  const info = stageOfCode(code);
  if (!info) return untold;
  if (info.stage === "working" || info.layer > layer) return "ok";
  return info.layer === layer ? info.stage : "ghost";
}

/** Squares of one look side by side, in units of squares from the block's corner. */
export interface Run {
  readonly look: Look;
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

/** The rectangles that make up a block of `cells` in rows of `columns`; one for a block that is all alike. */
export function lookRuns(
  cells: string,
  layer: Layer,
  columns: number,
  untold: "ok" | "unknown" = "unknown",
): readonly Run[] {
  const looks = [...cells].map((code) => lookOf(code, layer, untold));
  const [first] = looks;
  if (first !== undefined && looks.length % columns === 0 && looks.every((look) => look === first)) {
    return [{ look: first, column: 0, row: 0, columns, rows: looks.length / columns }];
  }
  const runs: Run[] = [];
  for (const [index, look] of looks.entries()) {
    const column = index % columns;
    const last = runs.at(-1);
    if (last && column > 0 && last.look === look) {
      runs[runs.length - 1] = { ...last, columns: last.columns + 1 };
    } else {
      runs.push({ look, column, row: Math.floor(index / columns), columns: 1, rows: 1 });
    }
  }
  return runs;
}

/** What a block holds, in words: `7 working, 1 unhealthy`. */
export function cellsInWords(cells: string): string {
  const counts = new Map<string, number>();
  for (const code of cells) {
    const label = stageOfCode(code)?.label ?? "cannot be told";
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts].map(([label, count]) => `${count} ${label}`).join(", ");
}
