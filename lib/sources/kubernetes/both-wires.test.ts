import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeEvent } from "./normalize-event.ts";
import { normalizeNode } from "./normalize-node.ts";
import { normalizePod } from "./normalize-pod.ts";
import { decodeWatchEvent, encodeObject, encodeWatchEvent } from "./protobuf.ts";

/** Text as API objects hold it; often empty, which is where the wires differ most. */
const text = fc.oneof(
  fc.constantFrom("", "a", "GPU <b>", "ä😀\u2028"),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
const count = fc.integer({ min: 0, max: 2_000_000_000 });
const instant = fc.integer({ min: 1, max: 4_000_000_000 });
const time = fc.oneof(
  fc.constant(null),
  instant.map((seconds) => new Date(seconds * 1_000).toISOString().replace(".000Z", "Z")),
);
const microTime = fc.oneof(
  fc.constant(null),
  fc
    .tuple(instant, fc.integer({ min: 0, max: 999_999 }))
    .map(([seconds, micros]) =>
      new Date(seconds * 1_000).toISOString().replace(".000Z", `.${String(micros).padStart(6, "0")}Z`),
    ),
);
const quantity = fc.oneof(
  fc.constantFrom("0", "1", "8", "100m", "1e3", "1.5Gi", "-1", "half", "1e30", "500m"),
  count.map(String),
);
const resources = fc.dictionary(fc.constantFrom("cpu", "memory", "nvidia.com/gpu", "pods"), quantity);
const labels = fc.dictionary(fc.constantFrom("app", "topology.kubernetes.io/zone", "x"), text);
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 2 });
/** Each field may be missing. */
const object = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] });

const metadata = fc.record(
  {
    name,
    namespace: name,
    uid: text,
    resourceVersion: count.map(String),
    creationTimestamp: time,
    deletionTimestamp: time,
    labels,
    annotations: fc.dictionary(
      fc.constantFrom("kubernetes.io/config.mirror", "scheduling.k8s.io/group-name", "other"),
      text,
    ),
    ownerReferences: some(
      object({
        apiVersion: text,
        kind: fc.constantFrom("DaemonSet", "Node", "Job"),
        name,
        uid: text,
        controller: fc.boolean(),
      }),
    ),
  },
  { requiredKeys: ["name"] },
);
const condition = object({
  type: fc.constantFrom("Ready", "PodScheduled"),
  status: fc.constantFrom("True", "False", "Unknown", "", "Maybe"),
  reason: text,
  message: text,
  lastTransitionTime: time,
});

const node = fc.record(
  {
    metadata,
    spec: object({
      providerID: text,
      unschedulable: fc.boolean(),
      taints: some(
        object({
          key: text,
          value: text,
          effect: fc.constantFrom("NoSchedule", "NoExecute", "Odd"),
          timeAdded: time,
        }),
      ),
      podCIDR: text,
    }),
    status: object({
      capacity: resources,
      allocatable: resources,
      conditions: some(condition),
      nodeInfo: object({ kubeletVersion: text, osImage: text }),
    }),
  },
  { requiredKeys: ["metadata"] },
);

const terminated = object({
  exitCode: count,
  signal: count,
  reason: text,
  message: text,
  startedAt: time,
  finishedAt: time,
});
const state = fc.oneof(
  fc.constant({}),
  fc.record({ waiting: object({ reason: text, message: text }) }),
  fc.record({ running: object({ startedAt: time }) }),
  fc.record({ terminated }),
);
const probe = object({
  initialDelaySeconds: count,
  periodSeconds: count,
  failureThreshold: count,
  timeoutSeconds: count,
});
const container = object({
  name,
  image: text,
  volumeMounts: some(object({ name, mountPath: fc.constantFrom("/dev/shm", "/dev/shm/", "/data", "") })),
  livenessProbe: probe,
  startupProbe: probe,
  readinessProbe: probe,
  resources: object({ requests: resources, limits: resources }),
  restartPolicy: fc.constantFrom("Always", ""),
  command: some(text),
});
const containerStatus = object({
  name,
  image: text,
  ready: fc.boolean(),
  restartCount: count,
  state,
  lastState: state,
});
const selectorTerm = object({
  matchExpressions: some(object({ key: text, operator: text, values: some(text) })),
  matchFields: some(object({ key: text, operator: text, values: some(text) })),
});
const labelSelector = object({
  matchLabels: labels,
  matchExpressions: some(object({ key: text, operator: text, values: some(text) })),
});
const terms = object({
  requiredDuringSchedulingIgnoredDuringExecution: some(
    object({ topologyKey: text, labelSelector, namespaces: some(text) }),
  ),
});

const claimName = fc.constantFrom("", "gpu", "nic");

const pod = fc.record(
  {
    metadata,
    spec: object({
      containers: some(container),
      initContainers: some(container),
      overhead: resources,
      resources: object({ requests: resources, limits: resources }),
      nodeName: text,
      nodeSelector: labels,
      schedulerName: text,
      priority: fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }),
      tolerations: some(
        object({ key: text, operator: text, value: text, effect: text, tolerationSeconds: count }),
      ),
      schedulingGates: some(object({ name: text })),
      affinity: object({
        nodeAffinity: object({
          requiredDuringSchedulingIgnoredDuringExecution: object({ nodeSelectorTerms: some(selectorTerm) }),
        }),
        podAffinity: terms,
        podAntiAffinity: terms,
      }),
      topologySpreadConstraints: some(
        object({
          whenUnsatisfiable: fc.constantFrom("DoNotSchedule", "ScheduleAnyway"),
          topologyKey: text,
          maxSkew: count,
          labelSelector,
        }),
      ),
      preemptionPolicy: fc.constantFrom("Never", "PreemptLowerPriority", ""),
      priorityClassName: text,
      resourceClaims: some(
        object({ name: claimName, resourceClaimName: text, resourceClaimTemplateName: text }),
      ),
      volumes: some(
        fc.oneof(
          fc.record({ name, emptyDir: fc.constant({}) }),
          fc.record({ name, persistentVolumeClaim: object({ claimName: text }) }),
        ),
      ),
    }),
    status: object({
      phase: fc.constantFrom("Pending", "Running", "Succeeded", "Failed", "Unknown", "", "Odd"),
      reason: text,
      message: text,
      nominatedNodeName: text,
      conditions: some(condition),
      containerStatuses: some(containerStatus),
      initContainerStatuses: some(containerStatus),
      resourceClaimStatuses: some(object({ name: claimName, resourceClaimName: text })),
    }),
  },
  { requiredKeys: ["metadata"] },
);

const event = fc.record(
  {
    metadata,
    involvedObject: object({
      kind: fc.constantFrom("Pod", "Node", "Job"),
      namespace: name,
      name,
      uid: text,
      fieldPath: text,
    }),
    type: fc.constantFrom("Normal", "Warning", ""),
    reason: text,
    message: text,
    source: object({ component: text, host: text }),
    reportingComponent: text,
    count,
    firstTimestamp: time,
    lastTimestamp: time,
    eventTime: microTime,
    series: object({ count, lastObservedTime: microTime }),
  },
  { requiredKeys: ["metadata"] },
);

const CASES = [
  ["Node", node, normalizeNode],
  ["Pod", pod, normalizePod],
  ["Event", event, normalizeEvent],
] as const;

describe("an object gives the same record, whether it came as JSON or as protobuf", () => {
  test.each(CASES)("%s", (kind, arbitrary: fc.Arbitrary<object>, normalize) => {
    fc.assert(
      fc.property(arbitrary, (generated) => {
        const json: unknown = JSON.parse(JSON.stringify(generated));
        const frame = encodeWatchEvent("ADDED", encodeObject(kind, json)).subarray(4);
        expect(normalize(decodeWatchEvent(frame).object)).toEqual(normalize(json));
      }),
      { numRuns: 300 },
    );
  });
});
