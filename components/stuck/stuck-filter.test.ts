import { describe, expect, it } from "vitest";
import { aStuck } from "@/lib/testing/stuck-view.ts";
import { choicesOf, countByLayer, filterStuck, NO_FILTER } from "./stuck-filter.ts";

const job = { kind: "Job", namespace: "ml", name: "llama" };
const pod = (name: string) => ({ kind: "Pod", namespace: "ml", name });

describe("filterStuck", () => {
  const stuck = [
    aStuck("llama-0", {
      workload: job,
      count: 3,
      members: [pod("llama-0"), pod("llama-7")],
      pool: "node-pool/a",
    }),
    aStuck("clip", {
      layer: "L4",
      reason: "ImagePullFailed",
      sentence: "401 for clip:2.4",
      owner: "vision team",
      namespace: "vision",
    }),
  ];
  it.each([
    ["nothing", {}, ["llama-0", "clip"]],
    ["a layer", { layer: "L4" as const }, ["clip"]],
    ["an owner", { owner: "vision team" }, ["clip"]],
    ["a namespace", { namespace: "ml" }, ["llama-0"]],
    ["a pool", { pool: "node-pool/a" }, ["llama-0"]],
    ["a namespace and name", { text: "vision/cl" }, ["clip"]],
    ["words of the sentence in any order and case", { text: " CLIP:2.4  401 " }, ["clip"]],
    ["the workload", { text: "job llama" }, ["llama-0"]],
    ["a pod that the entry stands for", { text: "llama-7" }, ["llama-0"]],
    ["two things at once", { layer: "L3" as const, text: "401" }, []],
  ])("by %s", (_, filter, expected) => {
    expect(filterStuck(stuck, { ...NO_FILTER, ...filter }).map(({ name }) => name)).toEqual(expected);
  });

  it("offers what occurs, each once", () => {
    expect(choicesOf([...stuck, aStuck("again")])).toEqual({
      owners: ["scheduling team", "vision team"],
      namespaces: ["ml", "vision"],
      pools: ["node-pool/a"],
    });
  });
});

it("counts by layer the pods that the entries stand for", () => {
  expect(countByLayer([aStuck("a", { count: 3 }), aStuck("b"), aStuck("c", { layer: "L1" })])).toEqual([
    ["L1", 1],
    ["L2", 0],
    ["L3", 4],
    ["L4", 0],
  ]);
});
