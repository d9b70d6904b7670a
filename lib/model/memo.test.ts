import { describe, expect, it, vi } from "vitest";
import { memo } from "./memo.ts";

describe("memo", () => {
  it.each([["text"], [7], [""]])("works the answer to %j out once", (question) => {
    const answer = vi.fn((asked: string | number) => [asked]);
    const remembered = memo(answer);
    expect(remembered(question)).toBe(remembered(question));
    expect(answer).toHaveBeenCalledTimes(1);
  });

  it("remembers that there is none", () => {
    const answer = vi.fn((_: string) => undefined);
    const remembered = memo(answer);
    remembered("a");
    remembered("a");
    expect(answer).toHaveBeenCalledTimes(1);
  });

  it("keeps no long text, and does not grow for ever", () => {
    const answer = vi.fn((asked: string | number) => asked);
    const remembered = memo(answer);
    remembered("x".repeat(65));
    remembered("x".repeat(65));
    expect(answer).toHaveBeenCalledTimes(2);
    for (let question = 0; question <= 2_000; question += 1) remembered(question);
    answer.mockClear();
    remembered(0);
    expect(answer).toHaveBeenCalledTimes(1);
  });
});
