import { describe, expect, it } from "vitest";
import type { StuckView } from "@/lib/model/fleet-view.ts";
import { countByLayer, filterStuck, stuckRows } from "./stuck-rows.ts";

const STEP = { state: "not-reached", detail: "" } as const;

function aStuck(name: string, overrides: Partial<StuckView> = {}): StuckView {
  return {
    id: `pod/ml/${name}`,
    kind: "Pod",
    namespace: "ml",
    name,
    layer: "L3",
    reason: "GpusBusy",
    certainty: "high",
    certaintyWhy: "",
    sentence: "Every H100 is held.",
    owner: "scheduling team",
    gpus: 8,
    since: "2026-12-01T11:00:00.000Z",
    workload: null,
    pool: null,
    evidence: [],
    ladder: { L1: STEP, L2: STEP, L3: STEP, L4: STEP },
    considered: [],
    holders: [],
    next: [],
    blocksNext: [],
    count: 1,
    members: [],
    gang: null,
    isBlurred: false,
    ...overrides,
  };
}

const job = { kind: "Job", namespace: "ml", name: "llama" };

describe("stuckRows", () => {
  it("makes one row of a workload's pods that are stuck for the same reason", () => {
    const rows = stuckRows([
      aStuck("llama-0", { workload: job }),
      aStuck("llama-1", { workload: job, since: "2026-12-01T10:00:00.000Z" }),
      aStuck("llama-2", { workload: job, layer: "L4", reason: "CrashLoop" }),
      aStuck("alone"),
    ]);
    expect(
      rows.map(({ first, pods, gpus, since }) => [first.name, pods.length, gpus, since?.slice(11, 16)]),
    ).toEqual([
      ["llama-0", 2, 16, "10:00"],
      ["llama-2", 1, 8, "11:00"],
      ["alone", 1, 8, "11:00"],
    ]);
  });

  it("keeps workloads of the same name in two namespaces apart", () => {
    const other = { namespace: "nlp", workload: { ...job, namespace: "nlp" }, id: "pod/nlp/llama-0" };
    expect(stuckRows([aStuck("llama-0", { workload: job }), aStuck("llama-0", other)])).toHaveLength(2);
  });

  it("sorts by GPUs, then by who waits longest, unknown times last", () => {
    const rows = stuckRows([
      aStuck("unknown", { since: null }),
      aStuck("new", { since: "2026-12-01T11:30:00.000Z" }),
      aStuck("old", { since: "2026-12-01T09:00:00.000Z" }),
      aStuck("big", { gpus: 16 }),
    ]);
    expect(rows.map(({ first }) => first.name)).toEqual(["big", "old", "new", "unknown"]);
  });
});

describe("filterStuck", () => {
  const stuck = [
    aStuck("llama-0", { workload: job }),
    aStuck("clip", { layer: "L4", reason: "ImagePullFailed", sentence: "401 for clip:2.4" }),
  ];
  it.each([
    ["nothing", { layer: null, text: "" }, ["llama-0", "clip"]],
    ["a layer", { layer: "L4" as const, text: "" }, ["clip"]],
    ["a namespace and name", { layer: null, text: "ml/cl" }, ["clip"]],
    ["words of the sentence in any order and case", { layer: null, text: " CLIP:2.4  401 " }, ["clip"]],
    ["the workload", { layer: null, text: "job llama" }, ["llama-0"]],
    ["both", { layer: "L3" as const, text: "401" }, []],
  ])("by %s", (_, filter, expected) => {
    expect(filterStuck(stuck, filter).map(({ name }) => name)).toEqual(expected);
  });
});

it("counts pods by layer", () => {
  expect(countByLayer([aStuck("a"), aStuck("b"), aStuck("c", { layer: "L1" })])).toEqual([
    ["L1", 1],
    ["L2", 0],
    ["L3", 2],
    ["L4", 0],
  ]);
});
