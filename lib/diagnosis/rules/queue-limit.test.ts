import { describe, expect, it } from "vitest";
import { buildFleet } from "../../layers/build-fleet.ts";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { PodGroupRecord, QueueRecord } from "../../model/facts/gangs.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { aNode, anEvent, aPod, aSnapshot, NOW } from "../../testing/builders.ts";
import { aPodGroup, aQueue } from "../../testing/queue-builders.ts";
import { diagnose } from "../diagnose.ts";

const GPU = "nvidia.com/gpu";
const volcano = (overrides: Parameters<typeof aPod>[0] = {}) =>
  aPod({
    name: "p",
    gpus: 4,
    schedulerName: "volcano",
    annotations: { "scheduling.k8s.io/group-name": "gang" },
    ...overrides,
  });
const kai = (overrides: Parameters<typeof aPod>[0] = {}) =>
  aPod({
    name: "p",
    gpus: 4,
    schedulerName: "kai-scheduler",
    labels: { "kai.scheduler/queue": "q" },
    ...overrides,
  });
const kaiQueue = (overrides: Partial<QueueRecord> = {}) =>
  aQueue({ apiVersion: "scheduling.run.ai/v2", state: "", ...overrides });

function verdictOf(
  pods: readonly PodRecord[],
  queues: readonly QueueRecord[],
  groups: readonly PodGroupRecord[] = [],
  snapshot: Parameters<typeof aSnapshot>[0] = {},
) {
  const facts = {
    ...NO_FACTS,
    queues: { known: true, items: queues },
    podGroups: { known: true, items: groups },
  };
  const nodes = [aNode({ name: "a" }), aNode({ name: "b" })];
  const fleet = buildFleet(aSnapshot({ nodes, ...snapshot, pods, facts }), NOW);
  return diagnose(fleet, NOW).find(({ name }) => name === "p");
}

describe("a queue that is not there", () => {
  it.each([
    ["among others", [aQueue({ name: "other" })], "SchedulingGated"],
    ["while none is read, or there are none", [], "SchedulerDelay"],
    ["among those of another scheduler", [kaiQueue({ name: "q" })], "SchedulerDelay"],
  ])("%s", (_, queues, reason) => {
    const groups = [aPodGroup({ minMember: 1, queue: "typo" })];
    expect(verdictOf([volcano()], queues, groups)?.reason).toBe(reason);
  });
});

describe("a queue of Volcano", () => {
  const group = (overrides: Partial<PodGroupRecord> = {}) =>
    aPodGroup({ minMember: 1, queue: "q", ...overrides });
  it.each([
    ["never holds as much", { limit: { [GPU]: 3 } }, group(), "QueueRequestTooLarge", "high"],
    [
      "holds others",
      { limit: { [GPU]: 8 }, allocated: { [GPU]: 6 } },
      group(),
      "QueueQuotaExhausted",
      "medium",
    ],
    ["has room", { limit: { [GPU]: 8 }, allocated: { [GPU]: 4 } }, group(), "SchedulerDelay", "low"],
    ["has no limit on GPUs", { limit: { cpu: 64_000 } }, group(), "SchedulerDelay", "low"],
    ["has no CPU left", { limit: { cpu: 500, [GPU]: 8 } }, group(), "QueueRequestTooLarge", "high"],
    ["is closed", { state: "Closed" }, group(), "SchedulingGated", "high"],
    ["is closing", { state: "Closing" }, group(), "SchedulingGated", "high"],
  ])("%s", (_, queue, podGroup, reason, certainty) => {
    expect(verdictOf([volcano()], [aQueue(queue)], [podGroup])).toMatchObject({ reason, certainty });
  });

  it("counts what the whole gang asks for", () => {
    const pods = [volcano(), volcano({ name: "p-1" })];
    const whole = group({ minMember: 2, minResources: { [GPU]: 8 } });
    expect(verdictOf(pods, [aQueue({ limit: { [GPU]: 7 } })], [whole])).toMatchObject({
      reason: "QueueRequestTooLarge",
      gang: { placed: 0, size: 2 },
      sentence:
        "p and its group gang ask together for 8 GPUs, and queue q has a limit of 7 GPUs: it can never be admitted there.",
    });
    const unsaid = group({ minMember: 2 });
    expect(verdictOf(pods, [aQueue({ limit: { [GPU]: 7 } })], [unsaid])?.reason).toBe("QueueRequestTooLarge");
    expect(verdictOf(pods, [aQueue({ limit: { [GPU]: 8 } })], [unsaid])?.reason).toBe("SchedulerDelay");
  });

  it("adds up its pods where its status does not say what it holds", () => {
    const other = volcano({
      name: "other",
      nodeName: "a",
      annotations: { "scheduling.k8s.io/group-name": "o" },
    });
    const groups = [group(), group({ name: "o" })];
    expect(verdictOf([volcano(), other], [aQueue({ limit: { [GPU]: 6 } })], groups)?.reason).toBe(
      "QueueQuotaExhausted",
    );
  });

  it("is bound by the queue above it", () => {
    const queues = [aQueue({ parent: "top" }), aQueue({ name: "top", parent: "q", limit: { [GPU]: 2 } })];
    expect(verdictOf([volcano()], queues, [group()])?.sentence).toContain("queue top has a limit of 2 GPUs");
  });

  it("is not that of KAI of the same name", () => {
    expect(verdictOf([volcano()], [kaiQueue({ limit: { [GPU]: 1 } })], [group()])?.reason).toBe(
      "SchedulerDelay",
    );
  });
});

describe("a queue of KAI", () => {
  it.each([
    ["limit too small", { limit: { [GPU]: 2 } }, kai(), "QueueRequestTooLarge"],
    ["limit reached", { limit: { [GPU]: 8 }, allocated: { [GPU]: 6.5 } }, kai(), "QueueQuotaExhausted"],
    ["over quota, may be preempted", { quota: { [GPU]: 2 } }, kai({ priority: 50 }), "SchedulerDelay"],
    [
      "over quota, may not be preempted",
      { quota: { [GPU]: 2 } },
      kai({ priority: 125 }),
      "QueueRequestTooLarge",
    ],
    [
      "quota held by others",
      { quota: { [GPU]: 8 }, allocatedFixed: { [GPU]: 6 } },
      kai({ priority: 125 }),
      "QueueQuotaExhausted",
    ],
    [
      "parts of a GPU count as parts",
      { limit: { [GPU]: 2 }, allocated: { [GPU]: 1.75 } },
      kai({ gpus: 0, annotations: { "gpu-fraction": "0.5" } }),
      "QueueQuotaExhausted",
    ],
    [
      "a part that fits",
      { limit: { [GPU]: 2 }, allocated: { [GPU]: 1.5 } },
      kai({ gpus: 0, annotations: { "gpu-fraction": "0.5" } }),
      "SchedulerDelay",
    ],
  ])("%s", (_, queue, pod, reason) => {
    expect(verdictOf([pod], [kaiQueue(queue)])?.reason).toBe(reason);
  });

  it("is sure where KAI says the same", () => {
    const message =
      "NonPreemptibleOverQuota: Non-preemptible workload is over quota. Workload requested 4 GPUs, but q quota is 2 GPUs";
    const events = [
      anEvent({
        about: { kind: "Pod", namespace: "ml", name: "p", uid: "" },
        reason: "Unschedulable",
        message,
        component: "kai-scheduler",
      }),
    ];
    expect(verdictOf([kai()], [kaiQueue({ quota: { [GPU]: 2 } })], [], { events })).toMatchObject({
      reason: "QueueRequestTooLarge",
      certainty: "high",
      certaintyWhy: "the queue's limit and the scheduler's message agree",
    });
  });
});

describe("a scheduler that refuses for a queue", () => {
  it("is believed where the limit is not written down, with less certainty", () => {
    const message = "queue resource quota insufficient: insufficient nvidia.com/gpu";
    const events = [
      anEvent({
        about: { kind: "PodGroup", namespace: "ml", name: "gang", uid: "" },
        reason: "Unschedulable",
        message,
      }),
    ];
    const queue = aQueue({ limit: { cpu: 640_000 } });
    const verdict = verdictOf([volcano()], [queue], [aPodGroup({ minMember: 1, queue: "q" })], { events });
    expect(verdict).toMatchObject({ reason: "QueueQuotaExhausted", certainty: "medium" });
    expect(verdict?.sentence).toContain("its limits do not name nvidia.com/gpu");
  });
});
