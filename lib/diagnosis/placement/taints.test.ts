import { describe, expect, it } from "vitest";
import type { Taint, Toleration } from "../../model/kubernetes.ts";
import { aNode, aPod } from "../../testing/builders.ts";
import { taintInWords, untoleratedTaints } from "./taints.ts";

const taint = (key: string, value = "", effect: Taint["effect"] = "NoSchedule"): Taint => ({
  key,
  value,
  effect,
  timeAdded: undefined,
});
const toleration = (key: string, operator = "", value = "", effect = ""): Toleration => ({
  key,
  operator,
  value,
  effect,
});

describe("tolerations", () => {
  const research = taint("dedicated", "research");
  const rows: readonly (readonly [
    title: string,
    tolerations: Toleration[],
    against: Taint,
    tolerated: boolean,
  ])[] = [
    ["none", [], research, false],
    ["Equal", [toleration("dedicated", "Equal", "research", "NoSchedule")], research, true],
    ["no operator is Equal", [toleration("dedicated", "", "research")], research, true],
    ["Equal, another value", [toleration("dedicated", "Equal", "prod")], research, false],
    ["Exists takes any value", [toleration("dedicated", "Exists")], research, true],
    ["Exists, another key", [toleration("other", "Exists")], research, false],
    ["an empty key with Exists takes all", [toleration("", "Exists")], research, true],
    ["an empty key with Equal takes none", [toleration("", "Equal", "research")], research, false],
    ["another effect", [toleration("dedicated", "Exists", "", "NoExecute")], research, false],
    [
      "an empty effect takes every one",
      [toleration("dedicated", "Exists")],
      taint("dedicated", "", "NoExecute"),
      true,
    ],
    ["an unknown operator", [toleration("dedicated", "Like", "research")], research, false],
    ["PreferNoSchedule is no obstacle", [], taint("dedicated", "", "PreferNoSchedule"), true],
  ];
  it.each(rows)("%s", (_, tolerations, against, tolerated) => {
    const found = untoleratedTaints(aPod({ tolerations }), aNode({ taints: [against] }));
    expect(found.dedicated === undefined).toBe(tolerated);
  });
});

describe("whose taint it is", () => {
  it("tells a dedicated node from one in maintenance", () => {
    const node = aNode({ taints: [taint("node.kubernetes.io/not-ready"), taint("dedicated")] });
    const found = untoleratedTaints(aPod(), node);
    expect([found.lifecycle?.key, found.dedicated?.key]).toEqual([
      "node.kubernetes.io/not-ready",
      "dedicated",
    ]);
  });
  it("takes a cordon for the taint that the scheduler makes of it", () => {
    expect(untoleratedTaints(aPod(), aNode({ unschedulable: true })).lifecycle?.key).toBe(
      "node.kubernetes.io/unschedulable",
    );
    const pod = aPod({ tolerations: [toleration("node.kubernetes.io/unschedulable", "Exists")] });
    expect(untoleratedTaints(pod, aNode({ unschedulable: true })).lifecycle).toBeUndefined();
  });
});

it("writes taints as kubectl does", () => {
  expect([taintInWords(taint("a", "b")), taintInWords(taint("a", "", "NoExecute"))]).toEqual([
    "a=b:NoSchedule",
    "a:NoExecute",
  ]);
});
