import { describe, expect, test } from "vitest";
import type { NodeRecord } from "../../model/kubernetes.ts";
import { normalizeNode } from "./normalize-node.ts";

const BARE: NodeRecord = {
  name: "n",
  uid: "/n",
  labels: {},
  createdAt: undefined,
  deletedAt: undefined,
  providerId: undefined,
  unschedulable: false,
  taints: [],
  capacity: undefined,
  allocatable: undefined,
  conditions: [],
  kubeletVersion: undefined,
  problems: [],
};

describe("normalizeNode", () => {
  test("takes the fields that matter", () => {
    const node = normalizeNode({
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        name: "gpu-1",
        uid: "u1",
        resourceVersion: "7",
        labels: { "topology.kubernetes.io/zone": "eu-1a", empty: "" },
        annotations: { big: "x".repeat(1_500_000) },
        creationTimestamp: "2026-12-01T08:00:00Z",
        deletionTimestamp: "2026-12-01T09:00:00.5+01:00",
      },
      spec: {
        providerID: "aws:///eu-1a/i-1",
        unschedulable: true,
        taints: [
          {
            key: "node.kubernetes.io/unschedulable",
            effect: "NoSchedule",
            timeAdded: "2026-12-01T08:30:00Z",
          },
          { key: "gpu", value: "yes", effect: "PreferNoSchedule" },
        ],
      },
      status: {
        capacity: { cpu: "96", memory: "1Ti", "nvidia.com/gpu": "8", pods: "110" },
        allocatable: { cpu: "95500m", memory: "1.5Gi", "nvidia.com/gpu": 7 },
        conditions: [
          {
            type: "Ready",
            status: "True",
            reason: "KubeletReady",
            message: "ready",
            lastTransitionTime: "2026-12-01T08:01:00Z",
          },
        ],
        nodeInfo: { kubeletVersion: "v1.36.3" },
      },
    });
    expect(node).toEqual({
      name: "gpu-1",
      uid: "u1",
      labels: { "topology.kubernetes.io/zone": "eu-1a", empty: "" },
      createdAt: Date.UTC(2026, 11, 1, 8),
      deletedAt: Date.UTC(2026, 11, 1, 8, 0, 0, 500),
      providerId: "aws:///eu-1a/i-1",
      unschedulable: true,
      taints: [
        {
          key: "node.kubernetes.io/unschedulable",
          value: "",
          effect: "NoSchedule",
          timeAdded: Date.UTC(2026, 11, 1, 8, 30),
        },
        { key: "gpu", value: "yes", effect: "PreferNoSchedule", timeAdded: undefined },
      ],
      capacity: { cpu: 96_000, memory: 2 ** 40, "nvidia.com/gpu": 8, pods: 110 },
      allocatable: { cpu: 95_500, memory: 1.5 * 2 ** 30, "nvidia.com/gpu": 7 },
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "KubeletReady",
          message: "ready",
          lastTransitionTime: Date.UTC(2026, 11, 1, 8, 1),
        },
      ],
      kubeletVersion: "v1.36.3",
      problems: [],
    });
  });

  test.each<[string, object]>([
    ["only a name", {}],
    ["empty status", { status: {} }],
    ["empty maps", { status: { capacity: {}, allocatable: {} }, spec: { taints: [] } }],
    [
      "nulls, as Go writes them",
      { spec: null, status: null, metadata: { name: "n", creationTimestamp: null } },
    ],
    ["the zero time", { metadata: { name: "n", creationTimestamp: "0001-01-01T00:00:00Z" } }],
    ["cordon as a string", { spec: { unschedulable: "true" } }],
  ])("%s: nothing known, no problem", (_, fields) => {
    expect(normalizeNode({ metadata: { name: "n" }, ...fields })).toEqual(BARE);
  });

  test.each<[string, string, unknown, number | undefined, string?]>([
    ["a plain count", "nvidia.com/gpu", "8", 8],
    ["a number", "nvidia.com/gpu", 8, 8],
    ["none", "nvidia.com/gpu", "0", 0],
    ["an exponent", "nvidia.com/gpu", "1e3", 1_000],
    ["a binary suffix", "nvidia.com/gpu", "1Ki", 1_024],
    ["thousands of thousandths", "nvidia.com/gpu", "8000m", 8],
    ["a fraction of an extended resource", "nvidia.com/gpu", "500m", undefined, "a whole number"],
    ["a negative count", "nvidia.com/gpu", "-1", undefined, "0 or more"],
    ["an absurd count", "nvidia.com/gpu", "1e30", undefined, "below 2^53"],
    ["no quantity", "nvidia.com/gpu", "eight", undefined, "a quantity"],
    ["an empty string", "nvidia.com/gpu", "", undefined, "a quantity"],
    ["null", "nvidia.com/gpu", null, undefined, "a quantity"],
    ["a list", "nvidia.com/gpu", ["8"], undefined, "a quantity"],
    ["markup", "nvidia.com/gpu", "<b>8</b>", undefined, "a quantity"],
    ["CPU with a fraction that binary cannot hold", "cpu", "16.1", 16_100],
    ["the least CPU", "cpu", "1n", 1],
    ["CPU below a thousandth, rounded up", "cpu", "1500u", 2],
    ["a fraction of a byte, rounded up", "memory", "0.1Gi", 107_374_183],
    ["CPU beyond what can be counted", "cpu", "1e15", undefined, "below 2^53"],
  ])("a quantity that is %s", (_, name, raw, expected, problem) => {
    const { capacity, problems } = normalizeNode({
      metadata: { name: "n" },
      status: { capacity: { pods: "110", [name]: raw } },
    });
    expect(capacity).toEqual(expected === undefined ? { pods: 110 } : { pods: 110, [name]: expected });
    expect(problems.map(({ field }) => field)).toEqual(problem ? [`status.capacity["${name}"]`] : []);
    expect(problems[0]?.expected ?? "").toContain(problem ?? "");
  });

  test.each<[string, object, string[]]>([
    ["status that is no object", { status: "ready" }, ["status"]],
    ["capacity that is a list", { status: { capacity: ["8"] } }, ["status.capacity"]],
    ["taints that are none", { spec: { taints: "NoSchedule" } }, ["spec.taints"]],
    [
      "a taint without a known effect",
      { spec: { taints: [{ key: "a", effect: "Evict" }] } },
      ["spec.taints[].effect"],
    ],
    ["a taint that is null", { spec: { taints: [null] } }, ["spec.taints[].effect"]],
    [
      "a condition of unknown status",
      { status: { conditions: [{ type: "Ready", status: "Yes" }] } },
      ["status.conditions[].status"],
    ],
    ["a provider id that is a number", { spec: { providerID: 7 } }, ["spec.providerID"]],
    ["a label that is a number", { metadata: { name: "n", labels: { a: 1 } } }, ['metadata.labels["a"]']],
    [
      "a time that is none",
      { metadata: { name: "n", creationTimestamp: "yesterday" } },
      ["metadata.creationTimestamp"],
    ],
    [
      "a time that is a number",
      { metadata: { name: "n", creationTimestamp: 1 } },
      ["metadata.creationTimestamp"],
    ],
    [
      "a time beyond the calendar",
      { metadata: { name: "n", creationTimestamp: "2026-13-41T00:00:00Z" } },
      ["metadata.creationTimestamp"],
    ],
  ])("notes %s", (_, fields, expected) => {
    const { problems } = normalizeNode({ metadata: { name: "n" }, ...fields });
    expect(problems.map(({ field }) => field)).toEqual(expected);
  });

  test("cuts what is long, and never through a character", () => {
    const { conditions, problems } = normalizeNode({
      metadata: { name: "n" },
      spec: { taints: [{ effect: "x".repeat(5_000) }] },
      status: { conditions: [{ type: "Ready", status: "False", message: "😀".repeat(2_000) }] },
    });
    const message = conditions[0]?.message ?? "";
    expect(message.length).toBeLessThanOrEqual(1_000);
    expect(message.endsWith("…")).toBe(true);
    expect(message.isWellFormed()).toBe(true);
    expect(problems[0]?.value).toHaveLength(80);
  });

  test("keeps names with markup as they are", () => {
    expect(normalizeNode({ metadata: { name: "<img src=x onerror=alert(1)>" } }).name).toBe(
      "<img src=x onerror=alert(1)>",
    );
  });

  test.each([
    [
      "hami.io/node-nvidia-register",
      '[{"id":"GPU-a","count":10,"devmem":15360},{"id":"GPU-b","count":10}]',
      2,
    ],
    [
      "hami.io/node-nvidia-register",
      "GPU-a,10,15360,100,NVIDIA-Tesla T4,0,true:GPU-b,10,15360,100,NVIDIA-Tesla T4,0,true:",
      2,
    ],
    ["4pd.io/node-nvidia-register", "GPU-a,10,24576,100,NVIDIA-NVIDIA GeForce RTX 3090,0,true:", 1],
    ["hami.io/node-nvidia-register", "[]", undefined],
    ["hami.io/node-nvidia-register", "", undefined],
    ["hami.io/node-nvidia-register", 7, undefined],
    ["hami.io/node-handshake", "Requesting_2026.11.30 11:59:50", undefined],
  ])("counts the GPUs that a sharing plugin has registered by %s: %s", (key, value, count) => {
    expect(normalizeNode({ metadata: { name: "n", annotations: { [key]: value } } }).registeredGpus).toBe(
      count,
    );
  });
});
