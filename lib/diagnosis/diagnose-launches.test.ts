import { describe, expect, it, test } from "vitest";
import type { NodeGroupStatus } from "../model/facts/autoscaling.ts";
import { NO_FACTS } from "../model/facts/facts.ts";
import type { NodeClaimRecord, NodeClassRecord, NodePoolRecord } from "../model/facts/karpenter.ts";
import type { EventRecord, NodeRecord, PodRecord } from "../model/kubernetes.ts";
import { layerOf, type Reason } from "../model/reasons.ts";
import type { Reservation } from "../model/reservation.ts";
import {
  aCondition,
  aNodeClaim,
  aNodeClass,
  aNodeGroup,
  aNodePool,
  anAutoscalerStatus,
  oneOf,
} from "../testing/autoscaler-builders.ts";
import { aContainer, aNode, anEvent, aPod, aReservation, NOW } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { diagnose } from "./diagnose.ts";
import type { LogLookup } from "./question.ts";
import type { Certainty, Verdict } from "./verdict.ts";

interface Cluster {
  readonly pools?: readonly NodePoolRecord[];
  readonly claims?: readonly NodeClaimRecord[];
  readonly classes?: readonly NodeClassRecord[];
  readonly groups?: readonly NodeGroupStatus[];
  readonly events?: readonly EventRecord[];
  readonly nodes?: readonly NodeRecord[];
  readonly pods?: readonly PodRecord[];
  readonly reservations?: readonly Reservation[];
  readonly pod?: Parameters<typeof aPod>[0];
  readonly logs?: LogLookup;
}

const known = <T>(items: readonly T[] = []) => ({ known: true, items });

function verdictOn(cluster: Cluster): Verdict | undefined {
  const facts = {
    ...NO_FACTS,
    nodePools: known(cluster.pools),
    nodeClaims: known(cluster.claims),
    nodeClasses: known(cluster.classes),
    autoscalerStatus: known(cluster.groups ? [anAutoscalerStatus(...cluster.groups)] : []),
  };
  const pods = [aPod({ name: "stuck", ...cluster.pod }), ...(cluster.pods ?? [])];
  const { nodes, events, reservations } = cluster;
  const fleet = aFleet({
    pods,
    facts,
    ...(nodes ? { nodes } : {}),
    ...(events ? { events } : {}),
    ...(reservations ? { reservations } : {}),
  });
  return diagnose(fleet, NOW, cluster.logs).find(({ name }) => name === "stuck");
}

const minutesAgo = (minutes: number) => NOW - minutes * 60_000;
const about = (kind: string, name: string) => ({ kind, name, namespace: "", uid: "" });
const event = (
  on: EventRecord["about"],
  reason: string,
  message: string,
  minutes: number,
  component = "karpenter",
) =>
  anEvent({
    about: on,
    reason,
    message,
    component,
    firstAt: minutesAgo(minutes),
    lastAt: minutesAgo(minutes),
  });

const stuck = { kind: "Pod", namespace: "ml", name: "stuck", uid: "" };
const onPod = (reason: string, message: string, minutes: number) =>
  event(stuck, reason, message, minutes, "cluster-autoscaler");
const karpenterSays = (message: string, minutes = 1) => event(stuck, "FailedScheduling", message, minutes);
const refused = (message: string, minutes: number, claim = "gpu-abcde") =>
  event(
    about("NodeClaim", claim),
    "InsufficientCapacityError",
    `NodeClaim ${claim} event: creating instance, insufficient capacity, with fleet error(s), ${message}`,
    minutes,
  );
const nominated = (claim: string, minutes: number) =>
  anEvent({
    about: stuck,
    type: "Normal",
    reason: "Nominated",
    message: `Pod should schedule on: nodeclaim/${claim}`,
    component: "karpenter",
    lastAt: minutesAgo(minutes),
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
const busyNode = aNode({ name: "busy", gpus: 1 });
const busy = { nodes: [busyNode], pods: [aPod({ nodeName: "busy", gpus: 1 })] };

const ICE = "InsufficientInstanceCapacity: We currently do not have sufficient g5.xlarge capacity.";
const FULL = "ReservationCapacityExceeded: Reservation has insufficient capacity.";

interface Row {
  readonly title: string;
  readonly cluster: Cluster;
  readonly reason: Reason;
  readonly certainty?: Certainty;
  readonly says?: RegExp;
}

const KARPENTER: readonly Row[] = [
  {
    title: "the provider has no stock, though others hold the only node",
    cluster: { ...busy, pools: [gpu()], events: [nominated("gpu-abcde", 3), refused(ICE, 3)] },
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
      ...busy,
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
      ...busy,
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
    cluster: { ...busy, pools: [gpu({ limits: { cpu: 10_000 }, used: { cpu: 8_000 } })] },
    reason: "AutoscalerLimitReached",
    certainty: "medium",
    says: /limit of 10 CPUs leaves no room \(8 CPUs in use\)/,
  },
  {
    title: "a limit of nodes",
    cluster: {
      ...busy,
      pools: [gpu({ limits: { nodes: 2 }, used: { nodes: 2 } })],
      events: [karpenterSays("node limits have been exhausted for nodepool (NodePool=gpu)")],
    },
    reason: "AutoscalerLimitReached",
    says: /limit of 2 nodes/,
  },
  {
    title: "a limit that a smaller machine keeps to",
    cluster: {
      ...busy,
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
      ...busy,
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
      ...busy,
      pools: [gpu()],
      events: [event(about("Pod", "other"), "Scheduled", "", 1, "default-scheduler")],
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

const grp = "https://www.googleapis.com/compute/v1/projects/p/zones/z/instanceGroups/gke-c-l4-1e9c44d0-grp";
const triggered = (minutes: number, group = "gpu-asg") =>
  onPod("TriggeredScaleUp", `pod triggered scale-up: [{${group} 0->1 (max: 4)}]`, minutes);
const notTriggered = (reasons: string, minutes = 1) =>
  onPod("NotTriggerScaleUp", `pod didn't trigger scale-up: ${reasons}`, minutes);
const onGroup = (reason: string, message: string, minutes: number) =>
  event(
    { kind: "ConfigMap", namespace: "kube-system", name: "cluster-autoscaler-status", uid: "" },
    reason,
    message,
    minutes,
    "cluster-autoscaler",
  );

const CLUSTER_AUTOSCALER: readonly Row[] = [
  {
    title: "GKE meets a quota",
    cluster: {
      events: [
        triggered(20, grp),
        onPod(
          "FailedScaleUp",
          "Node scale up in zones z associated with this pod failed: GCE quota exceeded. Pod is at risk of not being scheduled.",
          18,
        ),
        notTriggered("1 in backoff after failed scale-up, 1 node(s) had untolerated taint {a: b}"),
      ],
    },
    reason: "QuotaExceeded",
    certainty: "high",
  },
  {
    title: "a TPU slice is out of stock",
    cluster: {
      pod: { gpuResource: "google.com/tpu", gpus: 4 },
      events: [
        triggered(6, grp),
        onPod(
          "FailedScaleUp",
          "Node scale up in zones us-central2-b associated with this pod failed: GCE out of resources. Pod is at risk of not being scheduled.",
          4,
        ),
      ],
    },
    reason: "CloudStockout",
  },
  {
    title: "addresses are used up",
    cluster: {
      events: [
        onPod(
          "FailedScaleUp",
          "Node scale up in zones z associated with this pod failed: IP space exhausted.",
          4,
        ),
      ],
    },
    reason: "NodeLaunchFailed",
  },
  {
    title: "a failure whose message says nothing",
    cluster: {
      events: [
        onPod(
          "FailedScaleUp",
          "Node scale up in zones z associated with this pod failed: Internal error.",
          4,
        ),
      ],
    },
    reason: "NodeLaunchFailed",
    certainty: "medium",
  },
  {
    title: "a node group that backs off, with the reason in its status",
    cluster: {
      groups: [
        aNodeGroup({
          scaleUp: "Backoff",
          scaleUpSince: minutesAgo(5),
          backoff: { code: "OutOfResource.ZONE_RESOURCE_POOL_EXHAUSTED", message: "" },
        }),
      ],
      events: [notTriggered("1 in backoff after failed scale-up")],
    },
    reason: "CloudStockout",
  },
  {
    title: "the reason only in the autoscaler's log",
    cluster: {
      pods: [
        aPod({
          namespace: "kube-system",
          name: "cluster-autoscaler-7d9f-x",
          gpus: 0,
          nodeName: "n",
          containers: [aContainer({ name: "ca" })],
        }),
      ],
      events: [triggered(14)],
      logs: (_, pod, container) =>
        pod.startsWith("cluster-autoscaler") && container === "ca"
          ? "I1201 11:46:00.1 1 executor.go:166] Scale-up: setting group gpu-asg size to 1\nW1201 11:48:24.4 1 clusterstate.go:299] Disabling scale-up for node group gpu-asg until 12:08; errorClass=OutOfResource; errorCode=placeholder-cannot-be-fulfilled"
          : undefined,
    },
    reason: "CloudStockout",
  },
  {
    title: "a scale-up under way",
    cluster: { events: [triggered(5)] },
    reason: "NodeLaunching",
  },
  {
    title: "machines that never joined",
    cluster: {
      events: [
        triggered(30),
        onGroup("ScaleUpTimedOut", "Nodes added to group gpu-asg failed to register within 15m2s", 14),
      ],
    },
    reason: "NodeNotRegistered",
  },
  {
    title: "a machine asked for half an hour ago, and none there",
    cluster: { groups: [aNodeGroup({ target: 1 })], events: [triggered(30)] },
    reason: "NodeNotRegistered",
    certainty: "medium",
  },
  {
    title: "the largest size is reached",
    cluster: {
      ...busy,
      groups: [aNodeGroup({ target: 4, max: 4, registered: 4 })],
      events: [
        notTriggered("1 max node group size reached, 2 node(s) didn't match Pod's node affinity/selector"),
      ],
    },
    reason: "AutoscalerLimitReached",
    certainty: "high",
    says: /gpu-asg \(4 of at most 4 nodes\) may not grow/,
  },
  {
    title: "the largest size is reached, no status to be read",
    cluster: { ...busy, events: [notTriggered("1 max node group size reached")] },
    reason: "AutoscalerLimitReached",
    certainty: "medium",
  },
  {
    title: "the ceiling of the whole cluster",
    cluster: { ...busy, events: [notTriggered("2 max cluster cpu, memory limit reached")] },
    reason: "AutoscalerLimitReached",
    says: /max cluster cpu, memory limit reached/,
  },
  {
    title: "the largest size is said to be reached and is not",
    cluster: {
      groups: [aNodeGroup({ max: 1 })],
      events: [triggered(30), notTriggered("1 Insufficient nvidia.com/gpu, 1 max node group size reached")],
    },
    reason: "AutoscalerNotActing",
    certainty: "high",
    says: /gpu-asg is at 0 of at most 1 nodes/,
  },
  {
    title: "a node group that is not ready",
    cluster: { ...busy, events: [notTriggered("1 not ready for scale-up")] },
    reason: "AutoscalerNotActing",
  },
  {
    title: "no node group whose nodes would take it",
    cluster: {
      events: [notTriggered("2 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint {a: b}")],
    },
    reason: "NoCapacitySource",
    certainty: "high",
  },
  {
    title: "a failure, and a later scale-up that is under way",
    cluster: {
      events: [onPod("FailedScaleUp", "failed: GCE out of resources.", 20), triggered(3)],
    },
    reason: "NodeLaunching",
  },
];

describe.each([
  ["Karpenter", KARPENTER],
  ["Cluster Autoscaler", CLUSTER_AUTOSCALER],
] as const)("%s", (_, rows) => {
  test.each(rows)("$title: $reason", ({ cluster, reason, certainty, says }) => {
    const verdict = verdictOn(cluster);
    expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty ? { certainty } : {}) });
    if (says) expect(verdict?.sentence).toMatch(says);
    expect(verdict?.ladder[layerOf(reason)].state).toBe("broken");
    expect(verdict?.evidence.length).toBeGreaterThan(0);
  });
});

it("lets a node with room speak before any autoscaler", () => {
  const cluster = { nodes: [aNode({ gpus: 8 })], pools: [gpu()], events: [refused(ICE, 1)] };
  expect(verdictOn(cluster)?.layer).toBe("L3");
});

it("is less sure where the pools' claims cannot be read", () => {
  const fleet = aFleet({
    pods: [aPod({ name: "stuck" })],
    events: [nominated("gpu-abcde", 3), refused(ICE, 3)],
    facts: { ...NO_FACTS, nodePools: known([gpu()]), nodeClaims: { known: false, items: [] } },
  });
  const [verdict] = diagnose(fleet, NOW);
  expect(verdict).toMatchObject({ reason: "CloudStockout", certainty: "medium" });
  expect(verdict?.certaintyWhy).toContain("cannot see NodeClaims");
});
