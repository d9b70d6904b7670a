import { describe, expect, test } from "vitest";
import { aPod, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { diagnose } from "./diagnose.ts";
import { findSubject } from "./find-subject.ts";

const owner = { kind: "ReplicaSet", name: "serve", uid: "u" };
const ofDeployment = { kind: "ReplicaSet", name: "chat-5f6d", uid: "v" };
const pods = [
  aPod({ name: "serve-a", owner }),
  aPod({ name: "serve-b", owner }),
  aPod({ name: "other" }),
  aPod({ name: "chat-5f6d-x", owner: ofDeployment }),
];
const verdicts = diagnose(aFleet({ pods }), NOW);
const find = (kind: string | undefined, name: string, namespace = "ml") => {
  const group = findSubject(verdicts, { kind, namespace, name });
  return group && [group.first.name, group.members.length];
};

describe("findSubject", () => {
  test.each<[string, string | undefined, string, unknown]>([
    ["a pod by its name, with those that wait with it", "Pod", "serve-b", ["serve-b", 2]],
    ["a pod without its kind", undefined, "other", ["other", 1]],
    ["the pods of what has made them", "ReplicaSet", "serve", ["serve-a", 2]],
    ["the pods of a Deployment, by way of its ReplicaSet", "Deployment", "chat", ["chat-5f6d-x", 1]],
    ["the pod of a Workload of Kueue", "Workload", "pod-other-1a2b3", ["other", 1]],
    ["nothing of another Deployment", "Deployment", "cha", undefined],
    ["nothing of another kind", "Job", "serve-b", undefined],
    ["nothing that is not stuck", "Pod", "healthy", undefined],
  ])("finds %s", (_, kind, name, expected) => {
    expect(find(kind, name)).toEqual(expected);
  });

  test("looks in the namespace only", () => {
    expect(find("Pod", "serve-b", "elsewhere")).toBeUndefined();
  });
});
