import { describe, expect, it } from "vitest";
import type { FindingKind, FindingView } from "@/lib/model/fleet-view.ts";
import { announcedPools, endWord } from "./announced-pools.ts";
import { aRow, inDays } from "./row-fixture.ts";

const finding = (kind: FindingKind, pool: string, until: string | null = null): FindingView => ({
  id: `${kind}|${pool}`,
  kind,
  reservation: pool,
  pool,
  gpus: 8,
  perHour: [],
  certainty: "?",
  since: null,
  until,
  title: "",
  detail: "",
  owner: "capacity team",
  contact: null,
  objects: [],
  objectCount: 0,
});

describe("what is announced", () => {
  it("are the pools that end within the notice time, whether work is on them or not", () =>
    expect(
      announcedPools([finding("ending", "a"), finding("idle", "b"), finding("ending-with-work", "c")]),
    ).toEqual(new Set(["a", "c"])));

  it.each([
    ["ends", inDays(2)],
    ["taken back", inDays(1)],
    ["ends", null],
  ])("%s at %s", (word, until) => {
    const { pool } = aRow("a", { end: inDays(2), usableUntil: inDays(1) });
    expect(endWord(finding("ending", "a", until), pool)).toBe(word);
  });
});
