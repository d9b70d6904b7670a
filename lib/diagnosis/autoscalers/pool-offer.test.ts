import { describe, expect, it, test } from "vitest";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { NodePoolRecord } from "../../model/facts/karpenter.ts";
import type { NodeSelectorRequirement } from "../../model/kubernetes.ts";
import { aNodePool, oneOf } from "../../testing/autoscaler-builders.ts";
import { aNode, aPod } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { askOf } from "../ask.ts";
import { type PoolOffer, poolOffers } from "./pool-offer.ts";
import { requirementsMeet } from "./requirements-meet.ts";

const TYPE = "node.kubernetes.io/instance-type";
const FAMILY = "karpenter.k8s.aws/instance-family";
const GPU_TAINT = {
  key: "nvidia.com/gpu",
  value: "true",
  effect: "NoSchedule" as const,
  timeAdded: undefined,
};
const azure = { group: "karpenter.azure.com", kind: "AKSNodeClass", name: "gpu" };

function offer(
  pool: Partial<NodePoolRecord>,
  pod: Parameters<typeof aPod>[0] = {},
  nodes: readonly ReturnType<typeof aNode>[] = [],
): PoolOffer | undefined {
  const waits = aPod(pod);
  const facts = { ...NO_FACTS, nodePools: { known: true, items: [aNodePool(pool)] } };
  return poolOffers(waits, askOf(waits, []), aFleet({ nodes, pods: [waits], facts }))[0];
}

interface Row {
  readonly title: string;
  readonly pool: Partial<NodePoolRecord>;
  readonly pod?: Parameters<typeof aPod>[0];
  readonly types: readonly string[];
  readonly mismatch?: object;
  readonly sure?: boolean;
}

const cpus = (count: number, gpus = 1) => ({
  requests: { cpu: count * 1_000, pods: 1, "nvidia.com/gpu": gpus },
});

const ROWS: readonly Row[] = [
  { title: "the type that it names", pool: {}, types: ["g5.xlarge"], sure: true },
  {
    title: "of the types that it names those that are large enough",
    pool: { requirements: [oneOf(TYPE, "g6.2xlarge", "g6.4xlarge", "g5.8xlarge", "g5.24xlarge")] },
    pod: cpus(36),
    types: ["g5.24xlarge"],
  },
  {
    title: "a family",
    pool: { requirements: [oneOf(FAMILY, "p5"), oneOf("karpenter.sh/capacity-type", "reserved")] },
    pod: { gpus: 8 },
    types: ["p5.48xlarge"],
  },
  {
    title: "a family and sizes of EKS Auto Mode",
    pool: {
      requirements: [
        oneOf("eks.amazonaws.com/instance-family", "g5", "g6"),
        oneOf("eks.amazonaws.com/instance-size", "xlarge", "2xlarge"),
      ],
    },
    types: ["g5.xlarge", "g5.2xlarge", "g6.xlarge", "g6.2xlarge"],
  },
  {
    title: "a count of GPUs above a bound",
    pool: {
      requirements: [
        oneOf(FAMILY, "g6"),
        { key: "karpenter.k8s.aws/instance-gpu-count", operator: "Gt", values: ["4"] },
      ],
    },
    types: ["g6.48xlarge"],
  },
  {
    title: "everything but what it excludes",
    pool: {
      requirements: [oneOf(FAMILY, "p3"), { key: TYPE, operator: "NotIn", values: ["p3.2xlarge"] }],
    },
    types: ["p3.8xlarge", "p3.16xlarge"],
  },
  {
    title: "types of Azure",
    pool: {
      nodeClass: azure,
      requirements: [oneOf("karpenter.azure.com/sku-gpu-name", "T4")],
    },
    pod: { gpus: 4 },
    types: ["Standard_NC64as_T4_v3"],
  },
  {
    title: "a type that only the pool knows, as a guess",
    pool: { requirements: [oneOf(TYPE, "p9.48xlarge", "m7i.large")] },
    types: ["p9.48xlarge"],
    sure: false,
  },
  {
    title: "a pod that selects its template's label",
    pool: { templateLabels: { team: "vision" } },
    pod: { nodeSelector: { team: "vision" } },
    types: ["g5.xlarge"],
    sure: true,
  },
  {
    title: "a pod that selects the GPU model as NVIDIA's labels spell it",
    pool: { requirements: [oneOf(FAMILY, "p5", "p4d")] },
    pod: { gpus: 8, nodeSelector: { "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3" } },
    types: ["p5.48xlarge"],
  },
  {
    title: "a pod that selects a zone of which the pool says nothing, as a guess",
    pool: {},
    pod: { nodeSelector: { "topology.kubernetes.io/zone": "us-east-1a" } },
    types: ["g5.xlarge"],
    sure: false,
  },
  {
    title: "never a label of another cloud",
    pool: {},
    pod: { nodeSelector: { "cloud.google.com/reservation-name": "res-train-a3" } },
    types: [],
    mismatch: { kind: "selection" },
  },
  {
    title: "never a label that it does not give",
    pool: {},
    pod: { nodeSelector: { team: "vision" } },
    types: [],
    mismatch: { kind: "selection", what: "team=vision" },
  },
  {
    title: "never a zone outside its own",
    pool: { requirements: [oneOf(TYPE, "g5.xlarge"), oneOf("topology.kubernetes.io/zone", "a")] },
    pod: { nodeSelector: { "topology.kubernetes.io/zone": "b" } },
    types: [],
    mismatch: { kind: "selection" },
  },
  {
    title: "never a pod that does not tolerate its taint",
    pool: { taints: [GPU_TAINT] },
    types: [],
    mismatch: { kind: "taint", what: "nvidia.com/gpu=true:NoSchedule" },
  },
  {
    title: "never more GPUs than its largest type has",
    pool: { requirements: [oneOf(FAMILY, "g5")] },
    pod: { gpus: 16 },
    types: [],
    mismatch: { kind: "size", resource: "nvidia.com/gpu", what: "8" },
  },
  {
    title: "never all CPUs of a machine: the kubelet keeps some",
    pool: {},
    pod: cpus(4),
    types: [],
    mismatch: { kind: "size", resource: "cpu" },
  },
];

describe("poolOffers", () => {
  test.each(ROWS)("$title", ({ pool, pod, types, mismatch, sure }) => {
    const found = offer(pool, pod);
    expect(found?.types.map(({ name }) => name).sort()).toEqual([...types].sort());
    if (mismatch) expect(found?.mismatch).toMatchObject(mismatch);
    if (sure !== undefined) expect(found?.sure).toBe(sure);
  });

  it.each<[string, Partial<NodePoolRecord>, string]>([
    [
      "machines without accelerators",
      { requirements: [oneOf("karpenter.k8s.aws/instance-category", "c")] },
      "nvidia.com/gpu",
    ],
    ["another vendor's", {}, "amd.com/gpu"],
    ["a pool that is being deleted", { deletedAt: 1 }, "nvidia.com/gpu"],
    ["a pool of a fixed size", { isStatic: true }, "nvidia.com/gpu"],
  ])("leaves out %s", (_, pool, gpuResource) => {
    expect(offer(pool, { gpuResource })).toBeUndefined();
  });

  it("goes by what a node of the type offers where there is one", () => {
    const labels = { [TYPE]: "g5.xlarge" };
    const shared = aNode({ gpus: 4, labels });
    expect(offer({}, { gpus: 4 }, [shared])?.types).toHaveLength(1);
    expect(offer({}, { gpus: 4 })?.mismatch).toMatchObject({ kind: "size", what: "1" });
    const small = { ...aNode({ gpus: 1, labels }), allocatable: { cpu: 3_000, "nvidia.com/gpu": 1 } };
    expect(offer({}, cpus(3.5), [small])?.mismatch).toMatchObject({ resource: "cpu", what: "3000" });
  });
});

it("knows a type of its own nodes that no table has", () => {
  const labels = { [TYPE]: "gpu-h100-sxm", "karpenter.sh/nodepool": "pool", team: "vision" };
  const pool = {
    name: "pool",
    requirements: [],
    nodeClass: { group: "cloud.example", kind: "NodeClass", name: "x" },
  };
  const found = offer(pool, { gpus: 8, nodeSelector: { team: "vision" } }, [aNode({ labels })]);
  expect(found?.types).toEqual([{ name: "gpu-h100-sxm", gpus: undefined, vcpus: undefined }]);
  expect(found?.sure).toBe(true);
});

const rule = (operator: string, ...values: string[]): NodeSelectorRequirement => ({
  key: "topology.kubernetes.io/zone",
  operator,
  values,
});

test.each<[string, NodeSelectorRequirement[], NodeSelectorRequirement, string]>([
  ["no rule, a label of the provider", [], rule("In", "a"), "unknown"],
  ["no rule, no such label", [], { ...rule("In", "a"), key: "team" }, "no"],
  ["no rule, absence asked", [], { ...rule("DoesNotExist"), key: "team" }, "yes"],
  ["a value in common", [rule("In", "a", "b")], rule("In", "b", "c"), "yes"],
  ["no value in common", [rule("In", "a")], rule("In", "b"), "no"],
  ["all values excluded", [rule("In", "a")], rule("NotIn", "a"), "no"],
  ["excluded by a second rule", [rule("In", "a", "b"), rule("NotIn", "b")], rule("In", "b"), "no"],
  ["any value, one asked", [rule("Exists")], rule("In", "b"), "yes"],
  ["absent, one asked", [rule("DoesNotExist")], rule("In", "b"), "no"],
  ["bounds that do not meet", [rule("Gt", "8")], rule("In", "4"), "no"],
])("requirementsMeet: %s", (_, rules, asked, meets) => {
  expect(requirementsMeet(rules, asked)).toBe(meets);
});
