import { describe, expect, it } from "vitest";
import type { NodeRecord, PodRecord } from "../model/kubernetes.ts";
import { layerOf, type Reason } from "../model/reasons.ts";
import { aContainer, aNode, anEvent, aPod, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { diagnose } from "./diagnose.ts";
import type { Certainty } from "./verdict.ts";

type Cluster = Parameters<typeof aFleet>[0];

const condition = (type: string, status: "True" | "False" | "Unknown", ago = 1_200_000) => ({
  type,
  status,
  reason: "",
  message: "",
  lastTransitionTime: NOW - ago,
});
const notReady = [condition("Ready", "Unknown")];
const crashing = {
  restarts: 14,
  state: { kind: "waiting", reason: "CrashLoopBackOff", message: "back-off 5m0s" },
  lastTermination: {
    exitCode: 1,
    reason: "Error",
    message: "no driver",
    startedAt: undefined,
    finishedAt: NOW - 120_000,
  },
} as const;
const bound = (container: Parameters<typeof aContainer>[0], overrides: Parameters<typeof aPod>[0] = {}) =>
  aPod({
    name: "stuck",
    nodeName: "a",
    containers: [aContainer({ ready: false, ...container })],
    ...overrides,
  });
const waiting = (reason: string) => ({ state: { kind: "waiting" as const, reason, message: "" } });
const ended = (exitCode: number, reason: string, ago = 60_000) => ({
  exitCode,
  reason,
  message: "",
  startedAt: undefined,
  finishedAt: NOW - ago,
});
const aboutStuck = { kind: "Pod", namespace: "ml", name: "stuck", uid: "" };

const BOUND: readonly {
  title: string;
  reason: Reason;
  certainty?: Certainty;
  says?: RegExp;
  pod: PodRecord;
  node?: NodeRecord;
  event?: Parameters<typeof anEvent>[0];
}[] = [
  ...["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull"].map((reason) => ({
    title: reason,
    pod: bound(waiting(reason)),
    reason: "ImagePullFailed" as const,
    says: /cannot pull the image registry\.example\/trainer:1/,
  })),
  {
    title: "a missing secret",
    pod: bound(waiting("CreateContainerConfigError")),
    reason: "ContainerConfigError",
  },
  {
    title: "a command that is not there",
    pod: bound({ ...waiting("CrashLoopBackOff"), restarts: 3, lastTermination: ended(128, "StartError") }),
    reason: "ContainerConfigError",
  },
  {
    title: "CrashLoopBackOff",
    pod: bound(crashing),
    reason: "CrashLoop",
    certainty: "high",
    says: /keeps failing: exit 1 \(Error\), 14 restarts: no driver/,
  },
  {
    title: "running again after its second crash",
    pod: bound({ restarts: 2, lastTermination: ended(1, "Error") }),
    reason: "CrashLoop",
    certainty: "medium",
  },
  {
    title: "OOMKilled again and again",
    pod: bound({ ...waiting("CrashLoopBackOff"), restarts: 4, lastTermination: ended(137, "OOMKilled") }),
    reason: "HostOutOfMemory",
  },
  {
    title: "an out-of-memory kill that the kubelet words as a plain error",
    pod: bound({
      state: { kind: "terminated", ...ended(137, "Error") },
      restarts: 2,
      lastTermination: ended(137, "OOMKilled"),
    }),
    reason: "HostOutOfMemory",
  },
  { title: "a failing init container", pod: bound({ ...crashing, init: true }), reason: "CrashLoop" },
  {
    title: "bound to a node that is NotReady",
    pod: bound({}, { conditions: [condition("Ready", "False")] }),
    node: aNode({ name: "a", conditions: notReady }),
    reason: "NodeNotReady",
  },
  {
    title: "a mount that has failed for longer than a start takes",
    pod: bound(waiting("ContainerCreating"), { phase: "Pending" }),
    event: { about: aboutStuck, reason: "FailedMount", message: 'secret "tls" not found' },
    reason: "ContainerConfigError",
    certainty: "medium",
  },
  {
    title: "a mount of what is not there when it is looked for again, at once",
    pod: bound(waiting("ContainerCreating"), {
      phase: "Pending",
      conditions: [condition("PodScheduled", "True", 20_000)],
    }),
    event: { about: aboutStuck, reason: "FailedMount", message: 'secret "tls" not found', count: 5 },
    reason: "ContainerConfigError",
    certainty: "medium",
  },
  {
    title: "a sandbox that has no GPU runtime",
    pod: bound(waiting("ContainerCreating"), { phase: "Pending" }),
    event: {
      about: aboutStuck,
      reason: "FailedCreatePodSandBox",
      message: 'no runtime for "nvidia" is configured',
    },
    reason: "DeviceNotReadyAtAdmission",
    certainty: "medium",
  },
];

const NOT_STUCK: readonly (readonly [title: string, cluster: Cluster])[] = [
  ["a pod that runs", { nodes: [aNode({ name: "a" })], pods: [aPod({ gpus: 8, nodeName: "a" })] }],
  [
    "a pod that the scheduler has not spoken of yet",
    { pods: [aPod({ createdAt: NOW - 10_000, conditions: [] })] },
  ],
  ["a pod that is being deleted", { pods: [aPod({ deletedAt: NOW - 1_000 })] }],
  ["a DaemonSet pod", { pods: [aPod({ system: "daemonset" })] }],
  ["a pod without GPUs", { pods: [aPod({ gpus: 0 })] }],
  ["a pod that has ended", { pods: [aPod({ phase: "Failed" })] }],
  [
    "a start within its normal time",
    {
      nodes: [aNode({ name: "a" })],
      pods: [
        bound(waiting("ContainerCreating"), {
          phase: "Pending",
          conditions: [condition("PodScheduled", "True", 300_000)],
        }),
      ],
      events: [anEvent({ about: aboutStuck, reason: "FailedMount" })],
    },
  ],
  [
    "one crash long ago",
    {
      nodes: [aNode({ name: "a" })],
      pods: [bound({ restarts: 9, lastTermination: ended(1, "Error", 3_600_000) })],
    },
  ],
  [
    "a pod that works on a node that is NotReady",
    {
      nodes: [aNode({ name: "a", conditions: notReady })],
      pods: [bound({}, { conditions: [condition("Ready", "True")] })],
    },
  ],
];

describe("a pod that a node has and that does not run", () => {
  it.each(BOUND)("$title: $reason", ({ pod, node, event, reason, certainty, says }) => {
    const events = event ? [anEvent(event)] : [];
    const fleet = aFleet({ nodes: [node ?? aNode({ name: "a" })], pods: [pod], events });
    const [verdict] = diagnose(fleet, NOW);
    expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty && { certainty }) });
    if (says) expect(verdict?.sentence).toMatch(says);
  });
});

describe("no verdict", () => {
  it.each(NOT_STUCK)("for %s", (_, cluster) => {
    expect(diagnose(aFleet(cluster), NOW)).toEqual([]);
  });
});
