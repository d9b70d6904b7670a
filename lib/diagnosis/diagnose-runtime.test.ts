import { describe, expect, it } from "vitest";
import type { ContainerRecord, PodRecord } from "../model/kubernetes.ts";
import { layerOf, type Reason } from "../model/reasons.ts";
import { aContainer, aNode, anEvent, aPod, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { diagnose } from "./diagnose.ts";
import type { Certainty } from "./verdict.ts";

const MINUTE = 60_000;
const aboutPod = { kind: "Pod", namespace: "ml", name: "stuck", uid: "" };
const aboutNode = { kind: "Node", namespace: "", name: "a", uid: "" };
const condition = (type: string, status: "True" | "False", reason = "", ago = 20 * MINUTE) => ({
  type,
  status,
  reason,
  message: "",
  lastTransitionTime: NOW - ago,
});
const ready = { conditions: [condition("Ready", "True")] };
const unready = { conditions: [condition("Ready", "False")] };
const run = (exitCode: number, seconds: number, reason = "Error", ago = MINUTE) => ({
  exitCode,
  reason,
  message: "",
  startedAt: NOW - ago - seconds * 1000,
  finishedAt: NOW - ago,
});
const crashing = (exitCode = 1, seconds = 30, reason = "Error"): Partial<ContainerRecord> => ({
  ready: false,
  restarts: 6,
  state: { kind: "waiting", reason: "CrashLoopBackOff", message: "back-off 5m0s" },
  lastTermination: run(exitCode, seconds, reason),
});
const cannotStart = (reason: string, message: string): Partial<ContainerRecord> => ({
  ready: false,
  state: { kind: "waiting", reason, message },
});
const stuck = (
  container: Partial<ContainerRecord> = {},
  overrides: Parameters<typeof aPod>[0] = {},
): PodRecord => aPod({ name: "stuck", nodeName: "a", containers: [aContainer(container)], ...overrides });

const LOST = "Failed to initialize NVML: Unknown Error";
const SHM = "RuntimeError: unable to write to file </torch_18692_1954506624>: No space left on device (28)";
const OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.45 GiB.";
const ABORT =
  "[E ProcessGroupNCCL.cpp:607] [Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3)";
const DENIED = "OSError: You are trying to access a gated repo.";
const PROGRESS = ["step 1 loss 2.1", "step 2 loss 2.0", "step 3 loss 1.9", "step 4 loss 1.8"].join("\n");
const liveness = { livenessProbe: { initialDelaySeconds: 90, periodSeconds: 5, failureThreshold: 3 } };
const killing = {
  about: aboutPod,
  reason: "Killing",
  type: "Normal" as const,
  message: "Container main failed liveness probe, will be restarted",
};

interface Case {
  readonly title: string;
  readonly reason: Reason | undefined;
  readonly pod: PodRecord;
  readonly log?: string;
  readonly certainty?: Certainty;
  readonly says?: RegExp;
  readonly others?: readonly (readonly [pod: PodRecord, log: string | undefined])[];
  readonly nodeConditions?: readonly ReturnType<typeof condition>[];
  readonly events?: readonly Parameters<typeof anEvent>[0][];
}

const job = { owner: { kind: "Job", name: "train", uid: "job-1" } };
const peer = (name: string, container: Partial<ContainerRecord> = {}): PodRecord =>
  aPod({ name, nodeName: "b", containers: [aContainer(container)], ...job, ...ready });

const GPUS: readonly Case[] = [
  {
    title: "a GPU lost under a pod that is Ready",
    pod: stuck({}, ready),
    log: LOST,
    reason: "GpuLostAtRuntime",
    certainty: "medium",
  },
  {
    title: "GPUs lost by several pods of a node",
    pod: stuck({}, ready),
    log: LOST,
    others: [[aPod({ name: "other", nodeName: "a" }), LOST]],
    reason: "GpuLostAtRuntime",
    certainty: "high",
    says: /and so has other on the same node/,
  },
  {
    title: "a GPU lost on a node whose monitor says so",
    pod: stuck({}, ready),
    log: LOST,
    nodeConditions: [condition("XIDErrors", "True", "Xid79")],
    reason: "GpuLostAtRuntime",
    certainty: "high",
  },
  {
    title: "a crash without a log on a node with a broken GPU",
    pod: stuck(crashing()),
    nodeConditions: [condition("AcceleratedHardwareReady", "False", "NvidiaXID79Error")],
    reason: "GpuLostAtRuntime",
    certainty: "medium",
  },
  {
    title: "a crash without a log on a node with a fatal Xid among its events",
    pod: stuck(crashing()),
    events: [
      {
        about: aboutNode,
        reason: "GPUXid",
        message: "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.",
      },
    ],
    reason: "GpuLostAtRuntime",
  },
  {
    title: "a crash on a node whose monitor is content",
    pod: stuck(crashing()),
    nodeConditions: [condition("AcceleratedHardwareReady", "True"), condition("GPUMissing", "False")],
    reason: "CrashLoop",
  },
  {
    title: "a crash with a cause of its own on such a node",
    pod: stuck(crashing()),
    log: OOM,
    nodeConditions: [condition("XIDErrors", "True")],
    reason: "CudaOutOfMemory",
  },
  {
    title: "an error that it has got over",
    pod: stuck({}, ready),
    log: `${LOST}\n${PROGRESS}`,
    reason: undefined,
  },
  {
    title: "an image that sees no GPU, which may be its own doing",
    pod: stuck(crashing()),
    log: "RuntimeError: No CUDA GPUs are available",
    reason: "GpuLostAtRuntime",
    certainty: "low",
  },
  {
    title: "a driver that does not go with the image",
    pod: stuck(crashing()),
    log: "Failed to initialize NVML: Driver/library version mismatch",
    reason: "ImageDriverMismatch",
  },
  {
    title: "a driver that was changed under all pods of a node",
    pod: stuck(crashing()),
    log: "Failed to initialize NVML: Driver/library version mismatch",
    others: [
      [aPod({ name: "other", nodeName: "a" }), "Failed to initialize NVML: Driver/library version mismatch"],
    ],
    reason: "GpuLostAtRuntime",
  },
];

const LOGS: readonly Case[] = [
  {
    title: "GPU memory",
    pod: stuck(crashing()),
    log: `${OOM}\n${ABORT}`,
    reason: "CudaOutOfMemory",
    certainty: "high",
  },
  {
    title: "shared memory, nothing on /dev/shm",
    pod: stuck(crashing()),
    log: SHM,
    reason: "SharedMemoryTooSmall",
    says: /leaves 64 MiB/,
  },
  {
    title: "shared memory, a volume on /dev/shm",
    pod: stuck(crashing(), { hasSharedMemoryVolume: true }),
    log: SHM,
    reason: "SharedMemoryTooSmall",
    says: /volume on its \/dev\/shm is too small/,
  },
  {
    title: "a bus error without a log",
    pod: stuck(crashing(135)),
    reason: "SharedMemoryTooSmall",
    certainty: "medium",
  },
  {
    title: "a bus error with a volume on /dev/shm",
    pod: stuck(crashing(135), { hasSharedMemoryVolume: true }),
    reason: "CrashLoop",
    says: /bus error, SIGBUS/,
  },
  { title: "a gated model", pod: stuck(crashing()), log: DENIED, reason: "ModelAccessDenied" },
  {
    title: "a gated model asked for again and again",
    pod: stuck({ ready: false }, unready),
    log: DENIED,
    reason: "ModelAccessDenied",
    certainty: "medium",
  },
  {
    title: "one request refused by a server that is Ready",
    pod: stuck({}, ready),
    log: DENIED,
    reason: undefined,
  },
  {
    title: "one request too large for a server that is Ready",
    pod: stuck({}, ready),
    log: OOM,
    reason: undefined,
  },
  {
    title: "a loss that is no number, while it trains on",
    pod: stuck({}, ready),
    log: "step 1 loss nan\nstep 2 loss nan\nstep 3 loss nan",
    reason: "LossDiverged",
  },
  {
    title: "a kill that only the shell words",
    pod: stuck(crashing(137)),
    log: "train.sh: line 3:  27 Killed  python train.py",
    reason: "HostOutOfMemory",
    certainty: "medium",
  },
  {
    title: "a kill that nobody words",
    pod: stuck(crashing(137)),
    reason: "HostOutOfMemory",
    certainty: "low",
  },
  {
    title: "a kill that the node's kernel words",
    pod: stuck(crashing(137)),
    events: [
      {
        about: aboutNode,
        reason: "OOMKilling",
        message: "Memory cgroup out of memory: Killed process 91",
        lastAt: NOW - MINUTE,
      },
    ],
    reason: "HostOutOfMemory",
    certainty: "medium",
  },
  {
    title: "a crash whose log names no cause",
    pod: stuck(crashing()),
    log: "loading\nKeyError: 'vocab'\ncleaning up",
    reason: "CrashLoop",
    says: /KeyError: 'vocab'/,
  },
  {
    title: "a program that ends well again and again",
    pod: stuck(crashing(0, 3, "Completed")),
    reason: "CrashLoop",
    says: /keeps ending, though nothing fails/,
  },
  {
    title: "a log of the run before, long ago",
    pod: stuck({ restarts: 1, lastTermination: run(1, 60, "Error", 60 * MINUTE) }, ready),
    log: LOST,
    reason: undefined,
  },
];

const killedEarlier = {
  ...crashing(137, 30, "OOMKilled"),
  lastTermination: run(137, 30, "OOMKilled", 3 * MINUTE),
};
const GANGS: readonly Case[] = [
  {
    title: "a collective that timed out, no rank known to be first",
    pod: stuck({}, { ...job, ...ready }),
    log: ABORT,
    others: [[peer("w-1"), undefined]],
    reason: "NcclTimeout",
    says: /all 2 pods of its job/,
  },
  {
    title: "a collective lost since another rank ran out of memory",
    pod: stuck(crashing(), job),
    log: ABORT,
    others: [
      [
        peer("w-1", {
          ...crashing(137, 30, "OOMKilled"),
          lastTermination: run(137, 30, "OOMKilled", 3 * MINUTE),
        }),
        undefined,
      ],
    ],
    reason: "HostOutOfMemory",
    says: /since w-1 on b, one of 2 pods of its job, failed first/,
  },
  {
    title: "a collective lost since another rank lost its GPU",
    pod: stuck(crashing(), job),
    log: ABORT,
    others: [[peer("w-1"), LOST]],
    reason: "GpuLostAtRuntime",
  },
  {
    title: "a rendezvous that waits for a pod without a node",
    pod: stuck(crashing(), job),
    log: "torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 1/2 clients joined.",
    others: [[aPod({ name: "w-1", ...job }), undefined]],
    reason: "GangIncomplete",
  },
  {
    title: "a rank that only waits",
    pod: stuck({}, { ...job, ...ready }),
    log: "2026-12-01 11:06:56 step 48212 | loss 2.319",
    others: [[peer("w-1"), ABORT]],
    reason: "NcclTimeout",
    says: /has said nothing since 11:06 UTC, since w-1/,
  },
  {
    title: "a rank that works",
    pod: stuck({}, { ...job, ...ready }),
    log: "2026-12-01 11:59:56 step 48212 | loss 2.319",
    others: [[peer("w-1"), ABORT]],
    reason: undefined,
  },
  {
    title: "its own cause, whatever another rank says",
    pod: stuck(crashing(), job),
    log: OOM,
    others: [[peer("w-1"), ABORT]],
    reason: "CudaOutOfMemory",
  },
  {
    title: "no log, and a pod of the same training job that ran out of memory",
    pod: stuck(crashing(), { owner: { kind: "PyTorchJob", name: "train", uid: "pt" } }),
    others: [
      [{ ...peer("w-1", killedEarlier), owner: { kind: "PyTorchJob", name: "train", uid: "pt" } }, undefined],
    ],
    reason: "HostOutOfMemory",
  },
  {
    title: "no log, and a pod of the same plain Job that ran out of memory",
    pod: stuck(crashing(), job),
    others: [[peer("w-1", killedEarlier), undefined]],
    reason: "CrashLoop",
  },
  {
    title: "an error of its own while another pod of its job has no node",
    pod: stuck(crashing(), job),
    log: "KeyError: 'vocab'",
    others: [[aPod({ name: "w-1", ...job }), undefined]],
    reason: "CrashLoop",
  },
  {
    title: "a collective lost in this try, memory in an earlier one",
    pod: stuck(crashing(), { ...job, createdAt: NOW - 2 * MINUTE }),
    log: ABORT,
    others: [[peer("w-1", killedEarlier), undefined]],
    reason: "NcclTimeout",
  },
  {
    title: "replicas that serve each for itself",
    pod: stuck(crashing(), { owner: { kind: "ReplicaSet", name: "s", uid: "rs" } }),
    others: [
      [
        aPod({
          name: "w-1",
          nodeName: "b",
          owner: { kind: "ReplicaSet", name: "s", uid: "rs" },
          containers: [aContainer(crashing(137, 30, "OOMKilled"))],
        }),
        undefined,
      ],
    ],
    reason: "CrashLoop",
  },
];

const PROBES: readonly Case[] = [
  {
    title: "killed as soon as the probe allows",
    pod: stuck({ ...crashing(137, 132), ...liveness }),
    events: [killing],
    reason: "ProbeKillsSlowStart",
    certainty: "high",
    says: /which allows 105 s, and was killed after 132 s/,
  },
  {
    title: "ended well on the order of the kubelet",
    pod: stuck({ ...crashing(0, 108, "Completed"), ...liveness }),
    events: [killing],
    reason: "ProbeKillsSlowStart",
  },
  {
    title: "no event left, a signal just when the probe would",
    pod: stuck({ ...crashing(143, 107), ...liveness }),
    reason: "ProbeKillsSlowStart",
    certainty: "medium",
  },
  {
    title: "killed by its startup probe",
    pod: stuck({
      ...crashing(137, 620),
      startupProbe: { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 60 },
    }),
    events: [{ ...killing, message: "Container main failed startup probe, will be restarted" }],
    reason: "ProbeKillsSlowStart",
    says: /fails the startup probe, which allows 600 s/,
  },
  {
    title: "ended with an error of its own on the order of the kubelet",
    pod: stuck({ ...crashing(1, 108), ...liveness }),
    events: [killing],
    log: "KeyboardInterrupt: terminated",
    reason: "ProbeKillsSlowStart",
  },
  {
    title: "crashing by itself before a probe may kill it",
    pod: stuck({ ...crashing(1, 20), ...liveness }),
    events: [killing],
    reason: "CrashLoop",
  },
  {
    title: "started, and killed by its liveness probe later",
    pod: stuck({
      ...crashing(137, 700),
      ...liveness,
      startupProbe: { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 60 },
    }),
    events: [killing],
    reason: "Hung",
  },
  {
    title: "killed after hours of work",
    pod: stuck({ ...crashing(137, 20_000), ...liveness }),
    events: [killing],
    reason: "Hung",
  },
  {
    title: "an out-of-memory kill of a container with probes",
    pod: stuck({ ...crashing(137, 110, "OOMKilled"), ...liveness }),
    reason: "HostOutOfMemory",
  },
  {
    title: "a kill at another time",
    pod: stuck({ ...crashing(137, 12), ...liveness }),
    reason: "HostOutOfMemory",
    certainty: "low",
  },
  {
    title: "a kill that it has got over",
    pod: stuck({ restarts: 1, lastTermination: run(137, 120, "Error", 40 * MINUTE), ...liveness }, ready),
    events: [killing],
    reason: undefined,
  },
  {
    title: "never Ready",
    pod: stuck(
      { ready: false, state: { kind: "running", startedAt: NOW - 90 * MINUTE } },
      { conditions: [condition("Ready", "False", "ContainersNotReady", 90 * MINUTE)] },
    ),
    reason: "Hung",
    certainty: "low",
  },
  {
    title: "not Ready within the time that a load takes",
    pod: stuck({ ready: false, state: { kind: "running", startedAt: NOW - 15 * MINUTE } }, unready),
    reason: undefined,
  },
];

const pull = (message: string): Case["pod"] => stuck(cannotStart("ImagePullBackOff", message));
const STARTS: readonly Case[] = [
  {
    title: "no such tag",
    pod: pull('rpc error: code = NotFound desc = failed to pull and unpack image "x:9": x:9: not found'),
    reason: "ImagePullFailed",
    says: /no such image or tag/,
  },
  {
    title: "no access",
    pod: pull(
      "pull access denied, repository does not exist or may require authorization: server message: insufficient_scope",
    ),
    reason: "ImagePullFailed",
    says: /refuses access/,
  },
  {
    title: "a rate limit",
    pod: pull("429 Too Many Requests - toomanyrequests: You have reached your pull rate limit"),
    reason: "ImagePullFailed",
    certainty: "medium",
  },
  {
    title: "a timeout",
    pod: pull('Head "https://nvcr.io/v2/": dial tcp 10.0.0.1:443: i/o timeout'),
    reason: "ImagePullFailed",
    certainty: "medium",
    says: /does not answer/,
  },
  {
    title: "another architecture",
    pod: pull("no match for platform in manifest: not found"),
    reason: "ImagePullFailed",
    says: /architecture/,
  },
  {
    title: "a secret",
    pod: stuck(cannotStart("CreateContainerConfigError", 'secret "hf-token" not found')),
    reason: "ContainerConfigError",
    says: /a secret that it uses does not exist/,
  },
  {
    title: "a key",
    pod: stuck(cannotStart("CreateContainerConfigError", "couldn't find key token in Secret ml/hf")),
    reason: "ContainerConfigError",
    says: /a key that it uses/,
  },
  {
    title: "root",
    pod: stuck(
      cannotStart("CreateContainerConfigError", "container has runAsNonRoot and image will run as root"),
    ),
    reason: "ContainerConfigError",
    says: /would run as root/,
  },
  {
    title: "a command",
    pod: stuck(
      cannotStart(
        "RunContainerError",
        'failed to create containerd task: exec: "serve": executable file not found in $PATH',
      ),
    ),
    reason: "ContainerConfigError",
    says: /its command is not in the image/,
  },
  {
    title: "a device that is gone",
    pod: stuck(
      cannotStart(
        "RunContainerError",
        "failed to create containerd task: nvidia-container-cli: device error: GPU-6a2c: unknown device: unknown",
      ),
    ),
    reason: "DeviceNotReadyAtAdmission",
  },
  {
    title: "a CDI device that is not there",
    pod: stuck(
      cannotStart(
        "CreateContainerError",
        "failed to inject CDI devices: unresolvable CDI devices nvidia.com/gpu=0",
      ),
    ),
    reason: "DeviceNotReadyAtAdmission",
  },
  {
    title: "a runtime that is not installed",
    pod: stuck(
      cannotStart(
        "RunContainerError",
        'exec: "nvidia-container-runtime": executable file not found in $PATH',
      ),
    ),
    reason: "DeviceNotReadyAtAdmission",
  },
  {
    title: "an image that needs a newer driver",
    pod: stuck({
      ...crashing(128, 0, "StartError"),
      lastTermination: {
        ...run(128, 0, "StartError"),
        message:
          "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.9, please update your driver to a newer version",
      },
    }),
    reason: "ImageDriverMismatch",
  },
];

describe.each<[string, readonly Case[]]>([
  ["GPUs", GPUS],
  ["logs", LOGS],
  ["gangs", GANGS],
  ["probes", PROBES],
  ["starts", STARTS],
])("a pod that a node has: %s", (_, cases) => {
  it.each(cases)(
    "$title: $reason",
    ({ pod, log, others = [], nodeConditions = [], events = [], ...expected }) => {
      const conditions = [condition("Ready", "True"), ...nodeConditions];
      const fleet = aFleet({
        nodes: [aNode({ name: "a", conditions }), aNode({ name: "b" })],
        pods: [pod, ...others.map(([other]) => other)],
        events: events.map((event) => anEvent(event)),
      });
      const logs = new Map([["stuck", log], ...others.map(([{ name }, text]) => [name, text] as const)]);
      const verdict = diagnose(fleet, NOW, (_namespace, name) => logs.get(name)).find(
        ({ name }) => name === "stuck",
      );
      const { reason, certainty, says } = expected;
      if (reason === undefined) expect(verdict).toBeUndefined();
      else expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty && { certainty }) });
      if (says) expect(verdict?.sentence).toMatch(says);
    },
  );
});
