import { describe, expect, test } from "vitest";
import { factsOf } from "../../../testing/facts-of.ts";

const gpu = (count: number) => ({
  spec: { containers: [{ name: "main", resources: { limits: { "nvidia.com/gpu": count } } }] },
});

function controller(apiVersion: string, kind: string, spec: object, status: object = {}) {
  const metadata = { name: "train", namespace: "ml", uid: "u1" };
  return factsOf([{ apiVersion, kind, metadata, spec, status }]).controllers.items[0];
}

describe("the pods that an object makes", () => {
  test.each([
    ["apps/v1", "Deployment", { replicas: 3, template: gpu(1) }, [["", 3, 1]]],
    ["batch/v1", "Job", { parallelism: 2, template: gpu(8) }, [["", 2, 8]]],
    [
      "jobset.x-k8s.io/v1alpha2",
      "JobSet",
      {
        replicatedJobs: [
          { name: "workers", replicas: 2, template: { spec: { parallelism: 4, template: gpu(8) } } },
        ],
      },
      [["replicatedJobs.workers", 8, 8]],
    ],
    [
      "trainer.kubeflow.org/v1alpha1",
      "TrainJob",
      { trainer: { numNodes: 4, resourcesPerNode: { requests: { "nvidia.com/gpu": "8" } } } },
      [["trainer", 4, 8]],
    ],
    [
      "leaderworkerset.x-k8s.io/v1",
      "LeaderWorkerSet",
      { replicas: 2, leaderWorkerTemplate: { size: 4, workerTemplate: gpu(8) } },
      [["leaderWorkerTemplate.workerTemplate", 8, 8]],
    ],
    [
      "kubeflow.org/v1",
      "PyTorchJob",
      {
        pytorchReplicaSpecs: {
          Master: { replicas: 1, template: gpu(1) },
          Worker: { replicas: 3, template: gpu(8) },
        },
      },
      [
        ["pytorchReplicaSpecs.Master", 1, 1],
        ["pytorchReplicaSpecs.Worker", 3, 8],
      ],
    ],
    [
      "ray.io/v1",
      "RayCluster",
      {
        headGroupSpec: { template: gpu(0) },
        workerGroupSpecs: [{ groupName: "gpus", replicas: 2, template: gpu(4) }],
      },
      [
        ["headGroupSpec", 1, undefined],
        ["workerGroupSpecs.0", 2, 4],
      ],
    ],
    [
      "batch.volcano.sh/v1alpha1",
      "Job",
      { minAvailable: 2, tasks: [{ name: "worker", replicas: 2, template: gpu(8) }] },
      [["tasks.worker", 2, 8]],
    ],
    [
      "argoproj.io/v1alpha1",
      "Workflow",
      {
        templates: [
          { name: "train", container: gpu(1).spec.containers[0] },
          { name: "all", dag: { tasks: [] } },
        ],
      },
      [["templates.train", 1, 1]],
    ],
  ])("%s %s", (apiVersion, kind, spec, templates) => {
    const found = controller(apiVersion, kind, spec)?.templates;
    expect(
      found?.map(({ name, replicas, requests }) => [name, replicas, requests["nvidia.com/gpu"] || undefined]),
    ).toEqual(templates);
  });
});

describe("what an object says of itself", () => {
  test.each([
    [
      "a Job's own suspension",
      "batch/v1",
      "Job",
      { suspend: true },
      {},
      { suspended: true, finished: false },
    ],
    [
      "a training job's",
      "kubeflow.org/v1",
      "TFJob",
      { runPolicy: { suspend: true } },
      {},
      { suspended: true },
    ],
    [
      "a finished Job",
      "batch/v1",
      "Job",
      {},
      { conditions: [{ type: "Complete", status: "True" }] },
      { finished: true },
    ],
    ["a failed Workflow", "argoproj.io/v1alpha1", "Workflow", {}, { phase: "Error" }, { finished: true }],
    [
      "a finished Volcano Job",
      "batch.volcano.sh/v1alpha1",
      "Job",
      {},
      { state: { phase: "Failed" } },
      { finished: true },
    ],
    [
      "a Volcano Job that did what it was for",
      "batch.volcano.sh/v1alpha1",
      "Job",
      {},
      { state: { phase: "Completed" } },
      { finished: true },
    ],
    [
      "a Volcano Job that was stopped",
      "batch.volcano.sh/v1alpha1",
      "Job",
      {},
      { state: { phase: "Aborted" } },
      { finished: true },
    ],
    [
      "a rollout",
      "apps/v1",
      "Deployment",
      { replicas: 2, strategy: { rollingUpdate: { maxSurge: "25%" } } },
      { replicas: 3, readyReplicas: 2 },
      { replicas: 2, present: 3, ready: 2, maxSurge: "25%" },
    ],
    [
      "nothing at all",
      "batch/v1",
      "Job",
      {},
      {},
      { replicas: undefined, present: undefined, suspended: false },
    ],
  ])("%s", (_, apiVersion, kind, spec, status, expected) => {
    expect(controller(apiVersion, kind, spec, status)).toMatchObject(expected);
  });

  test("steps of a workflow that failed, those that wait for their pod included", () => {
    const nodes = {
      a: { type: "Pod", displayName: "prep", templateName: "prep", phase: "Succeeded", message: "" },
      b: {
        type: "Pod",
        displayName: "train(0)",
        templateName: "train",
        phase: "Pending",
        message: "exceeded quota",
      },
      c: { type: "DAG", displayName: "all", phase: "Error", message: "task errored" },
    };
    const steps = controller("argoproj.io/v1alpha1", "Workflow", {}, { nodes })?.failures;
    expect(steps?.map(({ step, template, message }) => [step, template, message])).toEqual([
      ["train(0)", "train", "exceeded quota"],
    ]);
  });

  test.each([
    ["an old ReplicaSet", "ReplicaSet", { replicas: 0 }, { replicas: 0 }, false],
    ["a ReplicaSet with pods", "ReplicaSet", { replicas: 1 }, {}, true],
    ["a healthy DaemonSet", "DaemonSet", {}, { desiredNumberScheduled: 2, numberReady: 2 }, false],
    ["a DaemonSet that selects no node", "DaemonSet", {}, { desiredNumberScheduled: 0 }, true],
  ])("%s is kept: %s %j %j %s", (_, kind, spec, status, isKept) => {
    expect(controller("apps/v1", kind, spec, status) !== undefined).toBe(isKept);
  });

  test("of no shape at all", () => {
    expect(controller("batch/v1", "Job", { template: "x", parallelism: "many" })?.problems).toHaveLength(1);
    expect(
      factsOf([{ apiVersion: "batch/v1", kind: "Job", spec: [], status: 7 }]).controllers.items,
    ).toHaveLength(1);
  });
});
