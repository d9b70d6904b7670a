import { expect, it } from "vitest";
import { NO_FACTS } from "../model/facts/facts.ts";
import type { NodePoolRecord } from "../model/facts/karpenter.ts";
import type { Taint } from "../model/kubernetes.ts";
import { aNodePool } from "../testing/autoscaler-builders.ts";
import { aNode } from "../testing/builders.ts";
import { blockedBy } from "./node-state.ts";
import { withStartupTaints } from "./startup-taints.ts";

const taint = (key: string): Taint => ({ key, value: "", effect: "NoSchedule", timeAdded: undefined });
const waits = taint("wait-for-agents");

it.each<[string, Partial<NodePoolRecord>, Record<string, string>, string | undefined]>([
  [
    "its pool puts it on for the start",
    { startupTaints: [waits] },
    { "karpenter.sh/nodepool": "gpu" },
    waits.key,
  ],
  ["an older Karpenter", { startupTaints: [waits] }, { "karpenter.sh/provisioner-name": "gpu" }, waits.key],
  ["a node of another pool", { startupTaints: [waits] }, { "karpenter.sh/nodepool": "cpu" }, undefined],
  [
    "its pool keeps it on",
    { startupTaints: [waits], taints: [waits] },
    { "karpenter.sh/nodepool": "gpu" },
    undefined,
  ],
  ["a pool without", {}, { "karpenter.sh/nodepool": "gpu" }, undefined],
])("%s: blocked by %4$s", (_, pool, labels, by) => {
  const facts = {
    ...NO_FACTS,
    nodePools: { known: true, items: [aNodePool({ name: "gpu", ...pool })] },
  };
  const [node] = withStartupTaints([aNode({ labels, taints: [taint("dedicated"), waits] })], facts);
  expect(node && blockedBy(node)?.by).toBe(by);
});
