import { describe, expect, it } from "vitest";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { NodePoolRecord } from "../../model/facts/karpenter.ts";
import type { NodeSelectorRequirement } from "../../model/kubernetes.ts";
import { aNodePool, oneOf } from "../../testing/autoscaler-builders.ts";
import { aPod, aReservation } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { askOf } from "../ask.ts";
import { slotFits } from "./slot-fit.ts";

const POOL = "karpenter.sh/nodepool";
const FAMILY = "karpenter.k8s.aws/instance-family";
const TYPE = "node.kubernetes.io/instance-type";
const ZONE = "topology.kubernetes.io/zone";

const named = (name: string, ...requirements: readonly NodeSelectorRequirement[]) =>
  aNodePool({ name, requirements });

/** How a pod that selects so fits an empty slot of a g5.2xlarge in us-east-1a. */
function fitOf(selected: NodeSelectorRequirement, pools: readonly NodePoolRecord[] = []) {
  const pod = aPod({
    gpus: 1,
    nodeAffinity: [{ matchExpressions: [selected], matchFields: [] }],
  });
  const reservation = aReservation({
    provider: "aws",
    instanceType: "g5.2xlarge",
    gpuModel: "A10G",
    gpusPerInstance: 1,
    zone: "us-east-1a",
  });
  const facts = { ...NO_FACTS, nodePools: { known: true, items: pools } };
  const fleet = aFleet({ pods: [pod], reservations: [reservation], facts });
  const [fit] = slotFits(pod, askOf(pod, []), fleet);
  return fit ? { free: fit.free, sure: fit.sure } : undefined;
}

const LIKELY = { free: 1, sure: false };

describe("a slot that has had no machine, and a pod that selects a node pool of Karpenter", () => {
  const one = oneOf(POOL, "one");
  it.each<[string, NodeSelectorRequirement, readonly NodePoolRecord[], typeof LIKELY | undefined]>([
    ["which nobody knows", one, [named("two", oneOf(FAMILY, "g6"))], LIKELY],
    ["of its instance type", one, [named("one", oneOf(TYPE, "g5.2xlarge"))], LIKELY],
    ["of another instance type", one, [named("one", oneOf(TYPE, "g6.2xlarge"))], undefined],
    ["of its family", one, [named("one", oneOf(FAMILY, "g5", "g6"))], LIKELY],
    ["of another family", one, [named("one", oneOf(FAMILY, "g6"))], undefined],
    [
      "of all families but its own",
      one,
      [named("one", { ...oneOf(FAMILY, "g5"), operator: "NotIn" })],
      undefined,
    ],
    [
      "of newer generations",
      one,
      [named("one", { ...oneOf("karpenter.k8s.aws/instance-generation", "5"), operator: "Gt" })],
      undefined,
    ],
    ["of another zone", one, [named("one", oneOf(ZONE, "us-east-1b"))], undefined],
    ["of labels that its type does not tell", one, [named("one", oneOf("team", "vision"))], LIKELY],
    [
      "or another one that may launch it",
      oneOf(POOL, "one", "two"),
      [named("one", oneOf(FAMILY, "g6")), named("two", oneOf(FAMILY, "g5"))],
      LIKELY,
    ],
    ["by its older name", one, [{ ...named("one", oneOf(FAMILY, "g6")), kind: "Provisioner" }], LIKELY],
    [
      "by its older name and label",
      oneOf("karpenter.sh/provisioner-name", "one"),
      [{ ...named("one", oneOf(FAMILY, "g6")), kind: "Provisioner" }],
      undefined,
    ],
    [
      "other than the one that may not",
      { ...one, operator: "NotIn" },
      [named("one", oneOf(FAMILY, "g6"))],
      LIKELY,
    ],
  ])("%s", (_, selected, pools, fit) => expect(fitOf(selected, pools)).toEqual(fit));
});

it.each([
  ["g5", LIKELY],
  ["g6", undefined],
])("family %s, as Karpenter labels it", (family, fit) => expect(fitOf(oneOf(FAMILY, family))).toEqual(fit));

it("a label of which nobody knows", () => expect(fitOf(oneOf("constructor", "x"))).toEqual(LIKELY));

it("its own instance type", () => expect(fitOf(oneOf(TYPE, "g5.2xlarge"))).toEqual({ free: 1, sure: true }));
