import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aPod, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { diagnose } from "./diagnose.ts";
import { groupVerdicts } from "./group-verdicts.ts";

type PodParts = Parameters<typeof aPod>[0];

const owner = (kind: string, name: string) => ({ owner: { kind, name, uid: `uid-${name}` } });

/** The names of the pods of each entry, for pods that nothing in the cluster could hold. */
function entriesOf(pods: readonly PodParts[]): string[][] {
  const verdicts = diagnose(aFleet({ pods: pods.map(aPod) }), NOW);
  return groupVerdicts(verdicts).map(({ members }) => members.map(({ name }) => name));
}

describe("groupVerdicts", () => {
  test.each<[string, PodParts[], string[][]]>([
    [
      "replicas of one owner",
      [
        { name: "a-0", ...owner("ReplicaSet", "a") },
        { name: "a-1", ...owner("ReplicaSet", "a") },
      ],
      [["a-0", "a-1"]],
    ],
    [
      "roles of one owner that ask for different things, since they are one job",
      [
        { name: "j-master", gpus: 1, ...owner("PyTorchJob", "j") },
        { name: "j-worker", gpus: 8, ...owner("PyTorchJob", "j") },
      ],
      [["j-master", "j-worker"]],
    ],
    ["bare pods that are alike to the scheduler", [{ name: "a" }, { name: "b" }], [["a", "b"]]],
    [
      "the Jobs of a sweep",
      [
        { name: "run-1", ...owner("Job", "run-1") },
        { name: "run-2", ...owner("Job", "run-2") },
      ],
      [["run-1", "run-2"]],
    ],
  ])("makes one entry of %s", (_, pods, expected) => {
    expect(entriesOf(pods)).toEqual(expected);
  });

  test.each<[string, PodParts[]]>([
    [
      "two Deployments, however alike",
      [
        { name: "a", ...owner("ReplicaSet", "a") },
        { name: "b", ...owner("ReplicaSet", "b") },
      ],
    ],
    ["bare pods that ask for different things", [{ name: "a", gpus: 8 }, { name: "b" }]],
    ["pods of two namespaces", [{ name: "a" }, { name: "b", namespace: "other" }]],
  ])("keeps %s apart", (_, pods) => {
    expect(entriesOf(pods)).toHaveLength(2);
  });

  test("the one that waits longest speaks for all", () => {
    const since = (time: number) => ({
      conditions: [
        {
          type: "PodScheduled",
          status: "False",
          reason: "Unschedulable",
          message: "",
          lastTransitionTime: time,
        },
      ] as const,
    });
    const pods = [
      { name: "a", ...since(NOW - 60_000) },
      { name: "b", ...since(NOW - 120_000) },
    ];
    expect(entriesOf(pods)).toEqual([["b", "a"]]);
  });

  test("loses and doubles none, whatever joins whom", () => {
    const anyPod = fc.record({
      gpus: fc.integer({ min: 1, max: 2 }),
      owner: fc.option(
        fc.record({ kind: fc.constantFrom("Job", "ReplicaSet"), name: fc.constantFrom("x", "y", "z") }),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(fc.array(anyPod, { maxLength: 12 }), (parts) => {
        const pods = parts.map(({ gpus, owner: by }, index) =>
          aPod({ name: `p${index}`, gpus, owner: by && { ...by, uid: by.name } }),
        );
        const verdicts = diagnose(aFleet({ pods }), NOW);
        const groups = groupVerdicts(verdicts);
        const names = groups.flatMap(({ members }) => members.map(({ name }) => name));
        expect(names.sort()).toEqual(pods.map(({ name }) => name).sort());
        expect(groups.reduce((sum, { gpus }) => sum + gpus, 0)).toBe(
          verdicts.reduce((sum, { gpus }) => sum + gpus, 0),
        );
      }),
    );
  });

  test("works one list of verdicts out once", () => {
    const verdicts = diagnose(aFleet({ pods: [aPod()] }), NOW);
    expect(groupVerdicts(verdicts)).toBe(groupVerdicts(verdicts));
  });
});
