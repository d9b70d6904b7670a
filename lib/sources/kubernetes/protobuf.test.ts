import { describe, expect, it } from "vitest";
import { normalizePod } from "./normalize-pod.ts";
import {
  decodeList,
  decodeObject,
  decodeWatchEvent,
  encodeObject,
  encodeWatchEvent,
  hasProtobuf,
} from "./protobuf.ts";
import { ProtobufError } from "./protobuf-error.ts";
import golden from "./protobuf-golden.json" with { type: "json" };

/** Without fields of no content: on this wire API servers send zero values that their JSON leaves out. */
function compact(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(compact);
  if (typeof json !== "object" || json === null) return json;
  const kept = Object.entries(json)
    .map(([key, value]) => [key, compact(value)] as const)
    .filter(([, value]) => value && (typeof value !== "object" || Object.keys(value).length > 0));
  return Object.fromEntries(kept);
}

function bytes(base64: string): Uint8Array {
  return Buffer.from(base64, "base64");
}

/** protobuf-golden.json is what the serializers of k8s.io/apimachinery v0.36.3 made of these objects, in both formats; `richPod` is what an API server of that version gave. */
describe("objects that Kubernetes' own code encoded", () => {
  it.each(["pod", "richPod", "node", "event", "oldEvent", "status", "podList"] as const)(
    "%s: every declared field is read",
    (name) => {
      const { protobuf, json } = golden[name];
      const decoded = compact(decodeObject(bytes(protobuf)).object);
      // The whole JSON holds all that was decoded; what is missing was not declared.
      expect(compact(json)).toMatchObject(Object(decoded));
      // Our own encoder takes the declared fields out of the whole JSON.
      expect(decoded).toEqual(compact(decodeObject(encodeObject(json.kind, json)).object));
    },
  );

  it("makes one record of a pod of an API server, whatever the format", () => {
    const { protobuf, json } = golden.richPod;
    const record = normalizePod(decodeObject(bytes(protobuf)).object);
    expect(record).toEqual(normalizePod(json));
    expect(record).toMatchObject({
      annotations: { "scheduling.k8s.io/group-name": "g" },
      podAffinity: [{ topologyKey: "rack", namespaces: ["x"], selector: [{ key: "a" }, { key: "k" }] }],
      podAntiAffinity: [{ topologyKey: "host", namespaces: [], selector: [] }],
      topologySpread: [{ topologyKey: "zone", maxSkew: 2 }],
      hasSharedMemoryVolume: true,
      resourceClaims: [
        { name: "gpu", claimName: undefined, templateName: "t" },
        { name: "own", claimName: "c", templateName: undefined },
      ],
      preemptionPolicy: "Never",
      priorityClassName: "high",
      containers: [
        {
          livenessProbe: { initialDelaySeconds: 7, periodSeconds: 11, failureThreshold: 5 },
          startupProbe: { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 60 },
        },
      ],
    });
  });

  it("reads what lies deep", () => {
    const { object } = decodeObject(bytes(golden.pod.protobuf));
    expect(object).toMatchObject({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        creationTimestamp: "2026-12-01T08:00:05Z",
        labels: { pool: "a", empty: "" },
        annotations: { note: "größe ✓" },
        ownerReferences: [{ kind: "Job", controller: true }],
      },
      spec: {
        priority: 0,
        containers: [{ resources: { requests: { cpu: "1500m", memory: "1Ti", "nvidia.com/gpu": "8" } } }],
        initContainers: [{ name: "side", restartPolicy: "Always" }],
        volumes: [{ name: "d", persistentVolumeClaim: { claimName: "data" } }, { name: "tmp" }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", values: ["a", "b"] }] }],
            },
          },
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/hostname" }],
          },
        },
        tolerations: [
          { key: "nvidia.com/gpu" },
          { operator: "Exists", tolerationSeconds: 300 },
          { value: "v" },
        ],
        schedulingGates: [{ name: "kueue.x-k8s.io/admission" }],
      },
      status: {
        nominatedNodeName: "n2",
        containerStatuses: [
          { ready: false, restartCount: 3, state: { waiting: { reason: "CrashLoopBackOff" } } },
        ],
      },
    });
    expect(object).not.toHaveProperty("metadata.managedFields");
    // Sent as an empty string.
    expect(object).not.toHaveProperty("spec.tolerations.1.key");
  });

  it("reads the times of events", () => {
    const { object } = decodeObject(bytes(golden.event.protobuf));
    expect(object).toMatchObject({
      eventTime: "2026-12-01T08:00:05.123456Z",
      series: { count: 7, lastObservedTime: "2026-12-01T08:00:05.123456Z" },
    });
    expect(object).not.toHaveProperty("firstTimestamp");
  });

  it("reads a page of a list", () => {
    const { kind, metadata, items } = decodeList(bytes(golden.podList.protobuf));
    expect({ kind, metadata }).toEqual({
      kind: "PodList",
      metadata: { resourceVersion: "99", continue: "abc" },
    });
    expect(items).toMatchObject([{ metadata: { name: "train-0" }, spec: { nodeName: "n1" } }]);
  });

  it("reads a watch event and a bookmark", () => {
    const event = decodeWatchEvent(bytes(golden.watchEvent.protobuf));
    expect(event).toMatchObject({ type: "ADDED", kind: "Event", object: { reason: "FailedScheduling" } });
    expect(decodeObject(bytes(golden.bookmark.protobuf)).object).toMatchObject({
      metadata: { resourceVersion: "7", annotations: { "k8s.io/initial-events-end": "true" } },
    });
  });
});

describe("encoding", () => {
  it("frames a watch event with its length", () => {
    const frame = Buffer.from(encodeWatchEvent("DELETED", encodeObject("Node", { metadata: { name: "n" } })));
    expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
    expect(decodeWatchEvent(frame.subarray(4))).toEqual({
      type: "DELETED",
      apiVersion: "v1",
      kind: "Node",
      object: { apiVersion: "v1", kind: "Node", metadata: { name: "n" } },
    });
  });

  it.each([
    [
      "a bare number as a quantity",
      { status: { capacity: { cpu: 4 } } },
      { status: { capacity: { cpu: "4" } } },
    ],
    [
      "a time with an offset and a fraction",
      { metadata: { creationTimestamp: "2026-12-01T10:00:00.9+02:00" } },
      { metadata: { creationTimestamp: "2026-12-01T08:00:00Z" } },
    ],
    ["null as absent", { metadata: { creationTimestamp: null, labels: null }, spec: null }, { metadata: {} }],
  ])("takes %s", (_, json, expected) => {
    expect(decodeObject(encodeObject("Node", json)).object).toEqual({
      apiVersion: "v1",
      kind: "Node",
      ...expected,
    });
  });

  it.each([
    [{ spec: { unschedulable: "yes" } }, "Node.spec.unschedulable: boolean expected"],
    [{ spec: { taints: {} } }, "Node.spec.taints: list expected"],
    [{ spec: { taints: [null] } }, "Node.spec.taints[0]: object expected"],
    [{ status: { capacity: [] } }, "Node.status.capacity: object expected"],
    [{ status: { capacity: { cpu: {} } } }, 'Node.status.capacity["cpu"]: quantity expected'],
    [
      { metadata: { creationTimestamp: "yesterday" } },
      "Node.metadata.creationTimestamp: RFC 3339 time expected",
    ],
    [{ metadata: { labels: { a: 1 } } }, 'Node.metadata.labels["a"]: string expected'],
    ["text", "Node: object expected"],
  ])("refuses %j, naming the field", (json, message) => {
    expect(() => encodeObject("Node", json)).toThrow(new ProtobufError(message));
  });

  it("refuses numbers that the wire cannot hold", () => {
    for (const priority of [1.5, 2 ** 31, "7"]) {
      expect(() => encodeObject("Pod", { spec: { priority } })).toThrow(
        "Pod.spec.priority: 32-bit integer expected",
      );
    }
    expect(() => encodeObject("Pod", { spec: { tolerations: [{ tolerationSeconds: 2 ** 60 }] } })).toThrow(
      "integer",
    );
  });
});

describe("kinds", () => {
  it.each([
    ["v1", "Pod", true],
    ["v1", "EventList", true],
    ["v1", "Secret", false],
    ["apps/v1", "Pod", false],
    ["v1", "ObjectMeta", false],
  ])("%s %s", (apiVersion, kind, expected) => {
    expect(hasProtobuf(apiVersion, kind)).toBe(expected);
  });

  it("refuses to write or read others, and lists that are none", () => {
    expect(() => encodeObject("Secret", {})).toThrow(new ProtobufError("no protobuf schema for v1 Secret"));
    expect(() => decodeList(encodeObject("Pod", {}))).toThrow(
      new ProtobufError("a list expected, but it is a Pod"),
    );
    expect(() => decodeObject(Buffer.from('{"kind":"Pod"}'))).toThrow("does not begin with k8s");
  });
});
