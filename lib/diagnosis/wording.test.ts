import { describe, expect, it } from "vitest";
import { amountInWords, cutText, listInWords, shellWord, timeInWords } from "./wording.ts";

describe("listInWords", () => {
  it.each([
    [[], ""],
    [["a"], "a"],
    [["a", "b"], "a and b"],
    [["a", "b", "c"], "a, b and c"],
    [["a", "b", "c", "d", "e"], "a, b and 3 more"],
  ])("%j", (items, words) => {
    expect(listInWords(items)).toBe(words);
  });
});

describe("amountInWords", () => {
  it.each([
    ["cpu", 1_000, "1 CPU"],
    ["cpu", 12_500, "12.5 CPUs"],
    ["memory", 64 * 2 ** 30, "64 GiB of memory"],
    ["pods", 0, "0 pods"],
    ["rdma/ib", 4, "4 rdma/ib"],
  ])("%s %d", (resource, amount, words) => {
    expect(amountInWords(resource, amount)).toBe(words);
  });
});

describe("timeInWords", () => {
  const now = Date.parse("2026-12-01T12:00:00Z");
  it.each([
    [Date.parse("2026-12-01T09:05:59Z"), "09:05 UTC"],
    [Date.parse("2026-11-30T23:59:00Z"), "2026-11-30 23:59 UTC"],
    [Number.NaN, "an unknown time"],
  ])("%d", (time, words) => {
    expect(timeInWords(time, now)).toBe(words);
  });
});

describe("shellWord", () => {
  it.each([
    ["ip-10-0-0-1.ec2.internal", "ip-10-0-0-1.ec2.internal"],
    ["a; rm -rf /", "'a; rm -rf /'"],
    ["it's", "'it'\\''s'"],
    ["$(id)", "'$(id)'"],
  ])("%s", (name, word) => {
    expect(shellWord(name)).toBe(word);
  });
});

it("cuts text to one line of bounded length", () => {
  expect(cutText("a\n\n b")).toBe("a b");
  expect(cutText("x".repeat(1_000_000), 10)).toBe(`${"x".repeat(9)}…`);
});
