import { expect, test } from "vitest";
import type { NodePoolRecord } from "../../model/facts/karpenter.ts";
import type { Reason } from "../../model/reasons.ts";
import { aNodePool } from "../../testing/autoscaler-builders.ts";
import { aReservation, NOW } from "../../testing/builders.ts";
import { eventOf, type LaunchCluster, launchFleet, STUCK } from "../../testing/launch-cluster.ts";
import { diagnose } from "../diagnose.ts";
import type { Verdict } from "../verdict.ts";

// What Karpenter 1.9 writes, word for word, of pools called gpu and other.

const gpu = (overrides: Partial<NodePoolRecord> = {}) => aNodePool({ name: "gpu", ...overrides });
const said = (message: string) => eventOf(STUCK, "FailedScheduling", `Failed to schedule pod, ${message}`, 1);
const tried = (pool: string) =>
  `requirements=karpenter.sh/capacity-type In [on-demand], karpenter.sh/nodepool In [${pool}], node.kubernetes.io/instance-type In [g5.xlarge], topology.kubernetes.io/zone In [us-east-1b], resources={"nvidia.com/gpu":"1","pods":"2"}`;
const otherPool =
  "incompatible requirements, key karpenter.sh/nodepool, karpenter.sh/nodepool In [gpu] not in karpenter.sh/nodepool In [other]";
const leftOut = (pool: string, message: string, minutes: number) =>
  eventOf(
    { kind: "NodePool", name: pool, namespace: "", uid: "" },
    "NoCompatibleInstanceTypes",
    message,
    minutes,
  );
const FILTERED = "NodePool requirements filtered out all compatible available instance types";

interface Row {
  readonly title: string;
  readonly cluster: LaunchCluster;
  readonly reason: Reason;
  readonly evidence?: string;
}

const ROWS: readonly Row[] = [
  {
    title: "no offering is left, told among the requirements that it tried",
    cluster: {
      pools: [gpu()],
      events: [said(`no instance type has the required offering, ${tried("gpu")}; ${otherPool}`)],
    },
    reason: "CloudStockout",
    evidence: "no instance type has the required offering",
  },
  {
    title: "no offering of another pool is left",
    cluster: {
      pools: [gpu()],
      events: [said(`no instance type has the required offering, ${tried("other")}`)],
    },
    reason: "AutoscalerNotActing",
  },
  {
    title: "the pod does not fit what the pool makes, told with the same list",
    cluster: {
      pools: [gpu()],
      events: [said(`no instance type has enough resources, ${tried("gpu")}`)],
    },
    reason: "RequestNeverFits",
    evidence: "no instance type has enough resources",
  },
  {
    title: "the pod asks for a label that only a running node gets",
    cluster: {
      pools: [gpu()],
      pod: { nodeSelector: { "nvidia.com/gpu.product": "NVIDIA-A10G" } },
      events: [
        said(
          'incompatible with nodepool "gpu", daemonset overhead={}, incompatible requirements, label "nvidia.com/gpu.product" does not have known values',
        ),
      ],
    },
    reason: "RequestNeverFits",
  },
  {
    title: "the limits leave no room, told without numbers",
    cluster: {
      pools: [gpu({ limits: { "nvidia.com/gpu": 4 } })],
      events: [said('all available instance types exceed limits for nodepool: "gpu"')],
    },
    reason: "AutoscalerLimitReached",
  },
  {
    title: "the pool is left out, and the pod hears only of the other one",
    cluster: { pools: [gpu()], events: [leftOut("gpu", FILTERED, 1), said(otherPool)] },
    reason: "CloudStockout",
    evidence: FILTERED,
  },
  {
    title: "the pool is left out for too few kinds of machines, whatever is available",
    cluster: {
      pools: [gpu()],
      events: [leftOut("gpu", `${FILTERED} due to minValues incompatibility`, 1), said(otherPool)],
    },
    reason: "AutoscalerNotActing",
  },
  {
    title: "the pool is left out, and paid slots are free",
    cluster: {
      pools: [gpu()],
      events: [leftOut("gpu", FILTERED, 1), said(otherPool)],
      reservations: [aReservation({ id: "cr-1", instanceType: "g5.xlarge", gpusPerInstance: 1, count: 2 })],
    },
    reason: "CapacityNotLaunched",
  },
];

test.each(ROWS)("$title: $reason", ({ cluster, reason, evidence }) => {
  const verdict = diagnose(launchFleet(cluster), NOW).find(({ name }) => name === "stuck");
  expect(verdict?.reason).toBe(reason);
  if (evidence !== undefined) expect(valuesOf(verdict)).toContain(evidence);
});

function valuesOf(verdict: Verdict | undefined): string {
  return verdict?.evidence.map(({ value }) => value).join("\n") ?? "";
}
