import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PodRecord } from "../../model/kubernetes.ts";
import { normalizeEvent } from "./normalize-event.ts";
import { normalizeNode } from "./normalize-node.ts";
import { normalizePod } from "./normalize-pod.ts";

const metadata = { name: "p", namespace: "ml", uid: "u1" };

const BARE: PodRecord = {
  name: "p",
  namespace: "ml",
  uid: "u1",
  labels: {},
  annotations: {},
  createdAt: undefined,
  deletedAt: undefined,
  owner: undefined,
  system: undefined,
  nodeName: undefined,
  nominatedNodeName: undefined,
  phase: "Pending",
  reason: "",
  message: "",
  schedulerName: "default-scheduler",
  priority: 0,
  requests: { pods: 1 },
  conditions: [],
  containers: [],
  nodeSelector: {},
  nodeAffinity: [],
  tolerations: [],
  schedulingGates: [],
  hasPodPlacementRules: false,
  podAffinity: [],
  podAntiAffinity: [],
  topologySpread: [],
  volumeClaims: [],
  hasSharedMemoryVolume: false,
  resourceClaims: [],
  preemptionPolicy: "",
  priorityClassName: "",
  problems: [],
};

const ownedBy = (kind: string, controller = true) => ({
  metadata: { ...metadata, ownerReferences: [{ kind, name: "o", uid: "u9", apiVersion: "v1", controller }] },
});
const required = (terms: readonly object[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });

describe("normalizePod", () => {
  test.each<[string, object, Partial<PodRecord>]>([
    ["nothing but a name", {}, {}],
    ["nulls", { spec: null, status: null }, {}],
    ["labels", { metadata: { ...metadata, labels: { app: "t" } } }, { labels: { app: "t" } }],
    ["its controller", ownedBy("ReplicaSet"), { owner: { kind: "ReplicaSet", name: "o", uid: "u9" } }],
    ["an owner that is no controller", ownedBy("ReplicaSet", false), {}],
    [
      "a DaemonSet's pod",
      ownedBy("DaemonSet"),
      { owner: { kind: "DaemonSet", name: "o", uid: "u9" }, system: "daemonset" },
    ],
    [
      "a node's own pod",
      ownedBy("Node"),
      { owner: { kind: "Node", name: "o", uid: "u9" }, system: "static" },
    ],
    [
      "a mirror pod",
      { metadata: { ...metadata, annotations: { "kubernetes.io/config.mirror": "hash" } } },
      { system: "static" },
    ],
    ["where it is bound", { spec: { nodeName: "n1" } }, { nodeName: "n1" }],
    ["where it is nominated", { status: { nominatedNodeName: "n2" } }, { nominatedNodeName: "n2" }],
    [
      "its phase",
      { status: { phase: "Failed", reason: "Evicted", message: "m" } },
      { phase: "Failed", reason: "Evicted", message: "m" },
    ],
    [
      "scheduler and priority",
      { spec: { schedulerName: "volcano", priority: -5 } },
      { schedulerName: "volcano", priority: -5 },
    ],
    ["its node selector", { spec: { nodeSelector: { gpu: "h100" } } }, { nodeSelector: { gpu: "h100" } }],
    [
      "its required node affinity",
      {
        spec: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: "gpu", operator: "In", values: ["a", "b"] }] },
                  { matchFields: [{ key: "metadata.name", operator: "Exists" }] },
                ],
              },
            },
          },
        },
      },
      {
        nodeAffinity: [
          { matchExpressions: [{ key: "gpu", operator: "In", values: ["a", "b"] }], matchFields: [] },
          { matchExpressions: [], matchFields: [{ key: "metadata.name", operator: "Exists", values: [] }] },
        ],
      },
    ],
    [
      "its tolerations",
      { spec: { tolerations: [{ key: "gpu", value: "x", effect: "NoSchedule" }, { operator: "Exists" }] } },
      {
        tolerations: [
          { key: "gpu", operator: "Equal", value: "x", effect: "NoSchedule" },
          { key: "", operator: "Exists", value: "", effect: "" },
        ],
      },
    ],
    ["its gates", { spec: { schedulingGates: [{ name: "kueue" }] } }, { schedulingGates: ["kueue"] }],
    [
      "its claims",
      { spec: { volumes: [{ name: "a", emptyDir: {} }, { persistentVolumeClaim: { claimName: "data" } }] } },
      { volumeClaims: ["data"] },
    ],
    [
      "required pod affinity",
      { spec: { affinity: { podAffinity: required([{ topologyKey: "zone", namespaces: ["a"] }]) } } },
      {
        hasPodPlacementRules: true,
        podAffinity: [{ topologyKey: "zone", selector: undefined, namespaces: ["a"] }],
      },
    ],
    [
      "required pod anti-affinity",
      {
        spec: {
          affinity: {
            podAntiAffinity: required([
              { topologyKey: "host", labelSelector: { matchLabels: { app: "x" } } },
            ]),
          },
        },
      },
      {
        hasPodPlacementRules: true,
        podAntiAffinity: [
          {
            topologyKey: "host",
            selector: [{ key: "app", operator: "In", values: ["x"] }],
            namespaces: [],
          },
        ],
      },
    ],
    [
      "a rule about pods of other namespaces, and one of few domains",
      {
        spec: {
          affinity: { podAffinity: required([{ topologyKey: "zone", namespaceSelector: {} }]) },
          topologySpreadConstraints: [
            { whenUnsatisfiable: "DoNotSchedule", topologyKey: "zone", maxSkew: 1, minDomains: 3 },
          ],
        },
      },
      {
        hasPodPlacementRules: true,
        podAffinity: [{ topologyKey: "zone", selector: undefined, namespaces: [], anyNamespace: true }],
        topologySpread: [{ topologyKey: "zone", maxSkew: 1, minDomains: 3, selector: undefined }],
      },
    ],
    ["no terms of affinity", { spec: { affinity: { podAffinity: required([]) } } }, {}],
    [
      "a hard spread",
      {
        spec: {
          topologySpreadConstraints: [
            { whenUnsatisfiable: "DoNotSchedule", topologyKey: "zone", maxSkew: 2, labelSelector: {} },
          ],
        },
      },
      { hasPodPlacementRules: true, topologySpread: [{ topologyKey: "zone", maxSkew: 2, selector: [] }] },
    ],
    ["a soft spread", { spec: { topologySpreadConstraints: [{ whenUnsatisfiable: "ScheduleAnyway" }] } }, {}],
    [
      "a volume on /dev/shm",
      { spec: { containers: [{ name: "c", volumeMounts: [{ name: "shm", mountPath: "/dev/shm" }] }] } },
      { hasSharedMemoryVolume: true, containers: [expect.objectContaining({ name: "c" })] },
    ],
    [
      "its resource claims, with the names of those that were made for it",
      {
        spec: {
          resourceClaims: [
            { name: "gpu", resourceClaimTemplateName: "one-gpu" },
            { name: "shared", resourceClaimName: "s" },
          ],
        },
        status: { resourceClaimStatuses: [{ name: "gpu", resourceClaimName: "p-gpu-x" }] },
      },
      {
        resourceClaims: [
          { name: "gpu", claimName: "p-gpu-x", templateName: "one-gpu" },
          { name: "shared", claimName: "s", templateName: undefined },
        ],
      },
    ],
    [
      "the annotations that schedulers read, no others",
      { metadata: { ...metadata, annotations: { "scheduling.k8s.io/group-name": "g", other: "x" } } },
      { annotations: { "scheduling.k8s.io/group-name": "g" } },
    ],
  ])("reads %s", (_, fields, expected) => {
    expect(normalizePod({ metadata, ...fields })).toEqual({ ...BARE, ...expected });
  });

  test("tells which of its containers ask for extended resources", () => {
    const { containers } = normalizePod({
      metadata,
      spec: {
        containers: [
          {
            name: "main",
            resources: { limits: { cpu: "1", "nvidia.com/gpu": "1" }, requests: { "rdma/ib": "1" } },
          },
          { name: "side", resources: { requests: { cpu: "1" } } },
          { name: "odd", resources: "none" },
        ],
      },
    });
    expect(containers.map(({ extended }) => extended)).toEqual([
      ["nvidia.com/gpu", "rdma/ib"],
      undefined,
      undefined,
    ]);
  });

  test("reads what its containers do, from the status, in the order of the spec", () => {
    const { containers, problems } = normalizePod({
      metadata,
      spec: {
        initContainers: [{ name: "fetch", image: "fetch:1" }],
        containers: [{ name: "main", image: "train:1" }, { name: "side", image: "side:1" }, { name: "new" }],
      },
      status: {
        initContainerStatuses: [
          {
            name: "fetch",
            image: "other",
            state: { terminated: { exitCode: 0, reason: "Completed", finishedAt: "2026-12-01T08:00:00Z" } },
          },
        ],
        containerStatuses: [
          {
            name: "side",
            ready: true,
            restartCount: 0,
            state: { running: { startedAt: "2026-12-01T08:01:00Z" } },
          },
          {
            name: "main",
            ready: false,
            restartCount: 3,
            state: { waiting: { reason: "CrashLoopBackOff", message: "back-off" } },
            lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } },
          },
          { name: "unknown", image: "stray:1", state: {} },
        ],
      },
    });
    expect(problems).toEqual([]);
    const none = { ready: false, restarts: 0, lastTermination: undefined };
    expect(containers).toEqual([
      {
        ...none,
        name: "fetch",
        init: true,
        image: "fetch:1",
        state: {
          kind: "terminated",
          exitCode: 0,
          reason: "Completed",
          message: "",
          finishedAt: Date.UTC(2026, 11, 1, 8),
        },
      },
      {
        name: "main",
        init: false,
        image: "train:1",
        ready: false,
        restarts: 3,
        state: { kind: "waiting", reason: "CrashLoopBackOff", message: "back-off" },
        lastTermination: { exitCode: 137, reason: "OOMKilled", message: "", finishedAt: undefined },
      },
      {
        ...none,
        name: "side",
        init: false,
        image: "side:1",
        ready: true,
        state: { kind: "running", startedAt: Date.UTC(2026, 11, 1, 8, 1) },
      },
      { ...none, name: "new", init: false, image: "", state: { kind: "none" } },
      { ...none, name: "unknown", init: false, image: "stray:1", state: { kind: "none" } },
    ]);
  });

  test.each<[string, object, string]>([
    ["a phase that is none", { status: { phase: "Exploded" } }, "status.phase"],
    ["containers that are no list", { spec: { containers: "main" } }, "spec.containers"],
    ["a priority that is text", { spec: { priority: "high" } }, "spec.priority"],
    [
      "a restart count that is text",
      { status: { containerStatuses: [{ name: "a", restartCount: "many" }] } },
      "status.containerStatuses[].restartCount",
    ],
    [
      "values that are no list",
      {
        spec: {
          affinity: {
            nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: {} } },
          },
        },
      },
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms",
    ],
    ["a node name that is an object", { spec: { nodeName: { name: "n" } } }, "spec.nodeName"],
  ])("notes %s", (_, fields, field) => {
    expect(normalizePod({ metadata, ...fields }).problems.map((problem) => problem.field)).toContain(field);
  });

  test("keeps at most 50 problems of one object", () => {
    const labels = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`l${index}`, index]));
    expect(normalizePod({ metadata: { ...metadata, labels } }).problems).toHaveLength(50);
  });
});

/** JSON of any shape, often with the fields that are looked at. */
const hostile = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(
      null,
      "",
      "x",
      "1e3",
      "-1",
      true,
      0,
      -1,
      1e300,
      "2026-12-01T08:00:00Z",
      "<script>",
      "\ud800",
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        ..."metadata spec status name namespace uid labels annotations ownerReferences controller kind containers".split(
          " ",
        ),
        ..."initContainers resources requests limits cpu nvidia.com/gpu containerStatuses state running waiting".split(
          " ",
        ),
        ..."terminated exitCode lastState conditions type taints effect capacity allocatable affinity nodeAffinity".split(
          " ",
        ),
        ..."requiredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms matchExpressions values tolerations".split(
          " ",
        ),
        ..."involvedObject series count lastTimestamp volumes persistentVolumeClaim overhead __proto__ constructor".split(
          " ",
        ),
      ),
      tie("value"),
      { maxKeys: 6 },
    ),
  ),
}));

describe("whatever comes", () => {
  test.each([
    ["normalizeNode", normalizeNode],
    ["normalizePod", normalizePod],
    ["normalizeEvent", normalizeEvent],
  ])("%s does not throw and has a name and a uid as text", (_, normalize) => {
    fc.assert(
      fc.property(hostile.value, (value) => {
        const { name, uid } = normalize(value);
        expect(typeof name).toBe("string");
        expect(typeof uid).toBe("string");
      }),
      { numRuns: 500 },
    );
  });
});
