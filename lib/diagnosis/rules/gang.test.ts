import { describe, expect, it } from "vitest";
import { buildFleet } from "../../layers/build-fleet.ts";
import { type Facts, NO_FACTS } from "../../model/facts/facts.ts";
import type { PodGroupRecord } from "../../model/facts/gangs.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { aNode, anEvent, aPod, aSnapshot, NOW } from "../../testing/builders.ts";
import { aCondition, aPodGroup } from "../../testing/queue-builders.ts";
import { diagnose } from "../diagnose.ts";

const NOT_READY =
  "pod group is not ready, 3 Pending, 3 minAvailable; Pending: 1 Unschedulable, 1 Undetermined, 1 Schedulable";

/** How each scheduler names the group of a pod. */
const VOLCANO = { schedulerName: "volcano", annotations: { "scheduling.k8s.io/group-name": "gang" } };
const KAI = { schedulerName: "kai-scheduler", annotations: { "pod-group-name": "gang" } };
const COSCHEDULING = { labels: { "scheduling.x-k8s.io/pod-group": "gang" } };

function member(name: string, overrides: Parameters<typeof aPod>[0] = {}): PodRecord {
  return aPod({ name, gpus: 8, ...VOLCANO, ...overrides });
}

function refusal(reason: string, message: string) {
  return { conditions: [aCondition({ type: "PodScheduled", status: "False", reason, message })] };
}

function verdictsOf(
  pods: readonly PodRecord[],
  snapshot: Parameters<typeof aSnapshot>[0] = {},
  groups: readonly PodGroupRecord[] = [aPodGroup({ minMember: pods.length })],
  facts: Partial<Facts> = {},
) {
  const podGroups = { known: true, items: groups };
  const all = { ...NO_FACTS, podGroups, ...facts };
  const nodes = snapshot.nodes ?? [aNode({ name: "a" })];
  return diagnose(buildFleet(aSnapshot({ ...snapshot, nodes, pods, facts: all }), NOW), NOW);
}

const three = (overrides: Parameters<typeof aPod>[0] = {}) =>
  ["w-0", "w-1", "w-2"].map((name) => member(name, overrides));

describe("a gang", () => {
  it.each([
    ["Volcano", VOLCANO, refusal("Undetermined", NOT_READY), "high"],
    [
      "KAI",
      KAI,
      refusal("Unschedulable", "Job cannot be scheduled: minimum number of pods is not met"),
      "high",
    ],
    [
      "coscheduling",
      COSCHEDULING,
      refusal("Unschedulable", "PodGroup ml/gang gets rejected due to Pod w-1 is unschedulable"),
      "high",
    ],
    ["one that says nothing of it", COSCHEDULING, {}, "medium"],
  ])("with room for a part of it only: %s", (_, scheduler, condition, certainty) => {
    const verdicts = verdictsOf(three({ ...scheduler, ...condition }));
    expect(verdicts).toHaveLength(3);
    for (const verdict of verdicts) {
      expect(verdict).toMatchObject({
        layer: "L3",
        reason: "GangIncomplete",
        certainty,
        gang: { placed: 0, size: 3 },
      });
      expect(verdict.sentence).toContain(
        "3 pods must be placed at once, 0 are, and there is room for 1 of the 3",
      );
    }
  });

  it("counts those that are placed", () => {
    const pods = [member("w-0", { nodeName: "b" }), member("w-1"), member("w-2")];
    const nodes = [aNode({ name: "a" }), aNode({ name: "b" })];
    const verdicts = verdictsOf(pods, { nodes });
    expect(verdicts.map(({ name, reason, gang }) => [name, reason, gang])).toEqual([
      ["w-1", "GangIncomplete", { placed: 1, size: 3 }],
      ["w-2", "GangIncomplete", { placed: 1, size: 3 }],
    ]);
  });

  it("is not what is wrong where nobody of it finds room", () => {
    const holder = aPod({ name: "holder", gpus: 8, nodeName: "a" });
    const [verdict] = verdictsOf([...three(), holder], {}, [aPodGroup({ minMember: 3 })]);
    expect(verdict?.reason).toBe("GpusBusy");
  });

  it("needs pods that do not exist", () => {
    const [verdict] = verdictsOf([member("w-0")], {}, [aPodGroup({ minMember: 4 })]);
    expect(verdict).toMatchObject({
      reason: "GangIncomplete",
      certainty: "high",
      gang: { placed: 0, size: 4 },
    });
    expect(verdict?.sentence).toContain("it needs 4 pods at once, and only 1 exists");
  });

  it("does not count members that have ended", () => {
    const pods = [member("w-0"), member("w-1", { phase: "Succeeded" })];
    const verdict = verdictsOf(pods, {}, [aPodGroup({ minMember: 2 })]).find(({ name }) => name === "w-0");
    expect(verdict?.sentence).toContain("only 1 exists");
  });

  it("names the member that is in the way of one that would fit", () => {
    const pods = [
      member("driver", { gpus: 1, ...refusal("Schedulable", "Pod ml/driver can possibly be assigned to a") }),
      member("w-0", {
        gpus: 8,
        nodeSelector: { gpu: "b200" },
        ...refusal("Unschedulable", "all nodes are unavailable: 1 node(s) didn't match Pod's node selector"),
      }),
    ];
    const verdicts = verdictsOf(pods);
    expect(verdicts.find(({ name }) => name === "driver")).toMatchObject({
      reason: "GangIncomplete",
      certainty: "high",
    });
    expect(verdicts.find(({ name }) => name === "driver")?.sentence).toContain("w-0 cannot be placed");
    expect(verdicts.find(({ name }) => name === "w-0")?.reason).toBe("RequestNeverFits");
  });

  it("that would fit by what is read is late, unless its scheduler says that the gang is not ready", () => {
    const nodes = ["a", "b", "c"].map((name) => aNode({ name }));
    expect(verdictsOf(three(), { nodes })[0]?.reason).toBe("SchedulerDelay");
    const events = [
      anEvent({
        about: { kind: "PodGroup", namespace: "ml", name: "gang", uid: "" },
        reason: "Unschedulable",
        message: NOT_READY,
      }),
    ];
    expect(verdictsOf(three(), { nodes, events })[0]).toMatchObject({
      reason: "GangIncomplete",
      certainty: "medium",
    });
  });

  it("waits for nodes that are lost, where those would hold the rest of it", () => {
    const nodes = [
      aNode({ name: "a" }),
      aNode({ name: "b", unschedulable: true }),
      aNode({ name: "c", unschedulable: true }),
    ];
    const [verdict] = verdictsOf(three(), { nodes });
    expect(verdict).toMatchObject({ layer: "L2", reason: "NodeCordoned", gang: { placed: 0, size: 3 } });
  });

  it("is not helped by fewer lost nodes than it lacks", () => {
    const nodes = [aNode({ name: "a" }), aNode({ name: "b", unschedulable: true })];
    expect(verdictsOf(three(), { nodes })[0]?.reason).toBe("GangIncomplete");
  });

  it("has its size from Volcano's messages where PodGroups cannot be read, and says so", () => {
    const pods = three(refusal("Undetermined", NOT_READY));
    const [verdict] = verdictsOf(pods, {}, [], { podGroups: { known: false, items: [] } });
    expect(verdict).toMatchObject({
      reason: "GangIncomplete",
      certainty: "medium",
      gang: { placed: 0, size: 3 },
    });
    expect(verdict?.certaintyWhy).toContain("cannot see PodGroups");
  });

  it.each([
    ["of one pod", [aPodGroup({ minMember: 1 })]],
    ["of unknown size", []],
  ])("%s is none", (_, groups) => {
    const verdicts = verdictsOf(three(), {}, groups);
    expect(verdicts.map(({ reason }) => reason)).not.toContain("GangIncomplete");
  });

  it("whose pods keep each other off a node needs a node for each", () => {
    const alone = {
      podAntiAffinity: [{ topologyKey: "kubernetes.io/hostname", selector: [], namespaces: [] }],
      hasPodPlacementRules: true,
    };
    const pods = ["w-0", "w-1"].map((name) => member(name, { ...alone, gpus: 1 }));
    expect(verdictsOf(pods)[0]?.reason).toBe("GangIncomplete");
  });
});
