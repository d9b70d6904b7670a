import { describe, expect, it } from "vitest";
import type { PodRecord } from "../model/kubernetes.ts";
import { layerOf, type Reason } from "../model/reasons.ts";
import { aContainer, aNode, anEvent, aPod, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { diagnose, diagnoseHeldPod } from "./diagnose.ts";
import type { Certainty } from "./verdict.ts";

const MINUTE = 60_000;

const failed = (overrides: Parameters<typeof aPod>[0] = {}): PodRecord =>
  aPod({ name: "failed", nodeName: "a", phase: "Failed", containers: [], ...overrides });
const refused = (reason: string, message: string, overrides: Parameters<typeof aPod>[0] = {}): PodRecord =>
  failed({ reason, message: `Pod was rejected: ${message}`, ...overrides });
const ended = (exitCode: number, reason = "Error", message = "") =>
  aContainer({
    ready: false,
    state: {
      kind: "terminated",
      exitCode,
      reason,
      message,
      startedAt: NOW - 10 * MINUTE,
      finishedAt: NOW - 5 * MINUTE,
    },
  });
const disruption = (reason: string) => ({
  conditions: [
    {
      type: "DisruptionTarget",
      status: "True" as const,
      reason,
      message: "",
      lastTransitionTime: NOW - MINUTE,
    },
  ],
});
const plugin = aPod({
  name: "nvidia-device-plugin-daemonset-x8z2m",
  namespace: "kube-system",
  gpus: 0,
  nodeName: "a",
  system: "daemonset",
  containers: [
    aContainer({
      ready: false,
      restarts: 4,
      state: { kind: "waiting", reason: "CrashLoopBackOff", message: "" },
    }),
  ],
});
const owner = { kind: "ReplicaSet", name: "server", uid: "rs-1" };
const unavailable =
  "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected";

interface Case {
  readonly title: string;
  readonly reason: Reason | undefined;
  readonly pod: PodRecord;
  readonly others?: readonly PodRecord[];
  readonly event?: Parameters<typeof anEvent>[0];
  readonly certainty?: Certainty;
  readonly says?: RegExp;
}

const CASES: readonly Case[] = [
  {
    title: "devices that were not there",
    pod: refused("UnexpectedAdmissionError", unavailable),
    reason: "DeviceNotReadyAtAdmission",
    certainty: "medium",
  },
  {
    title: "devices that were not there after a reboot",
    pod: refused("UnexpectedAdmissionError", unavailable),
    event: {
      about: { kind: "Node", namespace: "", name: "a", uid: "" },
      reason: "Rebooted",
      lastAt: NOW - 31 * MINUTE,
    },
    reason: "DeviceNotReadyAtAdmission",
    certainty: "high",
    says: /just after the node's reboot/,
  },
  {
    title: "a device plugin that does not run",
    pod: refused(
      "UnexpectedAdmissionError",
      "Allocate failed due to rpc error: code = Unavailable desc = error reading from server: EOF, which is unexpected",
    ),
    others: [plugin],
    reason: "DevicePluginDown",
    says: /nvidia-device-plugin-daemonset-x8z2m does not run/,
  },
  {
    title: "CPUs that cannot be pinned",
    pod: refused(
      "UnexpectedAdmissionError",
      "Allocate failed due to not enough cpus available to satisfy request: requested=8, available=4, which is unexpected",
    ),
    reason: "SchedulerOvercommit",
  },
  {
    title: "a pod that had done its work before the kubelet started anew",
    pod: refused("UnexpectedAdmissionError", unavailable, { containers: [ended(0, "Completed")] }),
    reason: undefined,
  },
  {
    title: "GPUs on two NUMA nodes",
    pod: refused("TopologyAffinityError", "Resources cannot be allocated with Topology locality", {
      gpus: 4,
    }),
    others: [aPod({ gpus: 4, nodeName: "a" })],
    reason: "GpusFragmented",
    certainty: "high",
    says: /4 of them are free there/,
  },
  {
    title: "CPU that was given away twice",
    pod: refused(
      "OutOfcpu",
      "Node didn't have enough resource: cpu, requested: 8000, used: 60000, capacity: 63770",
    ),
    reason: "SchedulerOvercommit",
  },
  {
    title: "GPUs that were given away twice",
    pod: refused(
      "OutOfnvidia.com/gpu",
      "Node didn't have enough resource: nvidia.com/gpu, requested: 4, used: 8, capacity: 8",
      { gpus: 4 },
    ),
    others: [aPod({ gpus: 8, nodeName: "a", schedulerName: "other-scheduler" })],
    reason: "SchedulerOvercommit",
    certainty: "high",
    says: /default-scheduler and other-scheduler both place pods/,
  },
  {
    title: "GPUs that the kubelet no longer had",
    pod: refused(
      "OutOfnvidia.com/gpu",
      "Node didn't have enough resource: nvidia.com/gpu, requested: 1, used: 0, capacity: 0",
    ),
    reason: "DeviceNotReadyAtAdmission",
  },
  {
    title: "too many pods",
    pod: refused(
      "OutOfpods",
      "Node didn't have enough resource: pods, requested: 1, used: 110, capacity: 110",
    ),
    reason: "SchedulerOvercommit",
  },
  {
    title: "labels that came late",
    pod: refused("NodeAffinity", "Predicate NodeAffinity failed"),
    reason: "DeviceNotReadyAtAdmission",
    certainty: "low",
  },
  {
    title: "labels that no node has",
    pod: refused("NodeAffinity", "Predicate NodeAffinity failed", { nodeSelector: { gpu: "h100" } }),
    reason: "RequestNeverFits",
  },
  {
    title: "labels that another node has",
    pod: refused("NodeAffinity", "Predicate NodeAffinity failed", { nodeSelector: { gpu: "a100" } }),
    reason: "TopologyUnsatisfied",
    says: /bound to a, which is not what it selects \(gpu=a100\); spare is/,
  },
  {
    title: "a volume on /dev/shm that is full",
    pod: failed({ reason: "Evicted", message: 'Usage of EmptyDir volume "dshm" exceeds the limit "8Gi". ' }),
    reason: "Evicted",
    certainty: "high",
    says: /it filled the volume on \/dev\/shm/,
  },
  {
    title: "a node that ran out of memory",
    pod: failed({
      reason: "Evicted",
      message:
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 70Mi. Container main was using 90Gi, request is 1Gi.",
    }),
    reason: "Evicted",
    certainty: "medium",
  },
  {
    title: "a pod that wrote too much",
    pod: failed({
      reason: "Evicted",
      message: "Pod ephemeral local storage usage exceeds the total limit of containers 10Gi. ",
    }),
    reason: "Evicted",
    certainty: "high",
  },
  {
    title: "a node that was shut down",
    pod: failed({
      reason: "Terminated",
      message: "Pod was terminated in response to imminent node shutdown.",
    }),
    reason: "NodeNotReady",
    certainty: "medium",
  },
  { title: "a node that was lost", pod: failed({ reason: "NodeLost" }), reason: "NodeNotReady" },
  {
    title: "a node that is gone",
    pod: failed({ nodeName: "b", ...disruption("DeletionByPodGC") }),
    reason: "NodeNotReady",
    certainty: "high",
    says: /which is gone/,
  },
  {
    title: "a node that was drained",
    pod: failed(disruption("EvictionByEvictionAPI")),
    reason: "NodeCordoned",
  },
  {
    title: "its own deadline",
    pod: failed({
      reason: "DeadlineExceeded",
      message: "Pod was active on the node longer than the specified deadline",
    }),
    reason: "Hung",
    certainty: "low",
  },
  {
    title: "a container that failed",
    pod: failed({ containers: [ended(139)] }),
    reason: "CrashLoop",
    says: /^failed has failed on a: its container main failed: exit 139 \(segmentation fault, SIGSEGV\)/,
  },
  {
    title: "a container that failed, with its last lines kept",
    pod: failed({
      containers: [ended(1, "Error", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB")],
    }),
    reason: "CudaOutOfMemory",
    certainty: "high",
  },
  {
    title: "an out-of-memory kill",
    pod: failed({ containers: [ended(137, "OOMKilled")] }),
    reason: "HostOutOfMemory",
  },
  {
    title: "a pod that a younger one has replaced",
    pod: refused("UnexpectedAdmissionError", unavailable, { owner }),
    others: [aPod({ nodeName: "a", owner, createdAt: NOW - MINUTE })],
    reason: undefined,
  },
  {
    title: "a pod whose older sibling is well",
    pod: refused("UnexpectedAdmissionError", unavailable, { owner }),
    others: [aPod({ nodeName: "a", owner, createdAt: NOW - 60 * MINUTE })],
    reason: "DeviceNotReadyAtAdmission",
  },
  {
    title: "a member of a job while another place of it was started anew",
    pod: failed({
      owner: { kind: "Job", name: "train", uid: "j" },
      labels: { "batch.kubernetes.io/job-completion-index": "0" },
      containers: [ended(1)],
    }),
    others: [
      aPod({
        nodeName: "a",
        owner: { kind: "Job", name: "train", uid: "j" },
        labels: { "batch.kubernetes.io/job-completion-index": "1" },
        createdAt: NOW - MINUTE,
      }),
    ],
    reason: "CrashLoop",
  },
  {
    title: "a pod that asks for no GPU",
    pod: failed({ gpus: 0, containers: [ended(1)] }),
    reason: undefined,
  },
];

describe("a pod that has failed for good", () => {
  it.each(CASES)("$title: $reason", ({ pod, others = [], event, reason, certainty, says }) => {
    const events = event ? [anEvent(event)] : [];
    const fleet = aFleet({
      nodes: [aNode({ name: "a" }), aNode({ name: "spare", labels: { gpu: "a100" } })],
      pods: [pod, ...others],
      events,
    });
    const verdict = diagnose(fleet, NOW).find(({ name }) => name === "failed");
    if (reason === undefined) expect(verdict).toBeUndefined();
    else expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty && { certainty }) });
    if (says) expect(verdict?.sentence).toMatch(says);
  });
});

it("names only the youngest of a row of pods that were refused alike", () => {
  const pods = [1, 2, 3].map((n) =>
    refused("UnexpectedAdmissionError", unavailable, {
      name: `try-${n}`,
      owner,
      createdAt: NOW - (10 - n) * MINUTE,
    }),
  );
  const verdicts = diagnose(aFleet({ nodes: [aNode({ name: "a" })], pods }), NOW);
  expect(verdicts.map(({ name }) => name)).toEqual(["try-3"]);
  expect(verdicts[0]?.certainty).toBe("high");
});

it("says of a pod that was replaced what happened to it, where it is asked about", () => {
  const pod = failed({
    reason: "Evicted",
    message: "The node was low on resource: ephemeral-storage.",
    owner,
  });
  const next = aPod({ name: "next", nodeName: "a", owner, createdAt: NOW });
  const fleet = aFleet({ nodes: [aNode({ name: "a" })], pods: [pod, next] });
  expect(diagnose(fleet, NOW)).toEqual([]);
  expect(diagnoseHeldPod(pod, fleet, NOW, () => undefined)).toMatchObject({ reason: "Evicted" });
});

it.each([
  ["disk-pressure", "ml", "Evicted"],
  ["memory-pressure", "ml", "Evicted"],
  ["disk-pressure", "another's", "NodeCordoned"],
  ["unschedulable", "ml", "NodeCordoned"],
])("waits for a node with the taint %s, where a pod of %s was evicted: %s", (taint, whose, reason) => {
  const before = failed({
    reason: "Evicted",
    message: "The node was low on resource: ephemeral-storage.",
    owner: whose === "ml" ? owner : { ...owner, name: "other", uid: "rs-2" },
  });
  const next = aPod({ name: "next", owner, createdAt: NOW - 2 * MINUTE });
  const taints = [
    { key: `node.kubernetes.io/${taint}`, value: "", effect: "NoSchedule" as const, timeAdded: undefined },
  ];
  const fleet = aFleet({ nodes: [aNode({ name: "a", taints })], pods: [before, next] });
  expect(diagnose(fleet, NOW).find(({ name }) => name === "next")).toMatchObject({ reason });
});
