import { expect, it } from "vitest";
import { buildFleet } from "../layers/build-fleet.ts";
import { NO_FACTS } from "../model/facts/facts.ts";
import type { Reservation } from "../model/reservation.ts";
import { aCondition, aNodeClaim } from "../testing/autoscaler-builders.ts";
import { aReservation, aSnapshot, NOW } from "../testing/builders.ts";
import { classifyPool } from "./classify.ts";
import { buildLosses } from "./losses.ts";
import { buildPoolView } from "./pool-view.ts";

/** The first pool of a cluster that has no node, and one machine of 8 GPUs that has been launched. */
function poolOf(labels: Readonly<Record<string, string>>, reservations: readonly Reservation[]) {
  const claim = aNodeClaim({
    name: "gpu-8wq2z",
    providerId: "aws:///us-east-1a/i-0a",
    labels: {
      "node.kubernetes.io/instance-type": "p5.48xlarge",
      "topology.kubernetes.io/region": "us-east-1",
      "karpenter.sh/nodepool": "gpu",
      ...labels,
    },
    conditions: [aCondition("Launched", "True", 26)],
  });
  const facts = { ...NO_FACTS, nodeClaims: { known: true, items: [claim] } };
  const fleet = buildFleet(aSnapshot({ reservations, facts }), NOW);
  const [pool] = fleet.pools;
  if (!pool) throw new Error("there is no pool");
  const members = classifyPool(pool, fleet);
  const losses = buildLosses(
    pool,
    members.flatMap(({ entries }) => entries),
    { firstSeen: new Map(), owners: [] },
  );
  const view = buildPoolView(pool, members);
  const stages = view.stages.flatMap(({ stage, gpus }) => (gpus ? [[stage, gpus]] : []));
  return { view, losses, stages: Object.fromEntries(stages) };
}

it("takes a slot of the reservation that the machine names, which is neither free nor used elsewhere", () => {
  const labels = {
    "karpenter.k8s.aws/capacity-reservation-id": "cr-1",
    "karpenter.sh/capacity-type": "reserved",
  };
  const slots = aReservation({ id: "cr-1", provider: "aws", count: 3, used: 1 });
  const { view, losses, stages } = poolOf(labels, [slots]);
  expect(stages).toEqual({ "not-registered": 8, "not-launched": 16 });
  expect(view.reservation).toMatchObject({ launched: 1, free: 2 });
  expect(losses.find(({ stage }) => stage === "not-registered")).toMatchObject({
    title: "Not registered",
    objects: [{ kind: "NodeClaim", name: "gpu-8wq2z" }],
    owner: "platform team",
    since: new Date(NOW - 26 * 60_000).toISOString(),
  });
});

it("is paid for outside reservations too, in its node pool", () => {
  const { view, stages } = poolOf({ "karpenter.sh/capacity-type": "on-demand" }, []);
  expect(stages).toEqual({ "not-registered": 8 });
  expect(view).toMatchObject({
    id: "node-pool/gpu",
    nodes: 0,
    instanceTypes: ["p5.48xlarge"],
    capacityType: "on-demand",
    gpuModel: "H100",
    rate: { source: "list" },
  });
});
