import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aStuck } from "../testing/stuck-view.ts";
import { parseSelection, type Selection, selectionHref, shows } from "./selection.ts";

describe("parseSelection", () => {
  it.each<[string, Selection | null]>([
    ["", null],
    ["pod=ml/train-0", { kind: "pod", namespace: "ml", name: "train-0" }],
    ["node=ip-10-0-31-17", { kind: "node", name: "ip-10-0-31-17" }],
    ["pool=reservation/cr-0f3a", { kind: "pool", id: "reservation/cr-0f3a" }],
    ["stuck=Workload/ml/job-a", { kind: "stuck", of: "Workload", namespace: "ml", name: "job-a" }],
    ["stuck=Workload/job-a", null],
    ["pod=train-0", null],
    ["pod=/train-0", null],
    ["pod=ml/", null],
    ["pod=", null],
    ["pod=broken&node=n1", { kind: "node", name: "n1" }],
    ["pod=a/b&node=n1", { kind: "pod", namespace: "a", name: "b" }],
  ])("reads %j", (query, selection) => expect(parseSelection(new URLSearchParams(query))).toEqual(selection));
});

describe("shows", () => {
  const entry = aStuck("a", { members: [{ kind: "Pod", namespace: "ml", name: "b" }] });
  it.each<[string, Selection, boolean]>([
    ["the pod itself", { kind: "pod", namespace: "ml", name: "a" }, true],
    ["a pod that it stands for", { kind: "pod", namespace: "ml", name: "b" }, true],
    ["a pod of another namespace", { kind: "pod", namespace: "x", name: "a" }, false],
    ["an object of another kind", { kind: "stuck", of: "Job", namespace: "ml", name: "a" }, false],
    ["a node", { kind: "node", name: "a" }, false],
  ])("%s", (_, selection, expected) => expect(shows(selection, entry)).toBe(expected));
});

describe("selectionHref", () => {
  it("replaces the selection and keeps the rest", () =>
    expect(
      selectionHref(new URLSearchParams("layer=L2&node=n1"), { kind: "pod", namespace: "ml", name: "a" }),
    ).toBe("?layer=L2&pod=ml/a"));

  it("takes the selection away", () =>
    expect(selectionHref(new URLSearchParams("layer=L2&node=n1"), null)).toBe("?layer=L2"));

  it("leads back to the same selection, whatever the names hold", () => {
    const name = fc.string({ minLength: 1, unit: "binary" });
    const selections = fc.oneof(
      fc.record({
        kind: fc.constant("pod" as const),
        namespace: name.filter((text) => !text.includes("/")),
        name,
      }),
      fc.record({
        kind: fc.constant("stuck" as const),
        of: name.filter((text) => !text.includes("/")),
        namespace: name.filter((text) => !text.includes("/")),
        name,
      }),
      fc.record({ kind: fc.constant("node" as const), name }),
      fc.record({ kind: fc.constant("pool" as const), id: name }),
    );
    fc.assert(
      fc.property(selections, (selection) => {
        const href = selectionHref(new URLSearchParams("x=1"), selection);
        expect(parseSelection(new URLSearchParams(href))).toEqual(selection);
      }),
    );
  });
});
