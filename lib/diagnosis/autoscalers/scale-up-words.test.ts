import { expect, it, test } from "vitest";
import { indexEvents } from "../../layers/event-index.ts";
import { anEvent, aPod, NOW } from "../../testing/builders.ts";
import { scaleUpWords } from "./scale-up-words.ts";

const pod = aPod();
const says = (reason: string, message: string, lastAt = NOW) =>
  anEvent({ about: { kind: "Pod", namespace: "ml", name: pod.name, uid: "" }, reason, message, lastAt });
const words = (...events: ReturnType<typeof says>[]) => scaleUpWords(pod, indexEvents(events));

test.each<[string, string, readonly (readonly [number, string])[]]>([
  ["one", "pod didn't trigger scale-up: 1 max node group size reached", [[1, "max-size"]]],
  [
    "old wording, several",
    "pod didn't trigger scale-up (it wouldn't fit if a new node is added): 1 Insufficient nvidia.com/gpu, 1 max node group size reached",
    [
      [1, "template"],
      [1, "max-size"],
    ],
  ],
  [
    "a taint whose text has commas and colons",
    "pod didn't trigger scale-up: 2 in backoff after failed scale-up, 3 node(s) had untolerated taint {a: b, c}, 12 node(s) didn't match Pod's node affinity/selector",
    [
      [2, "backoff"],
      [3, "template"],
      [12, "template"],
    ],
  ],
  [
    "a taint in the wording before 1.22",
    "pod didn't trigger scale-up: 1 node(s) had taint {nvidia.com/gpu: }, that the pod didn't tolerate, 1 max cluster cpu, memory limit reached",
    [
      [1, "template"],
      [1, "cluster-limit"],
    ],
  ],
  ["not ready", "pod didn't trigger scale-up: 1 not ready for scale-up", [[1, "not-ready"]]],
  ["none", "pod didn't trigger scale-up: ", []],
])("reads why no group grew: %s", (_, message, reasons) => {
  const found = words(says("NotTriggerScaleUp", message))?.notTriggered?.reasons;
  expect(found?.map(({ count, kind }) => [count, kind])).toEqual(reasons);
});

it("reads which groups were to grow, without their paths", () => {
  const url = "https://www.googleapis.com/compute/v1/projects/p/zones/z/instanceGroups/gke-c-l4-grp";
  const message = `pod triggered scale-up: [{${url} 0->1 (max: 3)} {asg-b 2->4 (max: 10)}]`;
  expect(words(says("TriggeredScaleUp", message))?.groups).toEqual([
    { name: "gke-c-l4-grp", max: 3 },
    { name: "asg-b", max: 10 },
  ]);
});

it("takes the newest of each kind", () => {
  const found = words(says("FailedScaleUp", "old", NOW - 5), says("FailedScaleUp", "new", NOW));
  expect(found?.failed?.message).toBe("new");
  expect(found?.triggered).toBeUndefined();
});

it("has nothing to say without events of an autoscaler", () => {
  expect(words(says("FailedScheduling", "0/1 nodes are available"))).toBeUndefined();
});
