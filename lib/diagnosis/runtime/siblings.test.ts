import { describe, expect, it } from "vitest";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { aPod, NOW } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { aController } from "../../testing/scheduling-facts.ts";
import { gangOf, isReplaced, siblingsOf } from "./siblings.ts";

const owner = (kind: string, name: string) => ({ kind, name, uid: `${kind}-${name}` });
const at = (minutes: number) => NOW - minutes * 60_000;

describe("which pods work as one", () => {
  const peers = (one: Partial<PodRecord>, other: Partial<PodRecord>): number => {
    const pod = aPod({ name: "one", ...one });
    return gangOf(pod, aFleet({ pods: [pod, aPod({ name: "other", ...other })] })).length;
  };
  const of = (kind: string) => ({ owner: owner(kind, "x") });
  const labels = (values: Readonly<Record<string, string>>) => ({ labels: values });
  it.each<[string, Partial<PodRecord>, Partial<PodRecord>, number]>([
    ["pods of one Job", of("Job"), of("Job"), 2],
    ["pods of one PyTorchJob", of("PyTorchJob"), of("PyTorchJob"), 2],
    ["replicas of a Deployment", of("ReplicaSet"), of("ReplicaSet"), 0],
    ["bare pods", {}, {}, 0],
    ["pods of two Jobs", of("Job"), { owner: owner("Job", "y") }, 1],
    [
      "Jobs of one JobSet",
      { ...of("Job"), ...labels({ "jobset.sigs.k8s.io/jobset-name": "s" }) },
      { owner: owner("Job", "y"), ...labels({ "jobset.sigs.k8s.io/jobset-name": "s" }) },
      2,
    ],
    [
      "two groups of one LeaderWorkerSet",
      labels({
        "leaderworkerset.sigs.k8s.io/name": "l",
        "leaderworkerset.sigs.k8s.io/group-index": "0",
      }),
      labels({
        "leaderworkerset.sigs.k8s.io/name": "l",
        "leaderworkerset.sigs.k8s.io/group-index": "1",
      }),
      1,
    ],
    [
      "the same name in another namespace",
      labels({ "ray.io/cluster": "r" }),
      { namespace: "other", ...labels({ "ray.io/cluster": "r" }) },
      1,
    ],
  ])("%s", (_, one, other, size) => {
    expect(peers(one, other)).toBe(size);
  });
});

describe("whether another pod has come in its place", () => {
  const failed = (overrides: Partial<PodRecord>) =>
    aPod({ name: "failed", nodeName: "a", phase: "Failed", containers: [], createdAt: at(60), ...overrides });
  const job = { owner: owner("Job", "nightly-1") };
  const run = (name: string) =>
    aController({ kind: "Job", name, namespace: "ml", owner: owner("CronJob", "nightly") });
  it.each<[string, Partial<PodRecord>, Partial<PodRecord>, boolean]>([
    [
      "a younger one of its ReplicaSet",
      { owner: owner("ReplicaSet", "r") },
      { owner: owner("ReplicaSet", "r") },
      true,
    ],
    [
      "a younger one of another",
      { owner: owner("ReplicaSet", "r") },
      { owner: owner("ReplicaSet", "q") },
      false,
    ],
    ["an older one", { ...job }, { ...job, createdAt: at(90) }, false],
    ["a younger bare pod", {}, {}, false],
    [
      "another step of its workflow",
      { name: "wf-x7k2p-train-123", owner: owner("Workflow", "wf") },
      { name: "wf-x7k2p-notify-456", owner: owner("Workflow", "wf") },
      false,
    ],
    [
      "another try of its step",
      { name: "wf-x7k2p-train-123", owner: owner("Workflow", "wf") },
      { name: "wf-x7k2p-train-456", owner: owner("Workflow", "wf") },
      true,
    ],
    [
      "a Ray pod of another group",
      { owner: owner("RayCluster", "r"), labels: { "ray.io/group": "gpu" } },
      { owner: owner("RayCluster", "r"), labels: { "ray.io/group": "headgroup" } },
      false,
    ],
    ["the next run of its CronJob", job, { owner: owner("Job", "nightly-2") }, true],
    [
      "one that was made before it failed",
      {
        ...job,
        conditions: [{ type: "Ready", status: "False", reason: "", message: "", lastTransitionTime: at(5) }],
      },
      job,
      false,
    ],
  ])("%s: %s", (_, one, other, is) => {
    const pod = failed(one);
    const pods = [pod, aPod({ name: "other", nodeName: "a", createdAt: at(10), ...other })];
    const controllers = { known: true, items: [run("nightly-1"), run("nightly-2")] };
    const fleet = aFleet({ pods, facts: { ...NO_FACTS, controllers } });
    expect(isReplaced(pod, fleet)).toBe(is);
    expect(siblingsOf(pod, fleet).includes(pod)).toBe(pod.owner !== undefined);
  });
});
