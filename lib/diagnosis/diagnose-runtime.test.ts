import { describe, expect, it } from "vitest";
import { layerOf } from "../model/reasons.ts";
import { aContainer, aPod, NOW } from "../testing/builders.ts";
import {
  aConditionAgo,
  aRun,
  aStuckPod,
  crashing,
  MINUTE,
  type RuntimeCase,
  verdictOn,
} from "../testing/runtime-cases.ts";

const aboutNode = { kind: "Node", namespace: "", name: "a", uid: "" };
const ready = { conditions: [aConditionAgo("Ready", "True")] };
const unready = { conditions: [aConditionAgo("Ready", "False")] };
const LOST = "Failed to initialize NVML: Unknown Error";
const CHANGED = "Failed to initialize NVML: Driver/library version mismatch";
const SHM = "RuntimeError: unable to write to file </torch_18692_1954506624>: No space left on device (28)";
const OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.45 GiB.";
const ABORT =
  "[E ProcessGroupNCCL.cpp:607] [Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3)";
const DENIED = "OSError: You are trying to access a gated repo.";
const PROGRESS = ["step 1 loss 2.1", "step 2 loss 2.0", "step 3 loss 1.9", "step 4 loss 1.8"].join("\n");

const GPUS: readonly RuntimeCase[] = [
  {
    title: "a GPU lost under a pod that is Ready",
    pod: aStuckPod({}, ready),
    log: LOST,
    reason: "GpuLostAtRuntime",
    certainty: "medium",
  },
  {
    title: "GPUs lost by several pods of a node",
    pod: aStuckPod({}, ready),
    log: LOST,
    others: [[aPod({ name: "other", nodeName: "a" }), LOST]],
    reason: "GpuLostAtRuntime",
    certainty: "high",
    says: /and so has other on the same node/,
  },
  {
    title: "a GPU lost on a node whose monitor says so",
    pod: aStuckPod({}, ready),
    log: LOST,
    nodeConditions: [aConditionAgo("XIDErrors", "True", "Xid79")],
    reason: "GpuLostAtRuntime",
    certainty: "high",
  },
  {
    title: "a crash without a log on a node with a broken GPU",
    pod: aStuckPod(crashing()),
    nodeConditions: [aConditionAgo("AcceleratedHardwareReady", "False", "NvidiaXID79Error")],
    reason: "GpuLostAtRuntime",
    certainty: "medium",
  },
  {
    title: "a crash without a log on a node with a fatal Xid among its events",
    pod: aStuckPod(crashing()),
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
    pod: aStuckPod(crashing()),
    nodeConditions: [aConditionAgo("AcceleratedHardwareReady", "True"), aConditionAgo("GPUMissing", "False")],
    reason: "CrashLoop",
  },
  {
    title: "a crash with a cause of its own on such a node",
    pod: aStuckPod(crashing()),
    log: OOM,
    nodeConditions: [aConditionAgo("XIDErrors", "True")],
    reason: "CudaOutOfMemory",
  },
  {
    title: "an error that it has got over",
    pod: aStuckPod({}, ready),
    log: `${LOST}\n${PROGRESS}`,
    reason: undefined,
  },
  {
    title: "an image that sees no GPU, which may be its own doing",
    pod: aStuckPod(crashing()),
    log: "RuntimeError: No CUDA GPUs are available",
    reason: "GpuLostAtRuntime",
    certainty: "low",
  },
  {
    title: "libraries in the image that do not go with the driver, where another image works",
    pod: aStuckPod(crashing()),
    log: CHANGED,
    others: [
      [aPod({ name: "other", nodeName: "a", containers: [aContainer({ image: "other:1" })] }), undefined],
    ],
    reason: "ImageDriverMismatch",
  },
  {
    title: "the node's own libraries that do not go with its driver",
    pod: aStuckPod(crashing()),
    log: CHANGED,
    reason: "GpuLostAtRuntime",
    certainty: "medium",
  },
  {
    title: "a driver that was changed under a pod that runs on, as others do",
    pod: aStuckPod({}, ready),
    log: CHANGED,
    others: [
      [aPod({ name: "other", nodeName: "a", containers: [aContainer({ image: "other:1" })] }), undefined],
    ],
    reason: "GpuLostAtRuntime",
  },
  {
    title: "a driver that was changed under all pods of a node",
    pod: aStuckPod(crashing()),
    log: CHANGED,
    others: [[aPod({ name: "other", nodeName: "a" }), CHANGED]],
    reason: "GpuLostAtRuntime",
  },
];

const LOGS: readonly RuntimeCase[] = [
  {
    title: "GPU memory",
    pod: aStuckPod(crashing()),
    log: `${OOM}\n${ABORT}`,
    reason: "CudaOutOfMemory",
    certainty: "high",
  },
  {
    title: "shared memory, nothing on /dev/shm",
    pod: aStuckPod(crashing()),
    log: SHM,
    reason: "SharedMemoryTooSmall",
    says: /leaves 64 MiB/,
  },
  {
    title: "shared memory, a volume on /dev/shm",
    pod: aStuckPod(crashing(), { hasSharedMemoryVolume: true }),
    log: SHM,
    reason: "SharedMemoryTooSmall",
    says: /volume on its \/dev\/shm is too small/,
  },
  {
    title: "a bus error without a log",
    pod: aStuckPod(crashing(135)),
    reason: "SharedMemoryTooSmall",
    certainty: "medium",
  },
  {
    title: "a bus error with a volume on /dev/shm",
    pod: aStuckPod(crashing(135), { hasSharedMemoryVolume: true }),
    reason: "CrashLoop",
    says: /bus error, SIGBUS/,
  },
  { title: "a gated model", pod: aStuckPod(crashing()), log: DENIED, reason: "ModelAccessDenied" },
  {
    title: "a gated model asked for again and again",
    pod: aStuckPod({ ready: false }, unready),
    log: DENIED,
    reason: "ModelAccessDenied",
    certainty: "medium",
  },
  {
    title: "one request refused by a server that is Ready",
    pod: aStuckPod({}, ready),
    log: DENIED,
    reason: undefined,
  },
  {
    title: "one request too large for a server that is Ready",
    pod: aStuckPod({}, ready),
    log: OOM,
    reason: undefined,
  },
  {
    title: "a loss that is no number, while it trains on",
    pod: aStuckPod({}, ready),
    log: "step 1 loss nan\nstep 2 loss nan\nstep 3 loss nan",
    reason: "LossDiverged",
  },
  {
    title: "a kill that only the shell words",
    pod: aStuckPod(crashing(137)),
    log: "train.sh: line 3:  27 Killed  python train.py",
    reason: "HostOutOfMemory",
    certainty: "medium",
  },
  {
    title: "a kill that nobody words",
    pod: aStuckPod(crashing(137)),
    reason: "HostOutOfMemory",
    certainty: "low",
  },
  {
    title: "a kill that the node's kernel words",
    pod: aStuckPod(crashing(137)),
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
    pod: aStuckPod(crashing()),
    log: "loading\nKeyError: 'vocab'\ncleaning up",
    reason: "CrashLoop",
    says: /KeyError: 'vocab'/,
  },
  {
    title: "a program that ends well again and again",
    pod: aStuckPod(crashing(0, 3, "Completed")),
    reason: "CrashLoop",
    says: /keeps ending, though nothing fails/,
  },
  {
    title: "a log of the run before, long ago",
    pod: aStuckPod({ restarts: 1, lastTermination: aRun(1, 60, "Error", 60 * MINUTE) }, ready),
    log: LOST,
    reason: undefined,
  },
];

describe.each<[string, readonly RuntimeCase[]]>([
  ["GPUs", GPUS],
  ["logs", LOGS],
])("a pod that a node has: %s", (_, cases) => {
  it.each(cases)("$title: $reason", (one) => {
    const { reason, certainty, says } = one;
    const verdict = verdictOn(one);
    if (reason === undefined) expect(verdict).toBeUndefined();
    else expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty && { certainty }) });
    if (says) expect(verdict?.sentence).toMatch(says);
  });
});
