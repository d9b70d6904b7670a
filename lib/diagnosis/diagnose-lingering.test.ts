import { describe, expect, it } from "vitest";
import { aContainer, aNode, anEvent, aPod, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import {
  aConditionAgo,
  aRun,
  aStuckPod,
  crashing,
  MINUTE,
  type RuntimeCase,
  verdictOn,
} from "../testing/runtime-cases.ts";
import { diagnose, diagnoseHeldPod } from "./diagnose.ts";

const aboutStuck = { kind: "Pod", namespace: "ml", name: "stuck", uid: "" };
const aboutNode = { kind: "Node", namespace: "", name: "a", uid: "" };
const job = { kind: "Job", name: "train", uid: "j1" };
const training = { kind: "PyTorchJob", name: "train", uid: "t1" };
const PROBE = { initialDelaySeconds: 0, periodSeconds: 5, failureThreshold: 30 };
const MEETING = { kind: "running", startedAt: NOW - 300 * MINUTE } as const;
const ready = { conditions: [aConditionAgo("Ready", "True", "", 500 * MINUTE)] };
const unready = { conditions: [aConditionAgo("Ready", "False", "", 500 * MINUTE)] };

/** A step a minute until `ago` minutes before now. */
function steps(ago: number, last = ""): string {
  const lines = Array.from({ length: 20 }, (_, index) => {
    const at = new Date(NOW - (ago + 19 - index) * MINUTE).toISOString().slice(0, 19);
    return `[${at}] iteration ${index}/ 500 | lm loss: 3.1`;
  });
  return `${lines.join("\n")}\n${last}\n`;
}

const worker = (ago: number) =>
  aContainer({
    ready: false,
    state: { kind: "terminated", ...aRun(0, 600, "Completed", ago) },
    extended: ["nvidia.com/gpu"],
  });
const proxy = aContainer({ name: "istio-proxy", image: "proxy:1" });

function inInit(minutes: number, overrides: Parameters<typeof aPod>[0] = {}) {
  const init = aContainer({
    name: "fetch",
    init: true,
    ready: false,
    state: { kind: "running", startedAt: NOW - minutes * MINUTE },
  });
  const main = aContainer({
    ready: false,
    state: { kind: "waiting", reason: "PodInitializing", message: "" },
  });
  return aPod({
    name: "stuck",
    nodeName: "a",
    phase: "Pending",
    createdAt: NOW - (minutes + 1) * MINUTE,
    containers: [init, main],
    ...unready,
    ...overrides,
  });
}

const creating = (minutes: number) =>
  aPod({
    name: "stuck",
    nodeName: "a",
    phase: "Pending",
    createdAt: NOW - minutes * MINUTE,
    conditions: [aConditionAgo("PodScheduled", "True", "", minutes * MINUTE)],
    containers: [
      aContainer({ ready: false, state: { kind: "waiting", reason: "ContainerCreating", message: "" } }),
    ],
  });
const sandbox = (count: number) => ({
  about: aboutStuck,
  reason: "FailedCreatePodSandBox",
  message:
    'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "nvidia" is configured',
  count,
});
const gone = (reason: string, exitCode: number) =>
  aPod({
    name: "stuck",
    nodeName: "a",
    phase: "Failed",
    owner: job,
    createdAt: NOW - 300 * MINUTE,
    containers: [
      aContainer({ ready: false, state: { kind: "terminated", ...aRun(exitCode, 60, reason, 30 * MINUTE) } }),
    ],
  });
const rebooted = {
  about: aboutNode,
  reason: "Rebooted",
  message: "Node a has been rebooted",
  lastAt: NOW - 30 * MINUTE,
};
const killed = {
  about: aboutNode,
  reason: "OOMKilling",
  message: "Memory cgroup out of memory: Killed process 21 (VLLM::Worker_TP)",
  lastAt: NOW - MINUTE,
};
const DIED = "ERROR Worker proc VllmWorker-1 died unexpectedly, shutting down executor.";

const CASES: readonly RuntimeCase[] = [
  {
    title: "a sidecar that keeps the devices of a container that is done",
    pod: aStuckPod({}, { containers: [worker(60 * MINUTE), proxy], owner: job, ...unready }),
    reason: "GpuIdle",
    says: /main was done at .* istio-proxy runs on/,
  },
  {
    title: "a sidecar that still sends off what the work left",
    pod: aStuckPod({}, { containers: [worker(3 * MINUTE), proxy], owner: job, ...unready }),
    reason: undefined,
  },
  {
    title: "a helper that is done beside a container with devices that works",
    pod: aStuckPod(
      {},
      {
        containers: [
          aContainer({ extended: ["nvidia.com/gpu"] }),
          aContainer({
            name: "copy",
            ready: false,
            state: { kind: "terminated", ...aRun(0, 60, "Completed", 60 * MINUTE) },
          }),
        ],
        ...unready,
      },
    ),
    reason: undefined,
  },
  { title: "an init container that never ends", pod: inInit(60), reason: "Hung", certainty: "low" },
  {
    title: "an init container that says what it waits for",
    pod: inInit(20),
    log: "waiting for master to be reachable\nwaiting for master to be reachable\n",
    reason: "Hung",
    certainty: "medium",
    says: /init container fetch has run since .*: “waiting for master/,
  },
  {
    title: "an init container that fetches a model",
    pod: inInit(90),
    log: "Fetching 163 files:  41%|#### | 67/163\n",
    reason: undefined,
  },
  { title: "an init container in its first minutes", pod: inInit(12), reason: undefined },
  {
    title: "an init container that waits for a pod whose image cannot be pulled",
    pod: inInit(20, { owner: training }),
    others: [
      [
        aPod({
          name: "master",
          nodeName: "b",
          owner: training,
          phase: "Pending",
          containers: [
            aContainer({ ready: false, state: { kind: "waiting", reason: "ImagePullBackOff", message: "" } }),
          ],
        }),
        undefined,
      ],
    ],
    reason: "ImagePullFailed",
    says: /since master on b, one of 2 pods of its job, failed first: its image .* cannot be pulled/,
  },
  {
    title: "a leader that is not Ready, since a worker of its group keeps failing",
    pod: aStuckPod(
      { ready: false, state: { kind: "running", startedAt: NOW - 30 * MINUTE } },
      { owner: training, ...unready },
    ),
    log: "Wait for all workers to be active. 1/2 is active\n",
    others: [
      [
        aPod({ name: "worker", nodeName: "b", owner: training, containers: [aContainer(crashing())] }),
        "ModuleNotFoundError: No module named 'ray'",
      ],
    ],
    reason: "CrashLoop",
    says: /has not become Ready from .* on, since worker on b, .*ModuleNotFoundError/,
  },
  {
    title: "a replica that is not Ready beside one that fails",
    pod: aStuckPod(
      { ready: false, state: { kind: "running", startedAt: NOW - 30 * MINUTE } },
      { owner: { kind: "ReplicaSet", name: "r", uid: "r1" }, ...unready },
    ),
    others: [
      [
        aPod({
          name: "other",
          nodeName: "b",
          owner: { kind: "ReplicaSet", name: "r", uid: "r1" },
          containers: [aContainer(crashing())],
        }),
        "KeyError: 'x'",
      ],
    ],
    reason: undefined,
  },
  {
    title: "a collective that broke since another rank ended in an error of its own",
    pod: aStuckPod(crashing(), { owner: training }),
    log: "[rank8]: torch.distributed.DistBackendError: NCCL communicator was aborted on rank 8.",
    others: [
      [
        aPod({
          name: "master",
          nodeName: "b",
          owner: training,
          containers: [aContainer({ ...crashing(), lastTermination: aRun(1, 30, "Error", 2 * MINUTE) })],
        }),
        "[rank0]: KeyError: 'input_ids'",
      ],
    ],
    reason: "CrashLoop",
    says: /master on b.*KeyError/,
  },
  {
    title: "a training loop that stops in the middle",
    pod: aStuckPod({}, { owner: job, ...ready }),
    log: steps(90),
    reason: "Hung",
    certainty: "medium",
    says: /printed a step every 60 s and has printed nothing since/,
  },
  ...[
    "INFO Waiting in store based barrier to initialize process group for rank: 0 (world_size=2, worker_count=1)",
    "[INFO] api: [default] Rendezvous'ing worker group",
    "[INFO] [comm.py:637:init_distributed] Initializing TorchBackend in DeepSpeed with backend nccl",
    "> initializing torch distributed ...",
    "I0 distributed.py:99] Connecting to JAX distributed service on 10.0.0.1:1234",
    "waiting for all other workers to join",
  ].map(
    (log): RuntimeCase => ({
      title: `a rank that meets nobody (${log.slice(0, 40)})`,
      pod: aStuckPod({ state: MEETING }, { owner: training, ...ready }),
      others: [[aPod({ name: "peer", nodeName: "b", owner: training, phase: "Running" }), log]],
      log: `loading\n${log}\n`,
      reason: "Hung",
      certainty: "medium",
      says: /has waited for 1 other pod of its job since/,
    }),
  ),
  {
    title: "a rank whose first collective does not come back",
    pod: aStuckPod({ state: MEETING }, { owner: training, ...ready }),
    others: [[aPod({ name: "peer", nodeName: "b", owner: training, phase: "Running" }), ""]],
    log: "w-0:21:22 [0] NCCL INFO comm 0x7f rank 0 nranks 2 - Init COMPLETE\nw-0:21:21 [0] NCCL INFO Launch mode Parallel",
    reason: "Hung",
    certainty: "low",
  },
  {
    title: "a rank that trains after NCCL has told of its start",
    pod: aStuckPod({ state: MEETING }, { owner: training, ...ready }),
    others: [[aPod({ name: "peer", nodeName: "b", owner: training, phase: "Running" }), ""]],
    log: "w-0:21:21 [0] NCCL INFO Launch mode Parallel\nepoch 1 loss 3.1",
    reason: undefined,
  },
  {
    title: "a rank that met its peers",
    pod: aStuckPod({ state: MEETING }, { owner: training, ...ready }),
    others: [[aPod({ name: "peer", nodeName: "b", owner: training, phase: "Running" }), ""]],
    log: "Waiting in store based barrier\nRank 0: Completed store-based barrier",
    reason: undefined,
  },
  {
    title: "a rank that meets nobody yet",
    pod: aStuckPod(
      { state: { kind: "running", startedAt: NOW - 10 * MINUTE } },
      { owner: training, ...ready },
    ),
    others: [[aPod({ name: "peer", nodeName: "b", owner: training, phase: "Running" }), ""]],
    log: "Waiting in store based barrier",
    reason: undefined,
  },
  {
    title: "a training loop that pauses",
    pod: aStuckPod({}, { owner: job, ...ready }),
    log: steps(20),
    reason: undefined,
  },
  {
    title: "a training loop that is done",
    pod: aStuckPod({}, { owner: job, ...ready }),
    log: steps(90, "training complete"),
    reason: undefined,
  },
  {
    title: "a server that nobody asks anything",
    pod: aStuckPod({}, ready),
    log: steps(90).replaceAll(/iteration.*/g, "INFO POST /v1/embed 200"),
    reason: undefined,
  },
  {
    title: "a sandbox that fails again and again for its runtime",
    pod: creating(4),
    events: [sandbox(20)],
    reason: "DeviceNotReadyAtAdmission",
    says: /: no runtime for "nvidia" is configured/,
  },
  { title: "a sandbox that failed once", pod: creating(4), events: [sandbox(1)], reason: undefined },
  {
    title: "a bucket that the storage refuses",
    pod: creating(12),
    events: [
      {
        about: aboutStuck,
        reason: "FailedMount",
        message:
          "MountVolume.SetUp failed: rpc error: code = PermissionDenied desc = googleapi: Error 403: denied",
      },
    ],
    reason: "ModelAccessDenied",
  },
  {
    title: "a server that ends in order when a startup probe has it killed",
    pod: aStuckPod({ ...crashing(0, 152, "Completed"), startupProbe: PROBE }),
    events: [{ about: aboutStuck, reason: "Unhealthy", message: "Startup probe failed: connection refused" }],
    reason: "ProbeKillsSlowStart",
    certainty: "medium",
  },
  {
    title: "a program that ends by itself about when a probe would kill it",
    pod: aStuckPod({ ...crashing(0, 152, "Completed"), startupProbe: PROBE }),
    reason: "CrashLoop",
  },
  {
    title: "a process that the kernel killed for memory",
    pod: aStuckPod(crashing()),
    log: DIED,
    events: [killed],
    reason: "HostOutOfMemory",
    certainty: "medium",
  },
  {
    title: "a kill for this very pod",
    pod: aStuckPod(crashing(), { uid: "0a-1b" }),
    events: [{ ...killed, message: `${killed.message} in /kubepods-burstable-pod0a_1b.slice` }],
    reason: "HostOutOfMemory",
    certainty: "high",
  },
  {
    title: "a kill for memory that another pod met",
    pod: aStuckPod(crashing()),
    log: "KeyError: 'x'",
    events: [killed],
    reason: "CrashLoop",
  },
  {
    title: "one kill for memory that it has got over",
    pod: aStuckPod({ restarts: 1, lastTermination: aRun(137, 60, "OOMKilled", 8 * MINUTE) }, ready),
    reason: undefined,
  },
  {
    title: "a node that was rebooted under it",
    pod: gone("ContainerStatusUnknown", 137),
    events: [rebooted],
    reason: "NodeNotReady",
    certainty: "medium",
  },
  {
    title: "the same in containerd's words",
    pod: gone("Unknown", 255),
    events: [rebooted],
    reason: "NodeNotReady",
  },
  {
    title: "a container that the kubelet lost sight of",
    pod: gone("ContainerStatusUnknown", 137),
    reason: "NodeNotReady",
    certainty: "low",
  },
  {
    title: "room that the kubelet made for a critical pod",
    pod: aPod({
      name: "stuck",
      nodeName: "a",
      phase: "Failed",
      reason: "Preempting",
      message: "Preempted in order to admit critical pod",
    }),
    reason: "Preempted",
  },
  {
    title: "a load that its startup probe allows for",
    pod: aStuckPod(
      {
        ready: false,
        state: { kind: "running", startedAt: NOW - 80 * MINUTE },
        startupProbe: { ...PROBE, failureThreshold: 1440 },
      },
      unready,
    ),
    reason: undefined,
  },
  {
    title: "a driver of a storage that is not on the node, which is no missing object",
    pod: creating(12),
    events: [
      {
        about: aboutStuck,
        reason: "FailedMount",
        message: "driver name efs.csi.aws.com not found in the list of registered CSI drivers",
        count: 20,
      },
    ],
    reason: "ContainerConfigError",
    certainty: "low",
  },
  {
    title: "a command that the node's runtime was to bring",
    pod: aStuckPod({
      ...crashing(128, 0, "StartError"),
      lastTermination: {
        ...aRun(128, 0, "StartError"),
        message: 'runc create failed: exec: "nvidia-smi": executable file not found in $PATH: unknown',
      },
    }),
    reason: "DeviceNotReadyAtAdmission",
  },
  {
    title: "a monitor whose condition only names what it watches",
    pod: aStuckPod(crashing()),
    nodeConditions: [aConditionAgo("GpuCount", "True", "GpuCountMismatch")],
    reason: "GpuLostAtRuntime",
  },
  {
    title: "ranks that start one after another",
    pod: aStuckPod(
      { state: { kind: "running", startedAt: NOW - 2 * MINUTE } },
      { owner: training, ...ready },
    ),
    log: "[c10d] The client socket has failed to connect to [master]:23456 (errno: 111 - Connection refused).",
    reason: undefined,
  },
];

describe("a pod that lingers", () => {
  it.each(CASES)("$title: $reason", (one) => {
    const verdict = verdictOn(one);
    expect(verdict?.reason).toBe(one.reason);
    if (one.certainty) expect(verdict?.certainty).toBe(one.certainty);
    if (one.says) expect(verdict?.sentence).toMatch(one.says);
  });
});

describe("a pod that was to be deleted", () => {
  const set = { kind: "StatefulSet", name: "s", uid: "s1" };
  const leaving = (minutes: number) =>
    aPod({
      name: "stuck",
      nodeName: "a",
      owner: set,
      deletedAt: NOW - minutes * MINUTE,
      createdAt: NOW - 900 * MINUTE,
      ...unready,
    });
  const at = (
    pod: ReturnType<typeof aPod>,
    status: "True" | "False",
    others: readonly ReturnType<typeof aPod>[] = [],
  ) => {
    const node = aNode({
      name: "a",
      conditions: [aConditionAgo("Ready", status, "NodeStatusUnknown", 95 * MINUTE)],
    });
    return aFleet({ nodes: [node], pods: [pod, ...others] });
  };

  it("and stays on a node that is away", () => {
    const pod = leaving(60);
    const fleet = at(pod, "False");
    const verdict = diagnose(fleet, NOW).find(({ name }) => name === "stuck");
    expect(verdict).toMatchObject({ reason: "NodeNotReady", certainty: "high" });
    expect(verdict?.sentence).toMatch(/was to be gone by .* a, which has to end it, is NotReady/);
    expect(diagnoseHeldPod(pod, fleet, NOW, () => undefined)).toMatchObject({ reason: "NodeNotReady" });
  });

  it("and whose processes the kubelet cannot end", () => {
    const pod = leaving(60);
    const event = anEvent({ about: aboutStuck, reason: "FailedKillPod", message: "error killing pod" });
    const fleet = aFleet({ nodes: [aNode({ name: "a" })], pods: [pod], events: [event] });
    expect(diagnose(fleet, NOW).find(({ name }) => name === "stuck")).toMatchObject({
      reason: "GpuLostAtRuntime",
      certainty: "low",
    });
  });

  it.each([
    ["is within its time", at(leaving(2), "False")],
    ["is on a node that answers, held by a finalizer", at(leaving(60), "True")],
    [
      "has been replaced",
      at(leaving(60), "False", [
        aPod({ name: "next", owner: set, createdAt: NOW - 50 * MINUTE, nodeName: "a" }),
      ]),
    ],
  ])("and %s", (_, fleet) => {
    expect(diagnose(fleet, NOW).filter(({ name }) => name === "stuck")).toEqual([]);
  });
});
