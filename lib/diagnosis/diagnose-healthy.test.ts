import { describe, expect, test } from "vitest";
import { NO_FACTS } from "../model/facts/facts.ts";
import { aNode, anEvent, aPod, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import {
  aClusterQueue,
  aCondition,
  aFlavor,
  aLocalQueue,
  aPodGroup,
  aQueue,
  aWorkload,
} from "../testing/queue-builders.ts";
import { aController } from "../testing/scheduling-facts.ts";
import { diagnose } from "./diagnose.ts";

const GPU = "nvidia.com/gpu";
const known = <T>(items: readonly T[]) => ({ known: true, items });
const kueue = {
  clusterQueues: known([aClusterQueue({ h100: { nominal: 8, used: 8 } })]),
  localQueues: known([aLocalQueue()]),
  resourceFlavors: known([aFlavor("h100")]),
};
const admitted = [
  aCondition({ type: "QuotaReserved", status: "True" }),
  aCondition({ type: "Admitted", status: "True" }),
];
const running = aPod({ name: "runs", nodeName: "a", phase: "Running" });
const JUST_NOW = NOW - 10_000;

describe("nothing is said of", () => {
  test.each<[string, Partial<Parameters<typeof aFleet>[0]>]>([
    ["a pod that was just made", { pods: [aPod({ createdAt: JUST_NOW, conditions: [] })] }],
    ["a pod that is being deleted", { pods: [aPod({ gpus: 64, deletedAt: JUST_NOW })] }],
    ["a pod that has ended well", { pods: [aPod({ nodeName: "a", phase: "Succeeded" })] }],
    ["pods of a DaemonSet that wait", { pods: [aPod({ gpus: 64, system: "daemonset" })] }],
    [
      "a suspended CronJob",
      {
        facts: {
          ...NO_FACTS,
          controllers: known([aController({ kind: "CronJob", suspended: true, templates: [] })]),
        },
      },
    ],
    [
      "a Job that is over",
      { facts: { ...NO_FACTS, controllers: known([aController({ present: 0, finished: true })]) } },
    ],
    [
      "a Deployment scaled to none",
      {
        facts: {
          ...NO_FACTS,
          controllers: known([aController({ kind: "Deployment", replicas: 0, present: 0 })]),
        },
      },
    ],
    [
      "a ReplicaSet that has its pods, with an old refusal",
      {
        events: [
          anEvent({
            about: { kind: "ReplicaSet", namespace: "ml", name: "r", uid: "" },
            reason: "FailedCreate",
            message:
              'pods "r-1" is forbidden: exceeded quota: q, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=1, limited: requests.nvidia.com/gpu=1',
          }),
        ],
        facts: {
          ...NO_FACTS,
          controllers: known([aController({ kind: "ReplicaSet", name: "r", replicas: 1, present: 1 })]),
        },
      },
    ],
    ["queues that are empty", { facts: { ...NO_FACTS, ...kueue, queues: known([aQueue()]) } }],
    [
      "a workload that is admitted and runs",
      {
        pods: [running],
        facts: {
          ...NO_FACTS,
          ...kueue,
          workloads: known([aWorkload({ clusterQueue: "cq", conditions: admitted })]),
        },
      },
    ],
    [
      "a workload that was just queued",
      { facts: { ...NO_FACTS, ...kueue, workloads: known([aWorkload({ createdAt: JUST_NOW })]) } },
    ],
    [
      "a workload that is over",
      {
        facts: {
          ...NO_FACTS,
          ...kueue,
          workloads: known([aWorkload({ conditions: [aCondition({ type: "Finished", status: "True" })] })]),
        },
      },
    ],
    [
      "a group that has ended",
      {
        facts: {
          ...NO_FACTS,
          queues: known([aQueue()]),
          podGroups: known([aPodGroup({ phase: "Completed", minResources: { [GPU]: 8 } })]),
        },
      },
    ],
  ])("%s", (_, parts) => {
    expect(diagnose(aFleet({ nodes: [aNode({ name: "a" })], pods: [], ...parts }), NOW)).toEqual([]);
  });
});
