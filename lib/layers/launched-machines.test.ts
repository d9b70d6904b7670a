import { describe, expect, it } from "vitest";
import type { NodeClaimRecord } from "../model/facts/karpenter.ts";
import { aCondition, aNodeClaim } from "../testing/autoscaler-builders.ts";
import { aNode } from "../testing/builders.ts";
import { launchedMachines } from "./launched-machines.ts";

const LAUNCHED = [aCondition("Launched", "True", 1_800), aCondition("Registered", "Unknown", 1_800)];

const machine = (overrides: Partial<NodeClaimRecord> = {}) =>
  aNodeClaim({
    name: "gpu-8wq2z",
    providerId: "aws:///us-east-1a/i-0a",
    labels: { "node.kubernetes.io/instance-type": "p5.48xlarge", "karpenter.sh/nodepool": "gpu" },
    conditions: LAUNCHED,
    ...overrides,
  });

describe("launchedMachines", () => {
  it("has the GPUs of its type and since when it runs", () => {
    expect(launchedMachines([machine()], [aNode({ name: "other" })], [])).toMatchObject([
      { gpus: 8, gpuModel: "H100", claim: { name: "gpu-8wq2z" }, since: LAUNCHED[0]?.lastTransitionTime },
    ]);
  });

  it.each<[string, NodeClaimRecord]>([
    ["has not been launched", machine({ conditions: [], providerId: undefined })],
    ["was refused", machine({ conditions: [aCondition("Launched", "False", 60)] })],
    ["is a node by its machine", machine({ providerId: "aws:///us-east-1a/i-0b" })],
    ["is a node by its name", machine({ nodeName: "node-b" })],
    ["is called as a node is", machine({ name: "node-b" })],
    [
      "has been a node",
      machine({ conditions: [aCondition("Launched", "True", 900), aCondition("Registered", "True", 600)] }),
    ],
    ["has no GPUs", machine({ labels: { "node.kubernetes.io/instance-type": "m7i.4xlarge" } })],
  ])("leaves out one that %s", (_, claim) => {
    const node = aNode({ name: "node-b", providerId: "aws:///us-east-1a/i-0b" });
    expect(launchedMachines([claim], [node], [])).toEqual([]);
  });
});
