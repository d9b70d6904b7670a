import { describe, expect, it } from "vitest";
import { derive } from "../pipeline.ts";
import { SourceError } from "../sources/source-error.ts";
import { aContainer, aNode, aPod, aSnapshot, NOW } from "../testing/builders.ts";
import { answerDiagnosis } from "./answer-diagnosis.ts";

const OUT_OF_MEMORY = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.";

const crashed = aContainer({
  name: "main",
  ready: false,
  restarts: 4,
  state: { kind: "waiting", reason: "CrashLoopBackOff", message: "" },
  lastTermination: {
    exitCode: 1,
    reason: "Error",
    message: "",
    startedAt: undefined,
    finishedAt: NOW - 60_000,
  },
});
const snapshot = aSnapshot({
  nodes: [aNode({ name: "n", gpus: 8 })],
  pods: [
    aPod({ name: "crashing", nodeName: "n", containers: [crashed] }),
    aPod({ name: "well", nodeName: "n" }),
    aPod({ name: "waits", gpus: 8 }),
  ],
});
const basis = { snapshot, derived: derive(snapshot, NOW) };

type ReadLogs = Parameters<typeof answerDiagnosis>[1]["readLogs"];
const prints =
  (text: string): ReadLogs =>
  async () => ({ previous: text, current: undefined });
const refuses: ReadLogs = async () => {
  throw new SourceError("forbidden", "pods/log is forbidden.", { hint: "Grant get on pods/log." });
};
const ask = (name: string, logs: boolean, readLogs: ReadLogs = prints("")) =>
  answerDiagnosis({ kind: undefined, namespace: "ml", name, logs }, { basis, now: NOW, readLogs });

describe("answerDiagnosis", () => {
  it("gives the verdict, and reads no logs unless asked to", async () => {
    const answer = await ask("crashing", false, refuses);
    expect(answer).toMatchObject({ name: "crashing", reason: "CrashLoop", logs: null });
  });

  it("looks at the logs where they are asked for, those of the failed run first", async () => {
    const answer = await ask("crashing", true, prints(OUT_OF_MEMORY));
    expect(answer).toMatchObject({ reason: "CudaOutOfMemory", layer: "L4" });
    expect(answer?.logs?.[0]).toEqual({
      container: "main",
      previous: true,
      text: OUT_OF_MEMORY,
      problem: null,
    });
  });

  it("keeps the verdict and says why where logs cannot be read", async () => {
    const answer = await ask("crashing", true, refuses);
    expect(answer).toMatchObject({ reason: "CrashLoop" });
    expect(answer?.logs).toMatchObject([{ problem: "pods/log is forbidden. Grant get on pods/log." }]);
  });

  it("reads none of a pod that has not run", async () => {
    expect(await ask("waits", true, refuses)).toMatchObject({ reason: "GpusBusy", logs: [] });
  });

  it("gives nothing for a pod that is well, or not there", async () => {
    expect(await ask("well", true, prints("step 100, loss 2.1"))).toBeUndefined();
    expect(await ask("gone", true)).toBeUndefined();
  });
});
