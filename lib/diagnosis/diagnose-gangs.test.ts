import { describe, expect, it } from "vitest";
import type { ContainerRecord, PodRecord } from "../model/kubernetes.ts";
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

const ready = { conditions: [aConditionAgo("Ready", "True")] };
const LOST = "Failed to initialize NVML: Unknown Error";
const OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.45 GiB.";
const ABORT =
  "[E ProcessGroupNCCL.cpp:607] [Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3)";
const job = { owner: { kind: "Job", name: "train", uid: "job-1" } };
const peer = (name: string, container: Partial<ContainerRecord> = {}): PodRecord =>
  aPod({ name, nodeName: "b", containers: [aContainer(container)], ...job, ...ready });

const killedEarlier = {
  ...crashing(137, 30, "OOMKilled"),
  lastTermination: aRun(137, 30, "OOMKilled", 3 * MINUTE),
};
const GANGS: readonly RuntimeCase[] = [
  {
    title: "a collective that timed out, no rank known to be first",
    pod: aStuckPod({}, { ...job, ...ready }),
    log: ABORT,
    others: [[peer("w-1"), undefined]],
    reason: "NcclTimeout",
    says: /all 2 pods of its job/,
  },
  {
    title: "a collective lost since another rank ran out of memory",
    pod: aStuckPod(crashing(), job),
    log: ABORT,
    others: [
      [
        peer("w-1", {
          ...crashing(137, 30, "OOMKilled"),
          lastTermination: aRun(137, 30, "OOMKilled", 3 * MINUTE),
        }),
        undefined,
      ],
    ],
    reason: "HostOutOfMemory",
    says: /since w-1 on b, one of 2 pods of its job, failed first/,
  },
  {
    title: "a collective lost since another rank lost its GPU",
    pod: aStuckPod(crashing(), job),
    log: ABORT,
    others: [[peer("w-1"), LOST]],
    reason: "GpuLostAtRuntime",
  },
  {
    title: "a rendezvous that waits for a pod without a node",
    pod: aStuckPod(crashing(), job),
    log: "torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 1/2 clients joined.",
    others: [[aPod({ name: "w-1", ...job }), undefined]],
    reason: "GangIncomplete",
  },
  {
    title: "a rank that only waits",
    pod: aStuckPod({}, { ...job, ...ready }),
    log: "2026-12-01 11:06:56 step 48212 | loss 2.319",
    others: [[peer("w-1"), ABORT]],
    reason: "NcclTimeout",
    says: /has said nothing since 11:06 UTC, since w-1/,
  },
  {
    title: "a rank that works",
    pod: aStuckPod({}, { ...job, ...ready }),
    log: "2026-12-01 11:59:56 step 48212 | loss 2.319",
    others: [[peer("w-1"), ABORT]],
    reason: undefined,
  },
  {
    title: "its own cause, whatever another rank says",
    pod: aStuckPod(crashing(), job),
    log: OOM,
    others: [[peer("w-1"), ABORT]],
    reason: "CudaOutOfMemory",
  },
  {
    title: "no log, and a pod of the same training job that ran out of memory",
    pod: aStuckPod(crashing(), { owner: { kind: "PyTorchJob", name: "train", uid: "pt" } }),
    others: [
      [{ ...peer("w-1", killedEarlier), owner: { kind: "PyTorchJob", name: "train", uid: "pt" } }, undefined],
    ],
    reason: "HostOutOfMemory",
  },
  {
    title: "no log, and a pod of the same plain Job that ran out of memory",
    pod: aStuckPod(crashing(), job),
    others: [[peer("w-1", killedEarlier), undefined]],
    reason: "CrashLoop",
  },
  {
    title: "an error of its own while another pod of its job has no node",
    pod: aStuckPod(crashing(), job),
    log: "KeyError: 'vocab'",
    others: [[aPod({ name: "w-1", ...job }), undefined]],
    reason: "CrashLoop",
  },
  {
    title: "a collective lost in this try, memory in an earlier one",
    pod: aStuckPod(crashing(), { ...job, createdAt: NOW - 2 * MINUTE }),
    log: ABORT,
    others: [[peer("w-1", killedEarlier), undefined]],
    reason: "NcclTimeout",
  },
  {
    title: "replicas that serve each for itself",
    pod: aStuckPod(crashing(), { owner: { kind: "ReplicaSet", name: "s", uid: "rs" } }),
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

describe.each<[string, readonly RuntimeCase[]]>([["gangs", GANGS]])(
  "a pod that a node has: %s",
  (_, cases) => {
    it.each(cases)("$title: $reason", (one) => {
      const { reason, certainty, says } = one;
      const verdict = verdictOn(one);
      if (reason === undefined) expect(verdict).toBeUndefined();
      else expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty && { certainty }) });
      if (says) expect(verdict?.sentence).toMatch(says);
    });
  },
);
