import { expect, it, test } from "vitest";
import type { NodePoolRecord } from "../model/facts/karpenter.ts";
import { layerOf, type Reason } from "../model/reasons.ts";
import { aCondition, aNodeClaim, aNodeClass, aNodePool, oneOf } from "../testing/autoscaler-builders.ts";
import { aNode, aReservation, NOW } from "../testing/builders.ts";
import { BUSY, eventOf, type LaunchCluster, launchFleet, STUCK } from "../testing/launch-cluster.ts";
import { diagnose } from "./diagnose.ts";
import type { Certainty, Verdict } from "./verdict.ts";

interface Row {
  readonly title: string;
  readonly cluster: LaunchCluster;
  readonly reason: Reason;
  readonly certainty?: Certainty;
  readonly says?: RegExp;
}

function verdictOn(cluster: LaunchCluster): Verdict | undefined {
  return diagnose(launchFleet(cluster), NOW).find(({ name }) => name === "stuck");
}

const minutesAgo = (minutes: number) => NOW - minutes * 60_000;
const karpenterSays = (message: string, minutes = 1) => eventOf(STUCK, "FailedScheduling", message, minutes);
const claimAs = (name: string) => ({ kind: "NodeClaim", name, namespace: "", uid: "" });
const refused = (message: string, minutes: number, claim = "gpu-abcde") =>
  eventOf(
    claimAs(claim),
    "InsufficientCapacityError",
    `NodeClaim ${claim} event: creating instance, insufficient capacity, with fleet error(s), ${message}`,
    minutes,
  );
const nominated = (claim: string, minutes: number) => ({
  ...eventOf(STUCK, "Nominated", `Pod should schedule on: nodeclaim/${claim}`, minutes),
  type: "Normal" as const,
});
const gpu = (overrides: Partial<NodePoolRecord> = {}) => aNodePool({ name: "gpu", ...overrides });
const h100 = gpu({ requirements: [oneOf("node.kubernetes.io/instance-type", "p5.48xlarge")] });
const launched = (minutes: number) => [
  aCondition("Launched", "True", minutes),
  aCondition("Registered", "Unknown", minutes, "NodeNotFound", "Node not registered with cluster"),
];
const block = (overrides: Parameters<typeof aReservation>[0] = {}) =>
  aReservation({
    id: "cr-1",
    instanceType: "p5.48xlarge",
    selector: undefined,
    provider: "aws",
    ...overrides,
  });
const ICE = "InsufficientInstanceCapacity: We currently do not have sufficient g5.xlarge capacity.";
const FULL = "ReservationCapacityExceeded: Reservation has insufficient capacity.";

const ROWS: readonly Row[] = [
  {
    title: "the provider has no stock, though others hold the only node",
    cluster: { ...BUSY, pools: [gpu()], events: [nominated("gpu-abcde", 3), refused(ICE, 3)] },
    reason: "CloudStockout",
    certainty: "high",
    says: /no machine for it: the launch of gpu \(g5\.xlarge\) was refused at 11:57 UTC with InsufficientInstanceCapacity/,
  },
  {
    title: "a quota of zero",
    cluster: {
      pools: [gpu()],
      events: [refused("VcpuLimitExceeded: your current vCPU limit of 0 allows for the instance bucket", 3)],
    },
    reason: "QuotaExceeded",
    says: /the account's quota is 0/,
  },
  {
    title: "Azure cannot allocate",
    cluster: {
      pools: [
        gpu({
          nodeClass: { group: "karpenter.azure.com", kind: "AKSNodeClass", name: "gpu" },
          requirements: [oneOf("node.kubernetes.io/instance-type", "Standard_NC4as_T4_v3")],
        }),
      ],
      events: [refused("AllocationFailed: Allocation failed. We do not have sufficient capacity.", 3)],
    },
    reason: "CloudStockout",
  },
  {
    title: "the reservation is full",
    cluster: {
      pools: [h100],
      pod: { gpus: 8 },
      events: [refused(FULL, 3)],
      reservations: [block({ count: 1, used: 1 })],
    },
    reason: "ReservationExhausted",
  },
  {
    title: "one reservation is full and another has free slots",
    cluster: {
      pools: [h100],
      pod: { gpus: 8 },
      events: [refused(FULL, 3)],
      reservations: [block({ count: 1, used: 1 }), block({ id: "cr-2", count: 2 })],
    },
    reason: "CapacityNotLaunched",
    says: /paid slots? of cr-\d/,
  },
  {
    title: "no subnet has an address left, though paid slots are free",
    cluster: {
      pools: [h100],
      pod: { gpus: 8 },
      events: [refused("InsufficientFreeAddressesInSubnet: not enough free addresses in subnet", 3)],
      reservations: [block({ count: 2 })],
    },
    reason: "NodeLaunchFailed",
    says: /for want of addresses/,
  },
  {
    title: "the launch is not permitted, by the claim's own condition",
    cluster: {
      pools: [gpu()],
      claims: [
        aNodeClaim({
          conditions: [
            aCondition("Launched", "Unknown", 4, "LaunchFailed", "https response error StatusCode: 403"),
          ],
        }),
      ],
    },
    reason: "NodeLaunchFailed",
    says: /not permitted/,
  },
  {
    title: "the node class is not ready",
    cluster: {
      pools: [gpu()],
      classes: [
        aNodeClass({
          conditions: [
            aCondition(
              "SubnetsReady",
              "False",
              60,
              "SubnetsNotFound",
              "SubnetSelector did not match any Subnets",
            ),
            aCondition("Ready", "False", 60, "UnhealthyDependents", "SubnetsReady=False"),
          ],
        }),
      ],
    },
    reason: "NodeLaunchFailed",
    certainty: "high",
    says: /EC2NodeClass gpu of NodePool gpu is not ready \(SubnetsReady: SubnetSelector did not match/,
  },
  {
    title: "a machine that was launched 3 minutes ago",
    cluster: {
      pools: [gpu()],
      events: [nominated("gpu-abcde", 4)],
      claims: [aNodeClaim({ name: "gpu-abcde", createdAt: minutesAgo(4), conditions: launched(3) })],
    },
    reason: "NodeLaunching",
    certainty: "high",
  },
  {
    title: "a machine that was launched 40 minutes ago",
    cluster: {
      pools: [gpu()],
      claims: [
        aNodeClaim({ createdAt: minutesAgo(41), conditions: launched(40), providerId: "aws:///a/i-1" }),
      ],
    },
    reason: "NodeNotRegistered",
    certainty: "high",
    says: /40 minutes ago, and has never joined/,
  },
  {
    title: "an old refusal, and a launch since that is under way",
    cluster: {
      pools: [gpu()],
      events: [refused(ICE, 30), nominated("gpu-fghij", 2)],
      claims: [aNodeClaim({ name: "gpu-fghij", createdAt: minutesAgo(2) })],
    },
    reason: "NodeLaunching",
  },
  {
    title: "an old refusal, and a machine since that another pod took",
    cluster: {
      ...BUSY,
      pools: [gpu()],
      events: [refused(ICE, 40), karpenterSays('incompatible with nodepool "gpu", topology', 1)],
      claims: [
        aNodeClaim({
          conditions: ["Launched", "Registered", "Initialized"].map((one) => aCondition(one, "True", 20)),
        }),
      ],
    },
    reason: "GpusBusy",
  },
  {
    title: "a limit of GPUs",
    cluster: {
      ...BUSY,
      pools: [
        gpu({ limits: { "nvidia.com/gpu": 1, cpu: 64_000 }, used: { "nvidia.com/gpu": 1, cpu: 4_000 } }),
      ],
      events: [karpenterSays("all available instance types exceed limits for nodepool (NodePool=gpu)")],
    },
    reason: "AutoscalerLimitReached",
    certainty: "high",
    says: /its limit of 1 GPU leaves no room \(1 GPU in use\)/,
  },
  {
    title: "a limit of CPUs that the smallest fitting machine would break",
    cluster: { ...BUSY, pools: [gpu({ limits: { cpu: 10_000 }, used: { cpu: 8_000 } })] },
    reason: "AutoscalerLimitReached",
    certainty: "medium",
    says: /limit of 10 CPUs leaves no room \(8 CPUs in use\)/,
  },
  {
    title: "a limit of nodes",
    cluster: {
      ...BUSY,
      pools: [gpu({ limits: { nodes: 2 }, used: { nodes: 2 } })],
      events: [karpenterSays("node limits have been exhausted for nodepool (NodePool=gpu)")],
    },
    reason: "AutoscalerLimitReached",
    says: /limit of 2 nodes/,
  },
  {
    title: "a limit that a smaller machine keeps to",
    cluster: {
      ...BUSY,
      pools: [
        gpu({
          requirements: [oneOf("node.kubernetes.io/instance-type", "g5.xlarge", "g5.8xlarge")],
          limits: { cpu: 10_000 },
          used: { cpu: 4_000 },
        }),
      ],
      events: [refused(ICE, 3)],
    },
    reason: "CloudStockout",
  },
  {
    title: "an old refusal, and limits since",
    cluster: {
      ...BUSY,
      pools: [gpu({ limits: { cpu: 4_000 }, used: { cpu: 4_000 } })],
      events: [
        refused(ICE, 30),
        karpenterSays('all available instance types exceed limits for nodepool: "gpu"'),
      ],
    },
    reason: "AutoscalerLimitReached",
  },
  {
    title: "offerings taken out after a refusal that nobody sees",
    cluster: {
      pools: [gpu()],
      events: [
        karpenterSays(
          'Failed to schedule pod, incompatible with nodepool "gpu", no instance type which met the scheduling requirements and had enough resources, had a required offering',
        ),
      ],
    },
    reason: "CloudStockout",
    certainty: "low",
  },
  {
    title: "a pool that fits, and not a word of Karpenter",
    cluster: {
      ...BUSY,
      pools: [gpu()],
      events: [eventOf({ ...STUCK, name: "other" }, "Scheduled", "", 1, "default-scheduler")],
    },
    reason: "AutoscalerNotActing",
    certainty: "medium",
  },
  {
    title: "a taint of the only pool that the pod does not tolerate",
    cluster: {
      pools: [gpu({ taints: [{ key: "gpu", value: "", effect: "NoSchedule", timeAdded: undefined }] })],
    },
    reason: "RequestNeverFits",
    says: /a new node of gpu carries taint gpu:NoSchedule/,
  },
  {
    title: "more GPUs than any machine of the pool has",
    cluster: { pools: [gpu()], pod: { gpus: 8 } },
    reason: "RequestNeverFits",
    says: /a new node of gpu has at most 1 GPU/,
  },
  {
    title: "a pool of machines without accelerators",
    cluster: { pools: [gpu({ requirements: [oneOf("karpenter.k8s.aws/instance-category", "c", "m")] })] },
    reason: "NoCapacitySource",
  },
];

test.each(ROWS)("$title: $reason", ({ cluster, reason, certainty, says }) => {
  const verdict = verdictOn(cluster);
  expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty ? { certainty } : {}) });
  if (says) expect(verdict?.sentence).toMatch(says);
  expect(verdict?.ladder[layerOf(reason)].state).toBe("broken");
  expect(verdict?.evidence.length).toBeGreaterThan(0);
});

it("lets a node with room speak before any autoscaler", () => {
  const cluster = { nodes: [aNode({ gpus: 8 })], pools: [gpu()], events: [refused(ICE, 1)] };
  expect(verdictOn(cluster)?.layer).toBe("L3");
});

it("is less sure where the pools' claims cannot be read", () => {
  const fleet = launchFleet({ pools: [gpu()], events: [nominated("gpu-abcde", 3), refused(ICE, 3)] });
  const facts = { ...fleet.facts, nodeClaims: { known: false, items: [] } };
  const [verdict] = diagnose({ ...fleet, facts }, NOW);
  expect(verdict).toMatchObject({ reason: "CloudStockout", certainty: "medium" });
  expect(verdict?.certaintyWhy).toContain("cannot see NodeClaims");
});
