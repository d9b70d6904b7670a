import { expect, it, test } from "vitest";
import { factsOf } from "../../../testing/facts-of.ts";
import { KARPENTER_KINDS } from "./karpenter.ts";

const requirements = [{ key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["p5"] }];
const taints = [{ key: "nvidia.com/gpu", value: "true", effect: "NoSchedule" }];
const metadata = { name: "gpu", uid: "u1", creationTimestamp: "2026-11-30T12:00:00Z" };

const nodePool = (apiVersion: string, nodeClassRef: object) => ({
  apiVersion,
  kind: "NodePool",
  metadata,
  spec: {
    limits: { cpu: "64", "nvidia.com/gpu": 8, nodes: "3" },
    template: { metadata: { labels: { team: "ml" } }, spec: { requirements, taints, nodeClassRef } },
  },
  status: { resources: { cpu: "192", nodes: "1" } },
});

test.each<[string, object, object]>([
  [
    "v1",
    nodePool("karpenter.sh/v1", { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "gpu" }),
    { nodeClass: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "gpu" } },
  ],
  [
    "v1beta1",
    nodePool("karpenter.sh/v1beta1", {
      apiVersion: "karpenter.azure.com/v1alpha2",
      kind: "AKSNodeClass",
      name: "a",
    }),
    { nodeClass: { group: "karpenter.azure.com", kind: "AKSNodeClass", name: "a" } },
  ],
  [
    "a Provisioner",
    {
      apiVersion: "karpenter.sh/v1alpha5",
      kind: "Provisioner",
      metadata,
      spec: {
        requirements,
        taints,
        labels: { team: "ml" },
        limits: { resources: { cpu: "64", "nvidia.com/gpu": "8", nodes: "3" } },
        providerRef: { name: "gpu" },
      },
      status: { resources: { cpu: "192", nodes: "1" } },
    },
    { kind: "Provisioner", nodeClass: { group: "", kind: "AWSNodeTemplate", name: "gpu" } },
  ],
])("reads what %s may make", (_, object, expected) => {
  const [pool] = factsOf([object]).nodePools.items;
  expect(pool).toMatchObject({
    name: "gpu",
    requirements,
    templateLabels: { team: "ml" },
    limits: { cpu: 64_000, "nvidia.com/gpu": 8, nodes: 3 },
    used: { cpu: 192_000, nodes: 1 },
    isStatic: false,
    problems: [],
    ...expected,
  });
  expect(pool?.taints).toMatchObject(taints);
});

test.each([
  ["NodeClaim", "karpenter.sh/v1", "karpenter.sh/nodepool"],
  ["Machine", "karpenter.sh/v1alpha5", "karpenter.sh/provisioner-name"],
])("reads a %s", (kind, apiVersion, label) => {
  const labels = { [label]: "gpu", "node.kubernetes.io/instance-type": "p5.48xlarge" };
  const object = {
    apiVersion,
    kind,
    metadata: { ...metadata, name: "gpu-abcde", labels },
    spec: { resources: { requests: { "nvidia.com/gpu": "8" } } },
    status: {
      providerID: "aws:///us-east-1a/i-1",
      conditions: [{ type: "Launched", status: "True", reason: "Launched", message: "" }],
    },
  };
  expect(factsOf([object]).nodeClaims.items).toMatchObject([
    {
      kind,
      nodePool: "gpu",
      instanceType: "p5.48xlarge",
      requests: { "nvidia.com/gpu": 8 },
      providerId: "aws:///us-east-1a/i-1",
      nodeName: undefined,
      conditions: [{ type: "Launched", status: "True" }],
    },
  ]);
});

it("reads the reservations of a node class", () => {
  const capacityReservations = [
    { id: "cr-1", instanceType: "p5.48xlarge", availabilityZone: "us-east-2a", state: "active" },
  ];
  const object = {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata,
    status: { capacityReservations },
  };
  expect(factsOf([object]).nodeClasses.items[0]?.capacityReservations).toEqual([
    { id: "cr-1", instanceType: "p5.48xlarge", zone: "us-east-2a", state: "active" },
  ]);
});

it("tells the NodeClass of EKS from those of others by its group", () => {
  const object = (apiVersion: string) => ({ apiVersion, kind: "NodeClass", metadata });
  expect(factsOf([object("eks.amazonaws.com/v1"), object("example.com/v1")]).nodeClasses.items).toHaveLength(
    1,
  );
});

test.each(KARPENTER_KINDS.map((kind) => [kind.kind, kind] as const))(
  "%s never throws",
  (_, { normalize }) => {
    const odd = {
      metadata: 4,
      spec: { template: [], limits: { cpu: "many" }, taints: [{ effect: 4 }], requirements: "x" },
      status: { capacityReservations: {}, conditions: 3 },
    };
    for (const raw of [
      undefined,
      null,
      4,
      "x",
      [],
      {},
      odd,
      { spec: { template: { spec: { taints: [{}] } } } },
    ]) {
      expect(normalize(raw)).toBeDefined();
    }
  },
);

it("notes a limit that is no quantity", () => {
  const object = { ...nodePool("karpenter.sh/v1", {}), spec: { limits: { cpu: "many" } } };
  expect(factsOf([object]).nodePools.items[0]).toMatchObject({
    limits: {},
    nodeClass: undefined,
    problems: [{ field: 'spec.limits["cpu"]', value: "many" }],
  });
});
