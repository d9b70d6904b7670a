import { describe, expect, test } from "vitest";
import { aNode, anEvent, aPod, NOW } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { refusedWith } from "../../testing/scheduling-facts.ts";
import { diagnose } from "../diagnose.ts";

type Parts = Parameters<typeof aFleet>[0];
const verdictOn = (name: string, parts: Parts) =>
  diagnose(aFleet(parts), NOW).find((one) => one.name === name);

const NO_VICTIMS =
  "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.";
const NEVER =
  "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. preemption: not eligible due to preemptionPolicy=Never.";
const node = aNode({ name: "a", gpus: 8 });
const holder = (rest: Parameters<typeof aPod>[0] = {}) =>
  aPod({ name: "holder", nodeName: "a", gpus: 8, ...rest });

describe("a pod that goes before those that hold the GPUs", () => {
  test.each([
    [
      "must not preempt",
      { priority: 100, preemptionPolicy: "Never", ...refusedWith(NEVER) },
      {},
      "PreemptionNotPossible",
      "high",
    ],
    ["finds no victim", { priority: 100, ...refusedWith(NO_VICTIMS) }, {}, "PreemptionNotPossible", "medium"],
    [
      "waits for its victim to end",
      { priority: 100, nominatedNodeName: "a", ...refusedWith(NO_VICTIMS) },
      {},
      "GpusBusy",
      "high",
    ],
    [
      "waits for its victim to end, and is nominated to no node any more",
      {
        priority: 100,
        ...refusedWith("preemption: not eligible due to a terminating pod on the nominated node."),
      },
      {},
      "GpusBusy",
      "medium",
    ],
    [
      "has only victims that are ending",
      { priority: 100, ...refusedWith(NO_VICTIMS) },
      { deletedAt: NOW - 30_000 },
      "GpusBusy",
      "high",
    ],
    ["is of the same priority", { ...refusedWith(NO_VICTIMS) }, {}, "GpusBusy", "high"],
    [
      "goes behind them",
      { priority: 100, ...refusedWith(NO_VICTIMS) },
      { priority: 1000 },
      "GpusBusy",
      "high",
    ],
    [
      "would still not fit",
      { priority: 100, gpus: 8, ...refusedWith(NO_VICTIMS) },
      { gpus: 1, priority: 1000 },
      "GpusBusy",
      "high",
    ],
  ])("%s", (_, pod, other, reason, certainty) => {
    const found = verdictOn("waits", {
      nodes: [node],
      pods: [holder(other), aPod({ name: "waits", ...pod })],
    });
    expect(found).toMatchObject({ reason, certainty, layer: "L3" });
  });
});

describe("a pod that lost its place", () => {
  const owner = { kind: "Job", name: "train", uid: "j" };
  const event = (message: string, name = "train-abcde") =>
    anEvent({
      about: { kind: "Pod", namespace: "ml", name, uid: "" },
      type: "Normal",
      reason: "Preempted",
      message,
    });

  test.each([
    ["1.27 and later", "Preempted by pod uid-of-holder on node a", "ml/holder"],
    ["1.36", "Preempted by pod uid-of-holder on node a (in kube-scheduler memory).", "ml/holder"],
    ["1.26", "Preempted by a pod on node a", "a pod of higher priority"],
    ["1.24", "Preempted by prod/serving on node a", "prod/serving"],
  ])("in the words of %s", (_, message, by) => {
    const found = verdictOn("train-fghij", {
      nodes: [node],
      pods: [holder({ uid: "uid-of-holder", priority: 1000 }), aPod({ name: "train-fghij", owner })],
      events: [event(message)],
    });
    expect(found).toMatchObject({ reason: "Preempted", layer: "L3" });
    expect(found?.sentence).toContain(by);
  });

  test("is another one's", () => {
    const pods = [holder(), aPod({ name: "train-fghij", owner })];
    const found = verdictOn("train-fghij", {
      nodes: [node],
      pods,
      events: [event("Preempted by a/b on node a", "other-1")],
    });
    expect(found?.reason).toBe("GpusBusy");
  });

  test("for good", () => {
    const pod = aPod({
      name: "bare",
      phase: "Failed",
      nodeName: "a",
      owner,
      conditions: [
        {
          type: "DisruptionTarget",
          status: "True",
          reason: "PreemptionByScheduler",
          message: "default-scheduler: preempting",
          lastTransitionTime: NOW,
        },
      ],
    });
    expect(verdictOn("bare", { nodes: [node], pods: [pod] })).toMatchObject({ reason: "Preempted", gpus: 1 });
    const next = aPod({ name: "next", nodeName: "a", owner });
    expect(verdictOn("bare", { nodes: [node], pods: [pod, next] })?.reason).not.toBe("Preempted");
  });
});

describe("a new version of a workload", () => {
  const of = (name: string, hash: string) => ({
    owner: { kind: "ReplicaSet", name: `${name}-${hash}`, uid: hash },
    labels: { "pod-template-hash": hash },
  });
  test.each([
    ["whose old replica holds the GPUs", of("llm", "new"), of("llm", "old"), "HeldByOwnRollout"],
    ["of another Deployment", of("llm", "new"), of("other", "old"), "GpusBusy"],
    ["of the same revision", of("llm", "new"), of("llm", "new"), "GpusBusy"],
    [
      "of Knative",
      { labels: { "serving.knative.dev/service": "llm", "serving.knative.dev/revision": "llm-2" } },
      { labels: { "serving.knative.dev/service": "llm", "serving.knative.dev/revision": "llm-1" } },
      "HeldByOwnRollout",
    ],
  ])("%s", (_, fresh, old, reason) => {
    const pods = [holder(old), aPod({ name: "waits", gpus: 8, ...fresh })];
    expect(verdictOn("waits", { nodes: [node], pods })).toMatchObject({ reason, layer: "L3" });
  });

  test("is not held where the old replica is too small", () => {
    const pods = [
      holder({ gpus: 4, ...of("llm", "old") }),
      holder({ gpus: 4 }),
      aPod({ name: "waits", gpus: 8, ...of("llm", "new") }),
    ];
    expect(verdictOn("waits", { nodes: [node], pods })?.reason).toBe("GpusBusy");
  });
});
