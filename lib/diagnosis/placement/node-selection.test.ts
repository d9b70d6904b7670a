import { describe, expect, it } from "vitest";
import type { NodeSelectorTerm } from "../../model/kubernetes.ts";
import { aNode, aPod } from "../../testing/builders.ts";
import { selectionMismatch } from "./node-selection.ts";

const node = aNode({ name: "gpu-1", labels: { zone: "a", gen: "9", empty: "" } });
const term = (key: string, operator: string, ...values: string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator, values }],
  matchFields: [],
});
const field = (key: string, operator: string, ...values: string[]): NodeSelectorTerm => ({
  matchExpressions: [],
  matchFields: [{ key, operator, values }],
});
const NOTHING: NodeSelectorTerm = { matchExpressions: [], matchFields: [] };

describe("required node affinity", () => {
  const rows: readonly (readonly [title: string, terms: NodeSelectorTerm[], matches: boolean])[] = [
    ["no terms", [], true],
    ["In, one of several values", [term("zone", "In", "b", "a")], true],
    ["In, none", [term("zone", "In", "b")], false],
    ["In, label absent", [term("rack", "In", "b")], false],
    ["In, an empty label value", [term("empty", "In", "")], true],
    ["NotIn, another value", [term("zone", "NotIn", "b")], true],
    ["NotIn, the value", [term("zone", "NotIn", "a")], false],
    ["NotIn, label absent", [term("rack", "NotIn", "a")], true],
    ["Exists", [term("zone", "Exists")], true],
    ["Exists, label absent", [term("rack", "Exists")], false],
    ["DoesNotExist", [term("zone", "DoesNotExist")], false],
    ["DoesNotExist, label absent", [term("rack", "DoesNotExist")], true],
    ["Gt", [term("gen", "Gt", "8")], true],
    ["Gt, equal", [term("gen", "Gt", "9")], false],
    ["Lt", [term("gen", "Lt", "10")], true],
    ["Lt, equal", [term("gen", "Lt", "9")], false],
    ["Gt on a word", [term("zone", "Gt", "8")], false],
    ["an operator that does not exist", [term("zone", "Like", "a")], false],
    ["an inherited name is no label", [term("constructor", "Exists")], false],
    ["a node by its name", [field("metadata.name", "In", "gpu-1")], true],
    ["another node by its name", [field("metadata.name", "In", "gpu-2")], false],
    ["not this node by its name", [field("metadata.name", "NotIn", "gpu-1")], false],
    ["another field", [field("spec.unschedulable", "In", "false")], false],
    ["one of two terms", [term("zone", "In", "b"), term("gen", "Exists")], true],
    ["an empty term matches nothing", [NOTHING], false],
    ["an empty term beside one that matches", [NOTHING, term("gen", "Exists")], true],
  ];
  it.each(rows)("%s", (_, nodeAffinity, matches) => {
    expect(selectionMismatch(aPod({ nodeAffinity }), node) === undefined).toBe(matches);
  });

  it("needs every requirement of a term", () => {
    const both = {
      ...term("zone", "In", "a"),
      matchFields: [{ key: "metadata.name", operator: "In", values: ["x"] }],
    };
    expect(selectionMismatch(aPod({ nodeAffinity: [both] }), node)).toBe("metadata.name=x");
  });
});

describe("nodeSelector", () => {
  it("matches all of its labels", () => {
    expect(selectionMismatch(aPod({ nodeSelector: { zone: "a", gen: "9" } }), node)).toBeUndefined();
  });
  it("names the label that does not match", () => {
    expect(selectionMismatch(aPod({ nodeSelector: { zone: "a", gen: "8" } }), node)).toBe("gen=8");
  });
  it("applies beside the affinity", () => {
    const pod = aPod({ nodeSelector: { zone: "b" }, nodeAffinity: [term("gen", "Exists")] });
    expect(selectionMismatch(pod, node)).toBe("zone=b");
  });
});
