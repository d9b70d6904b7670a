import { describe, expect, it } from "vitest";
import { buildFleet } from "../../layers/build-fleet.ts";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { PodGroupRecord, QueueRecord } from "../../model/facts/gangs.ts";
import { aNode, anEvent, aPod, aSnapshot, NOW } from "../../testing/builders.ts";
import { aPodGroup, aQueue } from "../../testing/queue-builders.ts";
import { diagnose } from "../diagnose.ts";
import { findSubject } from "../find-subject.ts";

const GPU = "nvidia.com/gpu";
const owner = { kind: "Job", name: "train", uid: "job" };
const group = (overrides: Partial<PodGroupRecord> = {}) =>
  aPodGroup({ queue: "q", owner, phase: "Pending", minResources: { [GPU]: 16 }, ...overrides });

function verdictsOf(
  groups: readonly PodGroupRecord[],
  queues: readonly QueueRecord[] = [aQueue()],
  snapshot: Parameters<typeof aSnapshot>[0] = {},
) {
  const podGroups = { known: true, items: groups };
  const facts = { ...NO_FACTS, podGroups, queues: { known: true, items: queues } };
  return diagnose(buildFleet(aSnapshot({ nodes: [aNode()], ...snapshot, facts }), NOW), NOW);
}

const said = (message: string) => [
  anEvent({
    about: { kind: "PodGroup", namespace: "ml", name: "gang", uid: "" },
    reason: "Unschedulable",
    message,
  }),
];

describe("a group without pods", () => {
  it.each([
    [
      "asks for more than the queue's limit",
      [aQueue({ limit: { [GPU]: 8 } })],
      "",
      "QueueRequestTooLarge",
      "high",
    ],
    [
      "asks for what others hold",
      [aQueue({ limit: { [GPU]: 16 }, allocated: { [GPU]: 4 } })],
      "queue resource quota insufficient",
      "QueueQuotaExhausted",
      "high",
    ],
    [
      "is refused for a share that is not written down",
      [aQueue()],
      "queue resource quota insufficient: insufficient nvidia.com/gpu",
      "QueueQuotaExhausted",
      "medium",
    ],
    ["waits in a closed queue", [aQueue({ state: "Closed" })], "", "SchedulingGated", "high"],
    [
      "waits for room",
      [aQueue()],
      "0/0 tasks in gang unschedulable: pod group is not ready, 2 minAvailable",
      "GangIncomplete",
      "medium",
    ],
  ])("%s", (_, queues, message, reason, certainty) => {
    const verdicts = verdictsOf([group()], queues, { events: message === "" ? [] : said(message) });
    expect(verdicts).toMatchObject([
      { kind: "PodGroup", name: "gang", layer: "L3", reason, certainty, gpus: 16 },
    ]);
    expect(findSubject(verdicts, { kind: "Job", namespace: "ml", name: "train" })?.first.reason).toBe(reason);
  });

  it("is no subject where it has pods, is young, is over, or wants no GPUs", () => {
    const pod = aPod({ annotations: { "scheduling.k8s.io/group-name": "gang" }, nodeName: "n" });
    expect(verdictsOf([group()], [], { pods: [pod] })).toEqual([]);
    expect(verdictsOf([group({ createdAt: NOW - 5_000 })])).toEqual([]);
    expect(verdictsOf([group({ phase: "Completed" })])).toEqual([]);
    expect(verdictsOf([group({ minResources: { cpu: 1_000 } })])).toEqual([]);
  });
});
