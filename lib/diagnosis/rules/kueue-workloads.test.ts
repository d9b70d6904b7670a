import { describe, expect, it } from "vitest";
import { buildFleet } from "../../layers/build-fleet.ts";
import { type Facts, NO_FACTS } from "../../model/facts/facts.ts";
import type { ClusterQueueRecord, LocalQueueRecord, WorkloadRecord } from "../../model/facts/kueue.ts";
import { aNode, anEvent, aPod, aSnapshot, NOW } from "../../testing/builders.ts";
import {
  aClusterQueue,
  aCondition,
  aFlavor,
  aLocalQueue,
  aPodSet,
  aWorkload,
} from "../../testing/queue-builders.ts";
import { diagnose } from "../diagnose.ts";
import type { Verdict } from "../verdict.ts";

interface Parts {
  readonly workloads: readonly WorkloadRecord[];
  readonly queues?: readonly ClusterQueueRecord[];
  readonly locals?: readonly LocalQueueRecord[];
  readonly facts?: Partial<Facts>;
  readonly snapshot?: Parameters<typeof aSnapshot>[0];
}

function verdictsOf({ workloads, queues, locals, facts, snapshot }: Parts): readonly Verdict[] {
  const known = <T>(items: readonly T[]) => ({ known: true, items });
  const all: Facts = {
    ...NO_FACTS,
    workloads: known(workloads),
    clusterQueues: known(queues ?? [aClusterQueue({ h100: { nominal: 16, used: 16 } })]),
    localQueues: known(locals ?? [aLocalQueue()]),
    ...facts,
  };
  return diagnose(buildFleet(aSnapshot({ nodes: [aNode()], ...snapshot, facts: all }), NOW), NOW);
}

/** The verdict on the workload `job`. */
function verdictOf(
  workload: WorkloadRecord,
  parts: Omit<Parts, "workloads"> & { more?: WorkloadRecord[] } = {},
) {
  const { more = [], ...rest } = parts;
  return verdictsOf({ ...rest, workloads: [workload, ...more] }).find(({ name }) => name === workload.name);
}

const job = (overrides: Parameters<typeof aWorkload>[0] = {}) => aWorkload({ name: "job", ...overrides });
const holding = (overrides: Parameters<typeof aWorkload>[0] = {}) =>
  aWorkload({
    name: "holder",
    clusterQueue: "cq",
    assignments: [
      {
        name: "main",
        count: 2,
        flavors: { "nvidia.com/gpu": "h100" },
        usage: { "nvidia.com/gpu": 16 },
        domains: [],
      },
    ],
    conditions: [aCondition({ type: "QuotaReserved" }), aCondition({ type: "Admitted" })],
    ...overrides,
  });

const UNUSED =
  "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor h100, 8 more needed";

describe("a workload that its queue does not admit", () => {
  it("waits for quota that another holds, and names it", () => {
    expect(verdictOf(job({ says: UNUSED }), { more: [holding()] })).toMatchObject({
      kind: "Workload",
      layer: "L3",
      reason: "QueueQuotaExhausted",
      certainty: "high",
      gpus: 8,
      sentence:
        "job needs 8 GPUs, and ClusterQueue cq has 0 GPUs left of 16 in h100; ml/holder (16) holds it.",
    });
  });

  it.each([
    [
      "one pod set above nominal quota",
      { podSets: [aPodSet({ count: 4 })] },
      { h100: { nominal: 16, used: 0 } },
      "QueueRequestTooLarge",
    ],
    [
      "as large as the quota",
      { podSets: [aPodSet({ count: 2 })] },
      { h100: { nominal: 16, used: 8 } },
      "QueueQuotaExhausted",
    ],
    [
      "two pod sets that no two flavors hold",
      { podSets: [aPodSet({ name: "a", count: 2 }), aPodSet({ name: "b", count: 2 })] },
      { one: { nominal: 16 }, two: { nominal: 8 } },
      "QueueRequestTooLarge",
    ],
    [
      "two pod sets that two flavors hold, but not now",
      { podSets: [aPodSet({ name: "a", count: 2 }), aPodSet({ name: "b", count: 1 })] },
      { one: { nominal: 16, used: 16 }, two: { nominal: 8 } },
      "QueueQuotaExhausted",
    ],
    [
      "may start with fewer pods",
      { podSets: [aPodSet({ count: 4, minCount: 2 })] },
      { h100: { nominal: 16, used: 16 } },
      "QueueQuotaExhausted",
    ],
    [
      "AMD GPUs",
      { podSets: [aPodSet({ gpuResource: "amd.com/gpu" })] },
      { mi300: { nominal: 4, resource: "amd.com/gpu" } },
      "QueueRequestTooLarge",
    ],
    [
      "MIG devices",
      { podSets: [aPodSet({ gpus: 2, gpuResource: "nvidia.com/mig-1g.10gb" })] },
      { mig: { nominal: 7, used: 6, resource: "nvidia.com/mig-1g.10gb" } },
      "QueueQuotaExhausted",
    ],
    [
      "a resource that the queue does not cover",
      { podSets: [aPodSet({ gpuResource: "amd.com/gpu" })] },
      { h100: { nominal: 64 } },
      "QueueRequestTooLarge",
    ],
  ])("%s", (_, workload, flavors, reason) => {
    const verdict = verdictOf(job(workload), { queues: [aClusterQueue(flavors)] });
    expect(verdict).toMatchObject({ reason, certainty: "medium" });
  });

  it.each([
    ["may borrow what the cohort has", { nominal: 8 }, { nominal: 16, used: 8 }, "SchedulerDelay"],
    ["may borrow, but the others use it", { nominal: 8 }, { nominal: 16, used: 16 }, "QueueQuotaExhausted"],
    ["may not borrow so much", { nominal: 8, borrowingLimit: 4 }, { nominal: 16 }, "QueueRequestTooLarge"],
    ["the others do not lend", { nominal: 8 }, { nominal: 16, lendingLimit: 4 }, "QueueRequestTooLarge"],
    ["its own quota is lent", { nominal: 16 }, { nominal: 8, used: 24 }, "QueueQuotaExhausted"],
  ])("in a cohort: %s", (_, own, other, reason) => {
    const queues = [
      aClusterQueue({ h100: own }, { cohort: "all" }),
      aClusterQueue({ h100: other }, { name: "other", cohort: "all" }),
    ];
    expect(verdictOf(job({ podSets: [aPodSet({ count: 2 })] }), { queues })?.reason).toBe(reason);
  });

  it("counts quota over a tree of cohorts, and what a cohort owns itself", () => {
    const cohort = (name: string, parent: string, nominal: number) => ({
      ...aLocalQueue({ kind: "Cohort", name, namespace: "" }),
      parent,
      groups: aClusterQueue({ h100: { nominal } }).groups,
    });
    const queues = [aClusterQueue({ h100: { nominal: 8 } }, { cohort: "left" })];
    const facts = { cohorts: { known: true, items: [cohort("left", "root", 0), cohort("root", "", 8)] } };
    const asks = job({ podSets: [aPodSet({ count: 2 })] });
    expect(verdictOf(asks, { queues, facts })?.reason).toBe("SchedulerDelay");
    const larger = job({ podSets: [aPodSet({ count: 3 })] });
    expect(verdictOf(larger, { queues, facts })?.reason).toBe("QueueRequestTooLarge");
  });

  it("says what other queues have borrowed of its quota", () => {
    const queues = [
      aClusterQueue({ h100: { nominal: 16 } }, { cohort: "all" }),
      aClusterQueue({ h100: { nominal: 8, used: 24 } }, { name: "other", cohort: "all" }),
    ];
    expect(verdictOf(job(), { queues })?.sentence).toContain(
      "other queues of cohort all have borrowed 16 GPUs of it",
    );
  });

  it("adds up what workloads hold where the queue's status does not say", () => {
    const queues = [aClusterQueue({ h100: { nominal: 16 } }, { reserved: undefined })];
    expect(verdictOf(job(), { queues, more: [holding()] })?.reason).toBe("QueueQuotaExhausted");
    expect(verdictOf(job(), { queues })?.reason).toBe("SchedulerDelay");
  });

  it("chooses only flavors whose labels agree with the pods' selector", () => {
    const queues = [aClusterQueue({ a100: { nominal: 64 }, h100: { nominal: 8, used: 8 } })];
    const resourceFlavors = {
      known: true,
      items: [aFlavor("a100", { gpu: "a100" }), aFlavor("h100", { gpu: "h100" })],
    };
    const asks = (gpu: string) =>
      job({ podSets: [aPodSet({ nodeSelector: { gpu, "kubernetes.io/os": "linux" } })] });
    const facts = { resourceFlavors };
    expect(verdictOf(asks("h100"), { queues, facts })?.reason).toBe("QueueQuotaExhausted");
    expect(verdictOf(asks("a100"), { queues, facts })?.reason).toBe("SchedulerDelay");
    expect(verdictOf(asks("b200"), { queues, facts })?.reason).toBe("QueueRequestTooLarge");
  });

  it.each([
    ["ExceedsMaxQuota", "", "QueueRequestTooLarge"],
    ["Pending", "… request > maximum capacity (24 > 16)", "QueueRequestTooLarge"],
    [
      "Inadmissible",
      "… previously considered podsets requests (16) + current podset request (8) > maximum capacity (16)",
      "QueueRequestTooLarge",
    ],
    ["WaitingForQuota", "", "QueueQuotaExhausted"],
    ["Pending", "borrowing limit for nvidia.com/gpu in flavor h100 exceeded", "QueueQuotaExhausted"],
    ["Pending", "Preemption is not possible: no candidates for preemption", "PreemptionNotPossible"],
    [
      "TopologyPlacementFailed",
      'topology "racks" allows to fit only 1 out of 2 pod(s)',
      "TopologyUnsatisfied",
    ],
  ])("goes by what Kueue says where its queues cannot be read: %s %s", (because, says, reason) => {
    const unread = { known: false, items: [] };
    const verdict = verdictOf(job({ because, says }), { facts: { clusterQueues: unread } });
    expect(verdict?.reason).toBe(reason);
    expect(verdict?.certainty).not.toBe("low");
    if (reason !== "TopologyUnsatisfied") expect(verdict?.certaintyWhy).toContain("cannot see ClusterQueues");
  });

  it("was preempted before anything that its message says, where its queues cannot be read", () => {
    const evicted = aCondition({ type: "Evicted", reason: "Preempted" });
    const workload = job({ says: UNUSED });
    const unread = { known: false, items: [] };
    const facts = { clusterQueues: unread, localQueues: unread };
    const conditions = [...workload.conditions, evicted];
    expect(verdictOf({ ...workload, conditions }, { facts })?.reason).toBe("Preempted");
    expect(verdictOf(workload, { facts })?.reason).toBe("QueueQuotaExhausted");
  });

  it.each([
    [
      "none of the flavors could ever give a pod set what it asks for",
      "couldn't assign flavors to pod set a: insufficient unused quota for nvidia.com/gpu in flavor one, 8 more needed; couldn't assign flavors to pod set b: insufficient quota for nvidia.com/gpu in flavor one, request > maximum capacity (16 > 8), insufficient quota for nvidia.com/gpu in flavor two, request > maximum capacity (24 > 16)",
      "QueueRequestTooLarge",
    ],
    [
      "one flavor is too small, the other only used up",
      "couldn't assign flavors to pod set a: insufficient unused quota for nvidia.com/gpu in flavor two, 8 more needed, insufficient quota for nvidia.com/gpu in flavor one, request > maximum capacity (16 > 8)",
      "QueueQuotaExhausted",
    ],
  ])("of several pod sets: %s", (_, says, reason) => {
    const podSets = [aPodSet({ name: "a" }), aPodSet({ name: "b", count: 2 })];
    const queues = [aClusterQueue({ one: { nominal: 8, used: 8 }, two: { nominal: 16, used: 16 } })];
    expect(verdictOf(job({ podSets, says }), { queues })?.reason).toBe(reason);
  });

  it("believes the quotas where Kueue's message is of before", () => {
    const queues = [aClusterQueue({ h100: { nominal: 64, used: 64 } })];
    const says = "insufficient quota for nvidia.com/gpu in flavor h100, request > maximum capacity (8 > 4)";
    expect(verdictOf(job({ says }), { queues })).toMatchObject({
      reason: "QueueQuotaExhausted",
      certainty: "medium",
      certaintyWhy: "the quotas show it, Kueue's message names another reason",
    });
  });

  it("takes the message from an event where no condition has one", () => {
    const events = [
      anEvent({
        about: { kind: "Workload", namespace: "ml", name: "job", uid: "" },
        reason: "Pending",
        message: UNUSED,
      }),
    ];
    expect(verdictOf(job(), { snapshot: { events } })).toMatchObject({
      reason: "QueueQuotaExhausted",
      certainty: "high",
    });
  });

  it("waits behind another in a strict queue", () => {
    const queues = [aClusterQueue({ h100: { nominal: 16, used: 4 } }, { queueingStrategy: "StrictFIFO" })];
    const big = aWorkload({ name: "big", podSets: [aPodSet({ count: 2 })], createdAt: NOW - 7_200_000 });
    const verdict = verdictOf(job(), { queues, more: [big] });
    expect(verdict?.reason).toBe("QueueQuotaExhausted");
    expect(verdict?.sentence).toContain("ml/big is before it");
  });

  it("is told where a topology has no room though there is quota", () => {
    const queues = [aClusterQueue({ h100: { nominal: 64 } })];
    const podSets = [aPodSet({ count: 2, requiredTopology: "topology.dc/rack" })];
    const says =
      "couldn't assign flavors to pod set main: topology \"racks\" doesn't allow to fit any of 2 pod(s)";
    expect(verdictOf(job({ podSets, says }), { queues })).toMatchObject({
      reason: "TopologyUnsatisfied",
      certainty: "high",
    });
  });
});

describe("a workload that is held or was sent away", () => {
  const room = [aClusterQueue({ h100: { nominal: 64 } })];
  it.each([
    ["is switched off", { active: false }, {}, "spec.active is false"],
    ["names no queue", { queue: "" }, {}, "names no LocalQueue"],
    ["names a queue that is not there", { queue: "other" }, {}, "LocalQueue other, which does not exist"],
    [
      "its ClusterQueue is not there",
      {},
      { locals: [aLocalQueue({ clusterQueue: "gone" })] },
      "ClusterQueue gone does not exist",
    ],
    [
      "its LocalQueue is stopped",
      {},
      { locals: [aLocalQueue({ stopPolicy: "Hold" })] },
      "LocalQueue lq is stopped (Hold)",
    ],
    [
      "its ClusterQueue is stopped",
      {},
      { queues: [aClusterQueue({ h100: { nominal: 64 } }, { stopPolicy: "HoldAndDrain" })] },
      "ClusterQueue cq is stopped",
    ],
    [
      "its ClusterQueue is not active",
      {},
      {
        queues: [
          aClusterQueue(
            { h100: { nominal: 64 } },
            {
              conditions: [
                aCondition({
                  type: "Active",
                  status: "False",
                  reason: "FlavorNotFound",
                  message: "Can't admit new workloads: references missing ResourceFlavor(s): h100",
                }),
              ],
            },
          ),
        ],
      },
      "references missing ResourceFlavor(s): h100",
    ],
    [
      "a check is pending",
      { clusterQueue: "cq", checks: [{ name: "budget", state: "Pending", message: "" }] },
      {},
      "waits for admission check budget",
    ],
    [
      "a check has rejected it",
      { checks: [{ name: "budget", state: "Rejected", message: "no money" }] },
      {},
      "was rejected by admission check budget: “no money”",
    ],
    [
      "a check wants another try",
      { clusterQueue: "cq", checks: [{ name: "mk", state: "Retry", message: "" }] },
      {},
      "was sent back by admission check mk",
    ],
  ])("%s", (_, workload, parts, words) => {
    const verdict = verdictOf(job(workload), { queues: room, ...parts });
    expect(verdict).toMatchObject({ reason: "SchedulingGated", certainty: "high" });
    expect(verdict?.sentence).toContain(words);
  });

  it.each([
    ["Inadmissible", "Workload namespace doesn't match ClusterQueue selector"],
    ["AdmissionGated", "gated by example.com/approval"],
    ["OnHold", ""],
  ])("is refused by a rule of its queue: %s", (because, says) => {
    expect(verdictOf(job({ because, says }), { queues: room })).toMatchObject({
      reason: "SchedulingGated",
      certainty: "medium",
    });
  });

  it("leaves a check that a ProvisioningRequest stands behind to the autoscaler's rules", () => {
    const check = {
      ...aLocalQueue({ kind: "AdmissionCheck", name: "dws" }),
      controller: "kueue.x-k8s.io/provisioning-request",
    };
    const workload = job({ clusterQueue: "cq", checks: [{ name: "dws", state: "Pending", message: "" }] });
    const facts = { admissionChecks: { known: true, items: [check] } };
    expect(verdictOf(workload, { queues: room, facts })).toBeUndefined();
    const unasked = job({ checks: workload.checks, says: UNUSED });
    expect(verdictOf(unasked, { facts })?.reason).toBe("QueueQuotaExhausted");
  });

  it.each([
    [
      "older Kueue",
      [
        aCondition({
          type: "Evicted",
          reason: "Preempted",
          message: "Preempted to accommodate a higher priority Workload",
        }),
      ],
      "ml/boss (priority 10, its own is 0)",
    ],
    [
      "by uid",
      [
        aCondition({
          type: "Evicted",
          reason: "Preempted",
          message:
            "Preempted to accommodate a workload (UID: boss-uid, JobUID: j) due to prioritization in the ClusterQueue",
        }),
        aCondition({ type: "Preempted", reason: "InClusterQueue" }),
      ],
      "ml/boss (priority 10, its own is 0)",
    ],
    [
      "reclaimed by a queue that cannot be told",
      [
        aCondition({
          type: "Evicted",
          reason: "Preempted",
          message: "Preempted to accommodate a workload (UID: gone) due to reclamation within the cohort",
        }),
        aCondition({ type: "Preempted", reason: "InCohortReclamation" }),
      ],
      "another workload of its cohort, which took quota back",
    ],
  ])("was preempted: %s", (_, conditions, words) => {
    const boss = holding({ name: "boss", uid: "boss-uid", priority: 10 });
    const verdict = verdictOf(job({ conditions }), { more: [boss] });
    expect(verdict).toMatchObject({ reason: "Preempted", certainty: "high" });
    expect(verdict?.sentence).toContain(words);
  });

  it.each([
    [
      "taken back",
      { conditions: [aCondition({ type: "Evicted", reason: "PodsReadyTimeout" })], requeueAt: NOW + 60_000 },
    ],
    [
      "given up",
      {
        active: false,
        conditions: [aCondition({ type: "Evicted", reason: "DeactivatedDueToRequeuingLimitExceeded" })],
      },
    ],
  ])("whose pods never were all ready is a gang: %s", (_, workload) => {
    expect(verdictOf(job(workload), { queues: room })?.reason).toBe("GangIncomplete");
  });
});

describe("no verdict on a workload", () => {
  const none = (workload: WorkloadRecord, snapshot: Parts["snapshot"] = {}) =>
    expect(verdictsOf({ workloads: [workload], snapshot }).filter(({ kind }) => kind === "Workload")).toEqual(
      [],
    );

  it("that is admitted, over, without GPUs, or young", () => {
    none(holding());
    none(job({ conditions: [aCondition({ type: "Finished" })] }));
    none(job({ podSets: [aPodSet({ gpus: 0 })] }));
    none(job({ createdAt: NOW - 5_000 }));
  });

  it("whose pods wait themselves: they are gated, and say its reason", () => {
    const pod = aPod({
      name: "gated",
      gpus: 8,
      schedulingGates: ["kueue.x-k8s.io/admission"],
      labels: { "kueue.x-k8s.io/pod-group-name": "job" },
    });
    const workload = job({ says: UNUSED });
    none(workload, { pods: [pod] });
    const verdicts = verdictsOf({ workloads: [workload, holding()], snapshot: { pods: [pod] } });
    expect(verdicts).toMatchObject([
      { kind: "Pod", name: "gated", reason: "QueueQuotaExhausted", certainty: "high" },
    ]);
    expect(verdicts[0]?.sentence).toContain("gated needs 8 GPUs, and ClusterQueue cq has 0 GPUs left");
  });

  it("of a group that is not whole yet: its pods say how many are missing", () => {
    const pod = aPod({
      schedulingGates: ["kueue.x-k8s.io/admission"],
      labels: { "kueue.x-k8s.io/pod-group-name": "group" },
      annotations: { "kueue.x-k8s.io/pod-group-total-count": "3" },
    });
    expect(verdictsOf({ workloads: [], snapshot: { pods: [pod] } })).toMatchObject([
      { reason: "GangIncomplete", gang: { placed: 0, size: 3 } },
    ]);
  });
});
