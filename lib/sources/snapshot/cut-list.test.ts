import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { cutList } from "./cut-list.ts";
import { parseDocuments } from "./parse-documents.ts";

const COUNT = 2_000;

const item = (index: number) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `pod-${index}`, annotations: { text: "items:\n- one\n- two\n", list: ["- a", "b"] } },
  spec: { containers: [{ name: "main", args: ["x".repeat(400)] }] },
});

/** Laid out as kubectl does: keys sorted, items at the start of their lines. */
function aList(items: readonly unknown[] = Array.from({ length: COUNT }, (_, index) => item(index))): string {
  const body = stringify(items, { lineWidth: 0 });
  return `apiVersion: v1\nitems:\n${body}kind: List\nmetadata:\n  resourceVersion: ""\n`;
}

describe("cutList", () => {
  it("gives a piece for each item and leaves the lines of the rest where they are", () => {
    const text = aList();
    const list = cutList(text);
    expect(list?.items).toHaveLength(COUNT);
    expect(list?.items.map((piece) => parse(piece)[0])).toEqual(parse(text).items);
    const lineOf = (part: string) => part.slice(0, part.indexOf("kind: List")).split("\n").length;
    expect(lineOf(list?.rest ?? "")).toBe(lineOf(text));
    expect(list?.itemsLine).toBe(2);
  });

  it.each([
    ["a short list", aList([item(0)])],
    ["a list in flow style", `{kind: List, items: [${"x".repeat(2 ** 20)}]}`],
    ["a list that is laid out in another way", aList().replaceAll(/^(?=- | {2})/gm, "  ")],
  ])("leaves %s whole", (_what, text) => {
    expect(cutList(text)).toBeUndefined();
  });
});

describe("parseDocuments of a long list", () => {
  it("gives what the YAML says", () => {
    const text = aList();
    expect(parseDocuments(text, "yaml")).toEqual([{ where: "line 1", value: parse(text) }]);
  });

  it("reads it with carriage returns, as one of several documents", () => {
    const text = `kind: A\n---\n${aList()}---\nkind: B\n`.replaceAll("\n", "\r\n");
    const documents = parseDocuments(text, "yaml");
    expect(documents).toHaveLength(3);
    expect(documents[1]).toMatchObject({
      where: "line 3",
      value: { kind: "List", items: { length: COUNT } },
    });
  });

  it("names the line of a broken item and keeps the others", () => {
    const text = aList().replace("name: pod-1000\n", "name: [pod-1000\n");
    const brokenLine = text.slice(0, text.indexOf("[pod-1000")).split("\n").length;
    const [broken, whole] = parseDocuments(text, "yaml");
    expect(broken).toMatchObject({ error: expect.stringMatching(/^expected a YAML document/) });
    const line = Number(/line (\d+)/.exec(broken?.where ?? "")?.[1]);
    expect(Math.abs(line - brokenLine)).toBeLessThanOrEqual(1);
    expect(whole).toMatchObject({ value: { kind: "List", items: { length: COUNT - 1 } } });
  });

  it("refuses one piece that would take too much memory", () => {
    const [document] = parseDocuments(`kind: ${"x".repeat(33 * 2 ** 20)}`, "yaml");
    expect(document).toMatchObject({ where: "line 1", error: expect.stringContaining("at most 32 MiB") });
  });
});
