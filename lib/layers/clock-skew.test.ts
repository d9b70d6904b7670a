import { expect, it } from "vitest";
import type { NodeRecord, PodRecord } from "../model/kubernetes.ts";
import { aNode, aPod, aSnapshot, NOW } from "../testing/builders.ts";
import { buildFleet } from "./build-fleet.ts";

const ready = (at: number) => [
  { type: "Ready", status: "True", reason: "", message: "", lastTransitionTime: at } as const,
];
const skews = (nodes: NodeRecord[], pods: PodRecord[] = []) =>
  buildFleet(aSnapshot({ nodes, pods }), NOW)
    .issues.filter((issue) => issue.code === "ClockSkew")
    .map((issue) => `${issue.object?.kind} ${issue.object?.name}: ${/\d+ m/.exec(issue.message)?.[0]}`);

it.each<[string, NodeRecord[], PodRecord[], string[]]>([
  ["a moment ahead is nobody's fault", [aNode({ conditions: ready(NOW + 59_000) })], [], []],
  [
    "a condition ten minutes ahead",
    [aNode({ name: "a", conditions: ready(NOW + 600_000) })],
    [],
    ["Node a: 10 m"],
  ],
  ["a node made in the future", [aNode({ name: "a", createdAt: NOW + 3_600_000 })], [], ["Node a: 60 m"]],
  ["a pod made in the future", [], [aPod({ name: "p", createdAt: NOW + 120_000 })], ["Pod p: 2 m"]],
  ["no times at all", [aNode({ createdAt: undefined, conditions: [] })], [], []],
])("clock skew: %s", (_, nodes, pods, expected) => {
  expect(skews(nodes, pods)).toEqual(expected);
});
