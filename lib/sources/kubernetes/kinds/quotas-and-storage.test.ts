import { describe, expect, test } from "vitest";
import { factsOf } from "../../../testing/facts-of.ts";

const GiB = 2 ** 30;
const metadata = { name: "x", namespace: "ml" };
const zone = (key: string, ...values: string[]) => [
  { matchExpressions: [{ key, operator: "In", values }], matchFields: [] },
];

describe("what a namespace may use", () => {
  test("in the units of the resources behind the quota's names", () => {
    const amounts = {
      "requests.cpu": "500m",
      "limits.memory": "2Gi",
      "requests.nvidia.com/gpu": "4",
      pods: "10",
    };
    const quota = {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata,
      spec: { hard: amounts },
      status: { hard: amounts, used: { "requests.cpu": "1" } },
    };
    expect(factsOf([quota]).resourceQuotas.items[0]).toMatchObject({
      hard: { "requests.cpu": 500, "limits.memory": 2 * GiB, "requests.nvidia.com/gpu": 4, pods: 10 },
      used: { "requests.cpu": 1000 },
      isScoped: false,
    });
  });

  test("by its spec while the status is empty, and for some pods only", () => {
    const quota = {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata,
      spec: { hard: { pods: "1" }, scopeSelector: { matchExpressions: [] } },
    };
    expect(factsOf([quota]).resourceQuotas.items[0]).toMatchObject({
      hard: { pods: 1 },
      used: {},
      isScoped: true,
    });
  });

  test("by a LimitRange, whose maximum is the default where it states none", () => {
    const range = {
      apiVersion: "v1",
      kind: "LimitRange",
      metadata,
      spec: {
        limits: [{ type: "Container", max: { cpu: "4", memory: "8Gi" }, defaultRequest: { cpu: "1" } }],
      },
    };
    expect(factsOf([range]).limitRanges.items[0]?.limits).toEqual([
      { type: "Container", defaults: { cpu: 1000, memory: 8 * GiB } },
    ]);
  });

  test("and who goes first", () => {
    const priority = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata, value: 1000 };
    expect(factsOf([priority]).priorityClasses.items[0]).toMatchObject({
      value: 1000,
      preemptionPolicy: "PreemptLowerPriority",
    });
  });
});

describe("where volumes can be used", () => {
  const volume = (rest: object, labels = {}) => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "v", labels },
    ...rest,
  });
  test.each([
    [
      "its node affinity",
      volume({
        spec: {
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: "topology.gke.io/zone", operator: "In", values: ["a"] }] },
              ],
            },
          },
        },
      }),
      zone("topology.gke.io/zone", "a"),
    ],
    [
      "the labels of an old volume",
      volume({}, { "failure-domain.beta.kubernetes.io/zone": "a__b" }),
      zone("failure-domain.beta.kubernetes.io/zone", "a", "b"),
    ],
    ["nothing", volume({ spec: {} }), []],
  ])("by %s", (_, raw, terms) => {
    expect(factsOf([raw]).volumes.items[0]?.nodeAffinity).toEqual(terms);
  });

  test("a claim and its volume", () => {
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata,
      spec: { volumeName: "v", resources: { requests: { storage: "20Gi" } } },
      status: { phase: "Bound" },
    };
    const facts = factsOf([
      claim,
      volume({
        spec: { capacity: { storage: "30Gi" } },
        status: { phase: "Bound" },
      }),
    ]);
    expect(facts.volumeClaims.items[0]).toMatchObject({
      phase: "Bound",
      volumeName: "v",
      storageClass: undefined,
      requested: 20 * GiB,
    });
    expect(facts.volumes.items[0]).toMatchObject({ size: 30 * GiB });
  });

  test.each([
    ["WaitForFirstConsumer", true],
    ["Immediate", false],
    [undefined, false],
  ])("a class that binds %s", (volumeBindingMode, waitsForConsumer) => {
    const allowedTopologies = [
      { matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: ["a"] }] },
    ];
    const storageClass = {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata,
      provisioner: "p",
      volumeBindingMode,
      allowedTopologies,
    };
    expect(factsOf([storageClass]).storageClasses.items[0]).toMatchObject({
      waitsForConsumer,
      provisioner: "p",
      allowedTopologies: zone("topology.kubernetes.io/zone", "a"),
    });
  });
});
