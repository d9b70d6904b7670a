import { describe, expect, it } from "vitest";
import { factsOf } from "../../../testing/facts-of.ts";

const object = (kind: string, rest: object, version = "v1beta2") => ({
  apiVersion: `kueue.x-k8s.io/${version}`,
  kind,
  metadata: { name: "x", namespace: "ml", uid: "u" },
  ...rest,
});

const flavors = (borrowingLimit?: string) => [
  {
    coveredResources: ["nvidia.com/gpu", "cpu"],
    flavors: [
      {
        name: "h100",
        resources: [
          { name: "nvidia.com/gpu", nominalQuota: "64", borrowingLimit, lendingLimit: "16" },
          { name: "cpu", nominalQuota: "500m" },
        ],
      },
    ],
  },
];

describe("a ClusterQueue", () => {
  it.each([
    ["v1beta2", { cohortName: "all" }],
    ["v1beta1", { cohort: "all" }],
  ])("of %s", (version, cohort) => {
    const usage = [{ name: "h100", resources: [{ name: "nvidia.com/gpu", total: "72", borrowed: "8" }] }];
    const spec = {
      ...cohort,
      resourceGroups: flavors("32"),
      preemption: { withinClusterQueue: "LowerPriority" },
    };
    const raw = object(
      "ClusterQueue",
      { spec, status: { flavorsReservation: usage, flavorsUsage: [] } },
      version,
    );
    expect(factsOf([raw]).clusterQueues.items).toMatchObject([
      {
        cohort: "all",
        stopPolicy: "None",
        queueingStrategy: "BestEffortFIFO",
        preemption: { withinClusterQueue: "LowerPriority", reclaimWithinCohort: "Never" },
        groups: [
          {
            covered: ["nvidia.com/gpu", "cpu"],
            flavors: [
              {
                name: "h100",
                quotas: [
                  { resource: "nvidia.com/gpu", nominal: 64, borrowingLimit: 32, lendingLimit: 16 },
                  { resource: "cpu", nominal: 500, borrowingLimit: undefined, lendingLimit: undefined },
                ],
              },
            ],
          },
        ],
        reserved: [{ flavor: "h100", resource: "nvidia.com/gpu", total: 72, borrowed: 8 }],
        problems: [],
      },
    ]);
  });

  it("that says nothing of its use has an unknown one, not none", () => {
    const [queue] = factsOf([object("ClusterQueue", { spec: {} })]).clusterQueues.items;
    expect(queue).toMatchObject({ groups: [], reserved: undefined });
  });
});

describe("a Workload", () => {
  const template = {
    metadata: { annotations: { "kueue.x-k8s.io/podset-required-topology": "rack" } },
    spec: {
      nodeSelector: { gpu: "h100" },
      containers: [{ name: "c", resources: { limits: { "nvidia.com/gpu": "8" }, requests: { cpu: "2" } } }],
    },
  };

  it("keeps what its pods ask for and what it was given", () => {
    const raw = object("Workload", {
      spec: {
        queueName: "lq",
        priority: 100,
        podSets: [
          { name: "main", count: 4, minCount: 2, template },
          { name: "one", template: {}, topologyRequest: { required: "zone" } },
        ],
      },
      status: {
        admission: {
          clusterQueue: "cq",
          podSetAssignments: [
            {
              name: "main",
              count: 4,
              flavors: { "nvidia.com/gpu": "h100" },
              resourceUsage: { "nvidia.com/gpu": "32" },
            },
          ],
        },
        admissionChecks: [{ name: "dws", state: "Retry", message: "later" }],
        requeueState: { requeueAt: "2026-12-01T12:00:00Z", count: 2 },
        unhealthyNodes: [{ name: "n1" }],
        conditions: [{ type: "QuotaReserved", status: "True", reason: "QuotaReserved" }],
      },
    });
    expect(factsOf([raw]).workloads.items).toMatchObject([
      {
        queue: "lq",
        priority: 100,
        active: true,
        podSets: [
          {
            name: "main",
            count: 4,
            minCount: 2,
            requests: { "nvidia.com/gpu": 8, cpu: 2_000 },
            nodeSelector: { gpu: "h100" },
            requiredTopology: "rack",
          },
          { name: "one", count: 1, minCount: 1, requiredTopology: "zone" },
        ],
        clusterQueue: "cq",
        assignments: [
          {
            name: "main",
            count: 4,
            flavors: { "nvidia.com/gpu": "h100" },
            usage: { "nvidia.com/gpu": 32 },
            domains: [],
          },
        ],
        checks: [{ name: "dws", state: "Retry", message: "later" }],
        requeueAt: Date.parse("2026-12-01T12:00:00Z"),
        failedNodes: ["n1"],
      },
    ]);
  });

  it.each([
    [
      "domains of v1beta1",
      {
        levels: ["rack", "kubernetes.io/hostname"],
        domains: [
          { values: ["r1", "n1"], count: 1 },
          { values: ["r1", "n2"], count: 1 },
        ],
      },
      ["n1", "n2"],
    ],
    [
      "slices of v1beta2",
      {
        levels: ["rack", "kubernetes.io/hostname"],
        slices: [
          {
            valuesPerLevel: [
              { universal: "r1" },
              { individual: { prefix: "n", suffix: ".x", roots: ["1", "2"] } },
            ],
          },
          { valuesPerLevel: [{ universal: "r2" }, { universal: "m" }] },
        ],
      },
      ["n1.x", "n2.x", "m"],
    ],
    ["nothing", undefined, []],
    ["nonsense", { domains: "all", slices: [7, { valuesPerLevel: {} }] }, []],
  ])("reads the topology assignment: %s", (_, topologyAssignment, domains) => {
    const podSetAssignments = [{ name: "main", count: 2, topologyAssignment }];
    const raw = object("Workload", { status: { admission: { clusterQueue: "cq", podSetAssignments } } });
    expect(factsOf([raw]).workloads.items[0]?.assignments[0]?.domains).toEqual(domains);
  });
});

describe("the other kinds of Kueue", () => {
  it("are read", () => {
    const facts = factsOf([
      object("LocalQueue", { spec: { clusterQueue: "cq", stopPolicy: "Hold" } }),
      object("Cohort", { spec: { parentName: "root", resourceGroups: flavors() } }),
      object("ResourceFlavor", { spec: { nodeLabels: { gpu: "h100" }, topologyName: "racks" } }, "v1beta1"),
      object("AdmissionCheck", { spec: { controllerName: "kueue.x-k8s.io/multikueue" } }),
      object(
        "Topology",
        { spec: { levels: [{ nodeLabel: "rack" }, { nodeLabel: "kubernetes.io/hostname" }] } },
        "v1alpha1",
      ),
    ]);
    expect(facts.localQueues.items).toMatchObject([{ clusterQueue: "cq", stopPolicy: "Hold" }]);
    expect(facts.cohorts.items).toMatchObject([
      { parent: "root", groups: [{ covered: ["nvidia.com/gpu", "cpu"] }] },
    ]);
    expect(facts.resourceFlavors.items).toMatchObject([{ nodeLabels: { gpu: "h100" }, topology: "racks" }]);
    expect(facts.admissionChecks.items).toMatchObject([{ controller: "kueue.x-k8s.io/multikueue" }]);
    expect(facts.topologies.items).toMatchObject([{ levels: ["rack", "kubernetes.io/hostname"] }]);
  });

  it.each([
    "ClusterQueue",
    "LocalQueue",
    "Cohort",
    "ResourceFlavor",
    "Workload",
    "AdmissionCheck",
    "Topology",
  ])("survive nonsense, and note it: %s", (kind) => {
    const bad = [
      7,
      "x",
      null,
      [],
      {
        podSets: 3,
        resourceGroups: "all",
        levels: 1,
        queueName: {},
        clusterQueue: [],
        controllerName: 1,
        nodeLabels: 4,
        parentName: {},
      },
    ];
    for (const spec of bad) {
      const facts = factsOf([object(kind, { spec, status: spec })]);
      const problems = Object.values(facts).flatMap(({ items }) => items.map((one) => one.problems.length));
      expect(problems).toHaveLength(1);
      if (spec !== null && !Array.isArray(spec)) expect(problems[0]).toBeGreaterThan(0);
    }
  });
});
