import { describe, expect, it } from "vitest";
import { aPod } from "../../testing/builders.ts";
import { aConditionAgo, verdictOn } from "../../testing/runtime-cases.ts";

const steps = (write: (step: number) => string) =>
  Array.from({ length: 8 }, (_, step) => write(step)).join("\n");
const running = aPod({
  name: "stuck",
  nodeName: "a",
  conditions: [aConditionAgo("PodScheduled", "True"), aConditionAgo("Ready", "True")],
});
const said = (log: string) => verdictOn({ title: "", reason: "LowUtilization", pod: running, log });

describe("a pod that runs", () => {
  it.each<[string, string]>([
    ["model FLOPS utilization", steps((step) => `iter ${step}: loss 2.1, time 812.40ms, mfu 3.${step}1%`)],
    ["the same with a colon", steps((step) => `[rank0] step: ${step} loss: 7.2 tps: 812 mfu: 2.0${step}%`)],
    ["the driver's utilization", steps(() => "gpu_util=4% power=92W step_time=8.1s")],
  ])("and says that it hardly uses its GPUs: %s", (_, log) => {
    const verdict = said(log);
    expect(verdict).toMatchObject({ layer: "L4", reason: "LowUtilization", certainty: "medium" });
    expect(verdict?.sentence).toMatch(/at most [\d.]+ %/);
  });

  it.each<[string, string]>([
    ["uses them well", steps((step) => `iter ${step}: loss 2.1, mfu 41.${step}%`)],
    ["did not at first", `${steps(() => "mfu: 1.0%")}\n${steps(() => "mfu: 38.0%")}`],
    ["has said so once", "iter 0: loss 9.1, mfu 0.4%"],
    ["tells of memory", steps(() => "gpu_memory_utilization=0.9, GPU KV cache usage: 2.0%")],
    ["says nothing", "serving on :8000"],
  ])("is well where it %s", (_, log) => {
    expect(said(log)).toBeUndefined();
  });
});
