import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LAYERS, type Layer, STAGES, stageOfCode, UNKNOWN_CODE } from "@/lib/model/stages.ts";
import { cellsInWords, type Look, lookOf, lookRuns } from "./cell-looks.ts";

describe("lookOf", () => {
  it.each<[string, readonly Look[]]>([
    ["B", ["broken-at-provider", "ghost", "ghost", "ghost"]],
    ["E", ["elsewhere", "ghost", "ghost", "ghost"]],
    ["R", ["ok", "not-ready", "ghost", "ghost"]],
    ["F", ["ok", "ok", "free", "ghost"]],
    ["N", ["ok", "ok", "ok", "not-working"]],
    ["W", ["ok", "ok", "ok", "ok"]],
    [UNKNOWN_CODE, ["unknown", "unknown", "unknown", "unknown"]],
    ["%", ["unknown", "unknown", "unknown", "unknown"]],
  ])("%s is, from L1 up, %j", (code, looks) =>
    expect(LAYERS.map((layer) => lookOf(code, layer))).toEqual(looks),
  );

  it("lets a GPU that cannot be told through where the lane does", () =>
    expect(lookOf(UNKNOWN_CODE, "L1", "ok")).toBe("ok"));

  it("colours every lost GPU in exactly the lane that loses it", () => {
    for (const { code, layer, stage } of STAGES) {
      const coloured = LAYERS.filter((each) => stageOfCode(code)?.stage === lookOf(code, each));
      expect(coloured).toEqual(stage === "working" ? [] : [layer]);
    }
  });
});

describe("lookRuns", () => {
  it("is one rectangle where all is alike", () =>
    expect(lookRuns("WWWWWWWW", "L2", 4)).toEqual([{ look: "ok", column: 0, row: 0, columns: 4, rows: 2 }]));

  it("breaks at the row's end and where the look changes", () =>
    expect(lookRuns("WWWWWWWU", "L2", 4)).toEqual([
      { look: "ok", column: 0, row: 0, columns: 4, rows: 1 },
      { look: "ok", column: 0, row: 1, columns: 3, rows: 1 },
      { look: "unhealthy", column: 3, row: 1, columns: 1, rows: 1 },
    ]));

  it("covers every GPU once, in its place, whatever the block holds", () => {
    const codes = [...STAGES.map((info) => info.code), UNKNOWN_CODE];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...codes), { minLength: 1, maxLength: 20 }),
        fc.constantFrom<Layer>(...LAYERS),
        fc.integer({ min: 1, max: 8 }),
        (cells, layer, columns) => {
          const drawn = new Map<number, Look>();
          for (const run of lookRuns(cells.join(""), layer, columns)) {
            for (let row = run.row; row < run.row + run.rows; row++) {
              for (let column = run.column; column < run.column + run.columns; column++) {
                const index = row * columns + column;
                expect(drawn.has(index)).toBe(false);
                drawn.set(index, run.look);
              }
            }
          }
          expect(cells.map((_, index) => drawn.get(index))).toEqual(cells.map((code) => lookOf(code, layer)));
          expect(drawn.size).toBe(cells.length);
        },
      ),
    );
  });
});

describe("cellsInWords", () => {
  it.each([
    ["WWWWWWWU", "7 working, 1 unhealthy"],
    ["??", "2 cannot be told"],
    ["", ""],
  ])("%j is %j", (cells, words) => expect(cellsInWords(cells)).toBe(words));
});
