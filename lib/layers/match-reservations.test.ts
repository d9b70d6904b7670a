import { describe, expect, it } from "vitest";
import type { NodeRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import { aNode, aReservation, NOW } from "../testing/builders.ts";
import { matchReservations } from "./match-reservations.ts";

const KARPENTER = "karpenter.k8s.aws/capacity-reservation-id";
const P5 = { "node.kubernetes.io/instance-type": "p5.48xlarge", "topology.kubernetes.io/zone": "us-east-1a" };
const open = (id: string, rest: Partial<Reservation> = {}) =>
  aReservation({ id, selector: undefined, instanceType: "p5.48xlarge", zone: "us-east-1a", ...rest });

function match(nodes: NodeRecord[], reservations: Reservation[]) {
  const { ofNode, issues } = matchReservations(nodes, reservations, NOW);
  return {
    slots: Object.fromEntries(
      [...ofNode].map(([name, found]) => [name, `${found.reservation.id} by ${found.rule}`]),
    ),
    issues: issues.map((issue) => `${issue.object?.name} ${issue.code}`),
  };
}

describe("which reservation a node runs on", () => {
  const cases: [string, NodeRecord[], Reservation[], ReturnType<typeof match>][] = [
    [
      "by a label that carries the id",
      [aNode({ name: "a", labels: { [KARPENTER]: "cr-1" } })],
      [aReservation({ id: "cr-1" })],
      { slots: { a: "cr-1 by label" }, issues: [] },
    ],
    [
      "by the user's selector, all of its labels",
      [aNode({ name: "a", labels: { pool: "r" } }), aNode({ name: "b", labels: { pool: "other" } })],
      [aReservation({ id: "r", count: 2 })],
      { slots: { a: "r by selector" }, issues: [] },
    ],
    [
      "by the start of its providerID",
      [aNode({ name: "a", providerId: "lambda://i-1" }), aNode({ name: "b", providerId: "aws:///z/i-2" })],
      [aReservation({ id: "r", count: 2, selector: { matchLabels: {}, providerIdPrefix: "lambda://" } })],
      { slots: { a: "r by selector" }, issues: [] },
    ],
    [
      "an empty selector selects nothing, not everything",
      [aNode({ name: "a" })],
      [aReservation({ id: "r", selector: { matchLabels: {}, providerIdPrefix: undefined } })],
      { slots: {}, issues: [] },
    ],
    [
      "without a selector by instance type and zone, marked as inferred",
      [
        aNode({ name: "a", labels: P5 }),
        aNode({ name: "b", labels: { ...P5, "topology.kubernetes.io/zone": "us-east-1b" } }),
      ],
      [open("r", { count: 2 })],
      { slots: { a: "r by inferred" }, issues: [] },
    ],
    [
      "a spot machine takes no slot by inference",
      [aNode({ name: "a", labels: { ...P5, "karpenter.sh/capacity-type": "spot" } })],
      [open("r")],
      { slots: {}, issues: [] },
    ],
    [
      "the label beats the selector, the selector an inference",
      [
        aNode({ name: "a", labels: { ...P5, [KARPENTER]: "cr-1", pool: "r" } }),
        aNode({ name: "b", labels: { ...P5, pool: "r" } }),
      ],
      [open("o", { count: 2 }), aReservation({ id: "r", count: 2 }), aReservation({ id: "cr-1" })],
      { slots: { a: "cr-1 by label", b: "r by selector" }, issues: [] },
    ],
    [
      "more nodes than slots: the older ones have them",
      [
        aNode({ name: "young", createdAt: NOW - 1, labels: { pool: "r" } }),
        aNode({ name: "old", createdAt: NOW - 2, labels: { pool: "r" } }),
      ],
      [aReservation({ id: "r", count: 1 })],
      { slots: { old: "r by selector" }, issues: ["young MoreNodesThanSlots"] },
    ],
    [
      "of two that match, the one that ends first, then the next",
      [
        aNode({ name: "a", createdAt: NOW - 2, labels: { pool: "x" } }),
        aNode({ name: "b", createdAt: NOW - 1, labels: { pool: "x" } }),
      ],
      [
        aReservation({
          id: "later",
          end: NOW + 2,
          selector: { matchLabels: { pool: "x" }, providerIdPrefix: undefined },
        }),
        aReservation({
          id: "sooner",
          end: NOW + 1,
          selector: { matchLabels: { pool: "x" }, providerIdPrefix: undefined },
        }),
      ],
      {
        slots: { a: "sooner by selector", b: "later by selector" },
        issues: ["a NodeMatchesSeveralReservations", "b NodeMatchesSeveralReservations"],
      },
    ],
    [
      "an ended reservation has no slots, and its nodes say so",
      [aNode({ name: "a", labels: { pool: "r" } })],
      [aReservation({ id: "r", end: NOW })],
      { slots: {}, issues: ["a NodeOfInactiveReservation"] },
    ],
    [
      "a future one neither",
      [aNode({ name: "a", labels: { pool: "r" } })],
      [aReservation({ id: "r", start: NOW + 1 })],
      { slots: {}, issues: ["a NodeOfInactiveReservation"] },
    ],
  ];
  it.each(cases)("%s", (_, nodes, reservations, expected) => {
    expect(match(nodes, reservations)).toEqual(expected);
    expect(match([...nodes].reverse(), [...reservations].reverse()).slots).toEqual(expected.slots);
  });
});
