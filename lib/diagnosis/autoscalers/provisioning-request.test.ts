import { expect, test } from "vitest";
import type { NodeGroupStatus, ProvisioningRequestRecord } from "../../model/facts/autoscaling.ts";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { Reason } from "../../model/reasons.ts";
import {
  aCondition,
  aNodeGroup,
  anAutoscalerStatus,
  aProvisioningRequest,
} from "../../testing/autoscaler-builders.ts";
import { aNode, aPod, NOW } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { aPodSet, aWorkload } from "../../testing/queue-builders.ts";
import { diagnose } from "../diagnose.ts";
import { provisioningVerdict } from "./provisioning-request.ts";

const known = <T>(items: readonly T[]) => ({ known: true, items });

const accepted = (minutes: number) =>
  aCondition(
    "Accepted",
    "True",
    minutes,
    "SuccessfullyQueued",
    "Provisioning Request was successfully queued.",
  );
const waits = (message = "") => aCondition("Provisioned", "False", 600, "Provisioned", message);
const details = { NodeGroupName: "gke-c-nap-a2-4h8w-grp", NodePoolName: "nap-a2-4h8w" };
const group = (name: string): NodeGroupStatus => aNodeGroup({ name });
const URL = "https://www.googleapis.com/compute/v1/projects/p/zones/z/instanceGroups/";

interface Row {
  readonly title: string;
  readonly request: Partial<ProvisioningRequestRecord>;
  readonly groups?: readonly NodeGroupStatus[];
  readonly nodes?: readonly ReturnType<typeof aNode>[];
  readonly reason: Reason | undefined;
  readonly certainty?: string;
}

const ROWS: readonly Row[] = [
  {
    title: "accepted on a node group that is gone",
    request: { conditions: [accepted(600), waits()], details },
    groups: [group(`${URL}gke-c-default-grp`)],
    reason: "AutoscalerNotActing",
    certainty: "high",
  },
  {
    title: "accepted on a node group that is there",
    request: { conditions: [accepted(600), waits()], details },
    groups: [group(`${URL}gke-c-nap-a2-4h8w-grp`)],
    reason: "CloudStockout",
    certainty: "medium",
  },
  {
    title: "accepted on a node pool that has a node",
    request: { conditions: [accepted(600), waits()], details },
    groups: [group("other")],
    nodes: [aNode({ labels: { "cloud.google.com/gke-nodepool": "nap-a2-4h8w" } })],
    reason: "CloudStockout",
  },
  {
    title: "accepted, the status of the autoscaler unread",
    request: { conditions: [accepted(600), waits()], details },
    reason: "CloudStockout",
    certainty: "medium",
  },
  {
    title: "the provider says that there is no stock",
    request: {
      conditions: [
        accepted(600),
        waits("Waiting for resources. Currently there are not enough resources available."),
      ],
    },
    reason: "CloudStockout",
    certainty: "high",
  },
  {
    title: "the provider names a quota",
    request: { conditions: [accepted(600), waits("Quota 'NVIDIA_H100_GPUS' exceeded. Limit: 0.0")] },
    reason: "QuotaExceeded",
  },
  ...["Max nodepool size reached", "max node group size reached", "max cluster cpu limit reached"].map(
    (message): Row => ({
      title: `failed: ${message}`,
      request: {
        conditions: [accepted(600), waits(), aCondition("Failed", "True", 30, "NotProvisioned", message)],
      },
      reason: "AutoscalerLimitReached",
      certainty: "high",
    }),
  ),
  {
    title: "no node group to grow, and tried again later",
    request: {
      className: "best-effort-atomic-scale-up.autoscaling.x-k8s.io",
      conditions: [
        accepted(600),
        aCondition(
          "Provisioned",
          "False",
          30,
          "CapacityIsNotFound",
          "Capacity is not found, CA will try to find it later.",
        ),
      ],
    },
    reason: "AutoscalerNotActing",
    certainty: "medium",
  },
  {
    title: "no room on the nodes, for a class that launches nothing",
    request: {
      className: "check-capacity.autoscaling.x-k8s.io",
      conditions: [
        accepted(600),
        aCondition("Failed", "True", 30, "CapacityIsNotFound", "CA could not find requested capacity"),
      ],
    },
    reason: "GpusBusy",
    certainty: "medium",
  },
  {
    title: "failed without a word",
    request: { conditions: [aCondition("Failed", "True", 5, "Failed", "Provisioning Request has failed.")] },
    reason: "NodeLaunchFailed",
    certainty: "low",
  },
  {
    title: "taken back",
    request: {
      conditions: [
        accepted(600),
        aCondition("Provisioned", "True", 500),
        aCondition("CapacityRevoked", "True", 5),
      ],
    },
    reason: "ReservationEnded",
  },
  {
    title: "taken up by nobody",
    request: { createdAt: NOW - 3_600_000 },
    reason: "AutoscalerNotActing",
  },
  {
    title: "waits for room on the nodes that there are",
    request: {
      className: "check-capacity.autoscaling.x-k8s.io",
      conditions: [accepted(600), waits("Capacity is not found")],
    },
    reason: "GpusBusy",
  },
  {
    title: "served",
    request: { conditions: [accepted(600), aCondition("Provisioned", "True", 500)] },
    reason: undefined,
  },
  { title: "just accepted", request: { conditions: [accepted(3), waits()] }, reason: undefined },
  { title: "just made", request: { createdAt: NOW - 60_000 }, reason: undefined },
];

test.each(ROWS)("$title: $reason", ({ request, groups, nodes = [], reason, certainty }) => {
  const autoscalerStatus = known(groups ? [anAutoscalerStatus(...groups)] : []);
  const fleet = aFleet({ nodes, facts: { ...NO_FACTS, autoscalerStatus } });
  const finding = provisioningVerdict(aProvisioningRequest(request), "job-1", fleet, NOW);
  expect(finding?.reason).toBe(reason);
  if (certainty) expect(finding?.sure.certainty).toBe(certainty);
});

test("a pod that consumes a request speaks through it", () => {
  const annotations = { "autoscaling.x-k8s.io/consume-provisioning-request": "pr" };
  const request = aProvisioningRequest({
    name: "pr",
    conditions: [accepted(600), waits("ZONE_RESOURCE_POOL_EXHAUSTED")],
  });
  const fleet = aFleet({
    pods: [aPod({ name: "trainer", annotations })],
    facts: { ...NO_FACTS, provisioningRequests: known([request]) },
  });
  expect(diagnose(fleet, NOW)).toMatchObject([{ name: "trainer", reason: "CloudStockout", layer: "L1" }]);
});

test("a workload whose admission check waits for a request speaks through it", () => {
  const workload = aWorkload({
    name: "job-1",
    uid: "w-1",
    conditions: [aCondition("QuotaReserved", "True", 100)],
    podSets: [aPodSet({ gpus: 4, count: 2 })],
    clusterQueue: "cq",
    checks: [{ name: "dws", state: "Pending", message: "" }],
  });
  const { podSets: _, ...object } = workload;
  const check = {
    ...object,
    name: "dws",
    kind: "AdmissionCheck",
    controller: "kueue.x-k8s.io/provisioning-request",
  };
  const owner = { kind: "Workload", name: "job-1", uid: "w-1" };
  const old = aProvisioningRequest({
    name: "job-1-dws-1",
    owner,
    createdAt: NOW - 7_000_000,
    conditions: [aCondition("Failed", "True", 90)],
  });
  const newest = aProvisioningRequest({
    name: "job-1-dws-2",
    owner,
    createdAt: NOW - 5_000_000,
    conditions: [accepted(80), waits("Quota exceeded")],
  });
  const facts = { ...NO_FACTS, workloads: known([workload]), admissionChecks: known([check]) };
  const on = (requests: readonly ProvisioningRequestRecord[]) =>
    diagnose(aFleet({ facts: { ...facts, provisioningRequests: known(requests) } }), NOW);
  expect(on([old, newest])).toMatchObject([
    { kind: "Workload", name: "job-1", reason: "QuotaExceeded", gpus: 8 },
  ]);
  expect(on([])).toMatchObject([{ reason: "AutoscalerNotActing", certainty: "medium" }]);
});
