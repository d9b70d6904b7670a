import { describe, expect, it } from "vitest";
import { aFleetView, nodes } from "@/lib/testing/view-fixture.ts";
import { blockColumns, layoutLanes } from "./lane-layout.ts";

const pools = (...sizes: readonly number[]) =>
  aFleetView(sizes.map((size, index) => ({ name: `p${index}`, blocks: nodes(size / 8, "WWWWWWWW") }))).pools;

describe("layoutLanes", () => {
  it("draws small pools as squares and large ones as bars", () =>
    expect(layoutLanes(pools(296, 304)).columns.map((column) => column.drawn)).toEqual(["squares", "bars"]));

  it("draws a pool without blocks as bars", () => {
    const [pool] = pools(8);
    if (!pool) throw new Error("no pool");
    expect(layoutLanes([{ ...pool, blocks: null }]).columns[0]?.drawn).toBe("bars");
  });

  it("gives the squares to the first pools where there are too many nodes", () => {
    const drawn = layoutLanes(pools(...Array<number>(25).fill(240), 8)).columns.map((column) => column.drawn);
    expect(drawn).toEqual([...Array(20).fill("squares"), ...Array(6).fill("bars")]);
  });

  it("draws a small pool that still has room after one that had none", () => {
    const drawn = layoutLanes(pools(...Array<number>(19).fill(240), 248, 240, 8)).columns;
    expect(drawn.slice(18).map((column) => column.drawn)).toEqual(["squares", "bars", "squares", "bars"]);
  });

  it.each([
    [[8], 18],
    [[80], 12],
    [[104, 80], 9],
    [[128, 96, 64], 7],
  ])("draws pools of %j GPUs with squares of %i px", (sizes, square) =>
    expect(layoutLanes(pools(...sizes)).square).toBe(square),
  );

  it("draws a single GPU as a picture", () =>
    expect(layoutLanes(aFleetView([{ name: "one", blocks: ["W"] }]).pools).square).toBe(28));

  it("leaves room for words, and for more blocks in larger pools", () => {
    const least = layoutLanes(pools(8, 96, 240, 4_000)).columns.map((column) => column.least);
    expect(least).toEqual([128, 160, 200, 128]);
  });

  it("makes larger pools wider, but none of them all-devouring", () => {
    const [small, large, huge] = layoutLanes(pools(8, 128, 20_000)).columns.map((column) => column.weight);
    expect(large).toBeGreaterThan(small ?? 0);
    expect(huge).toBeLessThan(2 * (large ?? 0));
  });
});

describe("blockColumns", () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 2],
    [6, 4],
    [8, 4],
    [16, 4],
    [72, 8],
  ])("%i GPUs stand in %i columns", (gpus, columns) => expect(blockColumns(gpus)).toBe(columns));
});
