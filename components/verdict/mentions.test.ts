import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMentions, nameOf } from "./mentions.ts";

const node = (name: string) => ({ kind: "Node", name });
const pod = { kind: "Pod", namespace: "ml", name: "a-1" };

describe("findMentions", () => {
  it.each([
    ["no objects", "all is well", [], ["all is well"], []],
    ["at the start", "n1: cordoned", [node("n1")], [node("n1"), ": cordoned"], []],
    [
      "in the middle and at the end",
      "n1 and n2",
      [node("n2"), node("n1")],
      [node("n1"), " and ", node("n2")],
      [],
    ],
    ["before a full stop", "it is n1.", [node("n1")], ["it is ", node("n1"), "."], []],
    ["not mentioned", "a taint", [node("n1")], ["a taint"], [node("n1")]],
    ["part of a longer name", "n1.x and n1-2", [node("n1")], ["n1.x and n1-2"], [node("n1")]],
    ["after a longer name", "n1-2, n1", [node("n1")], ["n1-2, ", node("n1")], []],
    ["with a namespace", "ml/a-1 waits", [pod], [pod, " waits"], []],
    ["without the namespace it is another", "a-1 waits", [pod], ["a-1 waits"], [pod]],
    ["an empty name", "x", [node("")], ["x"], [node("")]],
  ])("%s", (_, text, objects, parts, rest) => {
    expect(findMentions(text, objects)).toEqual({ parts, rest });
  });

  it("loses no character, whatever the names", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "-", ".", " "), maxLength: 12 });
    fc.assert(
      fc.property(word, fc.array(word), (text, names) => {
        const { parts } = findMentions(text, names.map(node));
        expect(parts.map((part) => (typeof part === "string" ? part : nameOf(part))).join("")).toBe(text);
      }),
    );
  });
});
