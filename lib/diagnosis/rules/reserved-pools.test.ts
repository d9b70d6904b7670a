import { expect, test } from "vitest";
import type { NodeClassReservation } from "../../model/facts/karpenter.ts";
import type { Reason } from "../../model/reasons.ts";
import { aCondition, aNodeClass, aNodePool, oneOf } from "../../testing/autoscaler-builders.ts";
import { aReservation, NOW } from "../../testing/builders.ts";
import { type LaunchCluster, launchFleet } from "../../testing/launch-cluster.ts";
import { diagnose } from "../diagnose.ts";

const reserved = aNodePool({
  name: "gpu",
  requirements: [
    oneOf("node.kubernetes.io/instance-type", "g5.xlarge"),
    oneOf("karpenter.sh/capacity-type", "reserved"),
  ],
});
const listed = (overrides: Partial<NodeClassReservation> = {}): NodeClassReservation => ({
  id: "cr-1",
  instanceType: "g5.xlarge",
  zone: undefined,
  state: "active",
  ...overrides,
});
const withClass = (...capacityReservations: readonly NodeClassReservation[]): LaunchCluster => ({
  pools: [reserved],
  classes: [aNodeClass({ capacityReservations })],
});

test.each<[string, LaunchCluster, Reason]>([
  ["none is there", withClass(), "NoCapacitySource"],
  ["one of another type", withClass(listed({ instanceType: "p5.48xlarge" })), "NoCapacitySource"],
  ["one that is about to end", withClass(listed({ state: "expiring" })), "ReservationEnded"],
  ["one is active", withClass(listed()), "AutoscalerNotActing"],
  ["the node class is not there", { pools: [reserved] }, "AutoscalerNotActing"],
  [
    "another pool launches without",
    { pools: [reserved, aNodePool({ name: "od" })], classes: [aNodeClass()] },
    "AutoscalerNotActing",
  ],
  [
    "what the reservations themselves say goes before",
    {
      ...withClass(),
      reservations: [
        aReservation({
          instanceType: "g5.xlarge",
          gpusPerInstance: 1,
          start: NOW + 86_400_000,
        }),
      ],
    },
    "ReservationNotStarted",
  ],
])("%s: %3$s", (_, cluster, reason) => {
  const verdict = diagnose(launchFleet(cluster), NOW).find(({ name }) => name === "stuck");
  expect(verdict?.reason).toBe(reason);
});

test.each<[string, number, Reason]>([
  ["since an hour", 60, "NodeLaunchFailed"],
  ["since it is new", 2, "AutoscalerNotActing"],
])("nobody knows whether the node class is ready, %s: %3$s", (_, minutes, reason) => {
  const unknown = [aCondition("Ready", "Unknown", minutes, "ReconcilingDependents")];
  const cluster = { pools: [aNodePool({ name: "gpu" })], classes: [aNodeClass({ conditions: unknown })] };
  const verdict = diagnose(launchFleet(cluster), NOW).find(({ name }) => name === "stuck");
  expect(verdict?.reason).toBe(reason);
});
