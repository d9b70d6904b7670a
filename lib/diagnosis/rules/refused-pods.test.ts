import { describe, expect, test } from "vitest";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { EventRecord, PodRecord } from "../../model/kubernetes.ts";
import { anEvent, aPod, NOW } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { aCondition, aWorkload } from "../../testing/queue-builders.ts";
import { aController, aQuota } from "../../testing/scheduling-facts.ts";
import { refusedPods } from "./refused-pods.ts";
import { admittedButSuspended, suspendedByHand } from "./suspended.ts";

const known = <T>(items: readonly T[]) => ({ known: true, items });
type Controller = ReturnType<typeof aController>;

function fleetOf(
  controllers: readonly Controller[],
  rest: {
    events?: readonly EventRecord[];
    pods?: readonly PodRecord[];
    quotas?: ReturnType<typeof aQuota>[];
  } = {},
) {
  const { events = [], pods = [], quotas = [] } = rest;
  return aFleet({
    events,
    pods,
    facts: { ...NO_FACTS, controllers: known(controllers), resourceQuotas: known(quotas) },
  });
}

const EXCEEDED =
  'Error creating: pods "x" is forbidden: exceeded quota: gpus, requested: requests.nvidia.com/gpu=4, used: requests.nvidia.com/gpu=6, limited: requests.nvidia.com/gpu=8';

const refused = ({ kind, name }: Controller, message = EXCEEDED) =>
  anEvent({ about: { kind, namespace: "ml", name, uid: "" }, reason: "FailedCreate", message });

describe("objects whose pods are refused", () => {
  test.each(["ReplicaSet", "StatefulSet", "Job", "PyTorchJob", "RayCluster", "Notebook"])("%s", (kind) => {
    const object = aController({ kind, name: "train", gpus: 4 });
    const [found] = refusedPods(fleetOf([object], { events: [refused(object)] }), NOW);
    expect(found).toMatchObject({ reason: "NamespaceQuotaExceeded", gpus: 4, sure: { certainty: "high" } });
    expect(found?.object.name).toBe("train");
    expect(found?.sentence).toMatch(/quota gpus allows requests.nvidia.com\/gpu=8/);
  });

  test("is not repeated for what owns the one that tried", () => {
    const deployment = aController({
      kind: "Deployment",
      name: "serve",
      uid: "d",
      conditions: [
        {
          type: "ReplicaFailure",
          status: "True",
          reason: "FailedCreate",
          message: EXCEEDED,
          lastTransitionTime: NOW,
        },
      ],
    });
    const owner = { kind: "Deployment", name: "serve", uid: "d" };
    const replicaSet = aController({ kind: "ReplicaSet", name: "serve-1", present: 0, owner });
    const both = refusedPods(fleetOf([deployment, replicaSet], { events: [refused(replicaSet)] }), NOW);
    expect(both.map(({ object }) => object.name)).toEqual(["serve-1"]);
    const alone = refusedPods(fleetOf([deployment]), NOW);
    expect(alone.map(({ object }) => object.name)).toEqual(["serve"]);
  });

  test("counts what the missing pods would ask for", () => {
    const object = aController({ kind: "ReplicaSet", replicas: 4, present: 3, gpus: 2, uid: "rs" });
    const owner = { kind: "ReplicaSet", name: object.name, uid: "rs" };
    const pods = [1, 2, 3].map(() => aPod({ owner, nodeName: "a" }));
    const [found] = refusedPods(fleetOf([object], { events: [refused(object)], pods }), NOW);
    expect(found?.gpus).toBe(2);
  });

  test.each([
    ["has all its pods by now", aController({ kind: "ReplicaSet", replicas: 2, present: 2 }), EXCEEDED],
    ["is suspended", aController({ suspended: true }), EXCEEDED],
    ["is over", aController({ finished: true }), EXCEEDED],
    ["wants no GPU", aController({ gpus: 0 }), "failed quota: q: must specify cpu,memory"],
    ["has another trouble", aController(), "0/3 nodes are available"],
  ])("is none that %s", (_, object, message) => {
    expect(refusedPods(fleetOf([object], { events: [refused(object, message)] }), NOW)).toEqual([]);
  });

  test("wants GPUs where the quota that refuses it is one of GPUs", () => {
    const object = aController({ kind: "RayCluster", gpus: 0 });
    expect(refusedPods(fleetOf([object], { events: [refused(object)] }), NOW)).toHaveLength(1);
  });

  test.each([
    ["of a kind that is not read", EXCEEDED, 1],
    ["for another quota than one of GPUs", "failed quota: q: must specify cpu,memory", 0],
  ])("is an object %s", (_, message, count) => {
    const object = aController({ kind: "SparkApplication", name: "etl" });
    const found = refusedPods(fleetOf([], { events: [refused(object, message)] }), NOW);
    expect(found.map(({ object: { kind, name }, gpus }) => [kind, name, gpus])).toEqual(
      count === 0 ? [] : [["SparkApplication", "etl", 4]],
    );
  });

  test("lacks what the pod names", () => {
    const object = aController();
    const message =
      'pods "x" is forbidden: error looking up service account ml/a: serviceaccount "a" not found';
    const [found] = refusedPods(fleetOf([object], { events: [refused(object, message)] }), NOW);
    expect(found?.reason).toBe("ContainerConfigError");
  });

  test("is known from the quota where no message is left", () => {
    const quotas = [
      aQuota({
        name: "gpus",
        hard: { "requests.nvidia.com/gpu": 8 },
        used: { "requests.nvidia.com/gpu": 6 },
      }),
    ];
    const object = aController({ kind: "StatefulSet", present: 0, gpus: 4 });
    const [found] = refusedPods(fleetOf([object], { quotas }), NOW);
    expect(found).toMatchObject({ reason: "NamespaceQuotaExceeded", sure: { certainty: "medium" } });
    expect(found?.sentence).toMatch(
      /allows 8 nvidia.com\/gpu, 6 nvidia.com\/gpu are used and a pod asks for 4/,
    );
    const fits = aController({ kind: "StatefulSet", present: 0, gpus: 2 });
    expect(refusedPods(fleetOf([fits], { quotas }), NOW)).toEqual([]);
    const young = aController({ kind: "StatefulSet", present: 0, gpus: 4, createdAt: NOW - 10_000 });
    expect(refusedPods(fleetOf([young], { quotas }), NOW)).toEqual([]);
  });

  test("is a workflow for the step that wants GPUs, even when it has ended", () => {
    const gpus = (name: string, count: number) => ({
      name: `templates.${name}`,
      replicas: 1,
      requests: { pods: 1, ...(count > 0 ? { "nvidia.com/gpu": count } : {}) },
    });
    const workflow = (step: string, at: number) =>
      aController({
        kind: "Workflow",
        finished: true,
        replicas: undefined,
        templates: [gpus("prep", 0), gpus("train", 2)],
        failures: [{ step, template: step, message: "failed quota: q: must specify cpu,memory", at }],
      });
    const [found] = refusedPods(fleetOf([workflow("train", NOW - 60_000)]), NOW);
    expect(found).toMatchObject({ reason: "NamespaceQuotaExceeded", gpus: 2, since: NOW - 60_000 });
    expect(refusedPods(fleetOf([workflow("prep", NOW - 60_000)]), NOW)).toEqual([]);
    const today = { pods: [aPod({ createdAt: NOW })] };
    expect(refusedPods(fleetOf([workflow("train", NOW - 48 * 3_600_000)], today), NOW)).toEqual([]);
  });
});

describe("suspended objects", () => {
  test("say so where nothing would resume them", () => {
    const [found] = suspendedByHand(fleetOf([aController({ suspended: true, gpus: 8 })]), NOW);
    expect(found).toMatchObject({ reason: "SchedulingGated", gpus: 8 });
  });

  test("say so where Kueue has not taken them up", () => {
    const labels = { "kueue.x-k8s.io/queue-name": "gpus" };
    const [found] = suspendedByHand(
      fleetOf([aController({ suspended: true, labels, createdAt: NOW - 600_000 })]),
      NOW,
    );
    expect(found).toMatchObject({ reason: "SchedulingGated", sure: { certainty: "medium" } });
    expect(found?.sentence).toContain("queue gpus");
  });

  test.each([
    [
      "that a queue has not had time to take up",
      { labels: { "kueue.x-k8s.io/queue-name": "gpus" }, createdAt: NOW - 60_000 },
    ],
    ["suspended with their owner", { owner: { kind: "JobSet", name: "j", uid: "j" } }],
    ["without GPUs", { gpus: 0 }],
    ["that are over", { finished: true }],
    ["that are not suspended", { suspended: false }],
  ])("are none %s", (_, overrides) => {
    expect(suspendedByHand(fleetOf([aController({ suspended: true, ...overrides })]), NOW)).toEqual([]);
  });
});

describe("objects that Kueue has admitted and that are still suspended", () => {
  const at = (type: string, ago: number, reason = "") =>
    aCondition({ type, reason, lastTransitionTime: NOW - ago });
  const check = (name: string) => ({ name, state: "Ready" as const, message: "" });
  const found = (
    workload: Parameters<typeof aWorkload>[0],
    object: Parameters<typeof aController>[0] = {},
  ) => {
    const owner = { kind: "Job", name: "train", uid: "job" };
    const checked = {
      ...aController({ kind: "AdmissionCheck", name: "dws" }),
      controller: "kueue.x-k8s.io/provisioning-request",
    };
    const fleet = aFleet({
      facts: {
        ...NO_FACTS,
        controllers: known([aController({ name: "train", uid: "job", suspended: true, gpus: 8, ...object })]),
        workloads: known([
          aWorkload({ name: "w", owner, conditions: [at("Admitted", 600_000)], ...workload }),
        ]),
        admissionChecks: known([
          checked,
          { ...checked, name: "mk", controller: "kueue.x-k8s.io/multikueue" },
        ]),
      },
    });
    return admittedButSuspended(fleet, NOW);
  };

  test.each([
    ["since nothing has resumed them", {}, /still suspended, though Kueue admitted w at 11:50/],
    ["after a check has let them through", { checks: [check("dws")] }, /still suspended/],
    [
      "since an eviction has kept the quota",
      { conditions: [at("Admitted", 900_000), at("Evicted", 300_000, "PodsReadyTimeout")] },
      /evicted w at 11:55 UTC \(PodsReadyTimeout\), which still counts as admitted/,
    ],
  ])("say so %s", (_, workload, sentence) => {
    const [one] = found(workload);
    expect(one).toMatchObject({ reason: "SchedulingGated", gpus: 8, object: { name: "train" } });
    expect(one?.sentence).toMatch(sentence);
  });

  test.each([
    ["admitted a moment ago", { conditions: [at("Admitted", 60_000)] }, {}],
    ["evicted a moment ago", { conditions: [at("Admitted", 900_000), at("Evicted", 60_000)] }, {}],
    ["not admitted", { conditions: [] }, {}],
    ["over", { conditions: [at("Admitted", 900_000), at("Finished", 600_000)] }, {}],
    ["run by another cluster", { checks: [check("mk")] }, {}],
    ["let through by a check that is not read", { checks: [check("other")] }, {}],
    ["resumed", {}, { suspended: false }],
    ["without GPUs", {}, { gpus: 0 }],
  ])("are none where %s", (_, workload, object) => {
    expect(found(workload, object)).toEqual([]);
  });
});
