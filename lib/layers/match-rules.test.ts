import { describe, expect, it } from "vitest";
import { NO_FACTS } from "../model/facts/facts.ts";
import type { NodeRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import { aNode, aReservation, NOW } from "../testing/builders.ts";
import { matchReservations } from "./match-reservations.ts";
import { poolReservations } from "./pool-reservations.ts";

const VMSS =
  "subscriptions/s/resourceGroups/MC_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-a100/virtualMachines/0";

/** A node of `type` in `zone`. */
function machine(type: string, zone: string, rest: Partial<NodeRecord> = {}): NodeRecord {
  const labels = { "node.kubernetes.io/instance-type": type, "topology.kubernetes.io/zone": zone };
  return aNode({ name: "a", ...rest, labels: { ...labels, ...rest.labels } });
}

const p5 = (rest: Partial<NodeRecord> = {}) =>
  machine("p5.48xlarge", "us-east-2a", { providerId: "aws:///us-east-2a/i-1", ...rest });

function reserved(rest: Partial<Reservation>): Reservation {
  return aReservation({
    id: "cr-1",
    provider: "aws",
    instanceType: "p5.48xlarge",
    zone: "us-east-2a",
    count: 2,
    selector: undefined,
    ...rest,
  });
}

const GCP = {
  id: "projects/p/zones/us-central1-a/reservations/b200",
  provider: "gcp",
  name: "b200",
  account: "p",
  zone: "us-central1-a",
  instanceType: "a4-highgpu-8g",
};
const GKE = { "cloud.google.com/reservation-name": "b200", "cloud.google.com/reservation-project": "p" };
const AZURE = {
  id: "/subscriptions/s/crg/cr",
  provider: "azure",
  instanceType: "Standard_NC96ads_A100_v4",
  zone: "1",
};
const OCI = { id: "ocid1.capacityreservation.oc1.phx.aaaaexample1", provider: "oci", zone: "Uocm:PHX-AD-1" };

describe("by which rule a node is joined to a reservation", () => {
  it.each<[string, NodeRecord, Partial<Reservation>, string | undefined]>([
    [
      "Karpenter's label",
      p5({ labels: { "karpenter.k8s.aws/capacity-reservation-id": "cr-1" } }),
      {},
      "label",
    ],
    [
      "EKS Auto Mode's label",
      p5({ labels: { "eks.amazonaws.com/capacity-reservation-id": "CR-1" } }),
      {},
      "label",
    ],
    [
      "a label with another id",
      p5({ labels: { "karpenter.k8s.aws/capacity-reservation-id": "cr-2" } }),
      {},
      undefined,
    ],
    ["GKE's labels", machine("a4-highgpu-8g", "us-central1-a", { labels: GKE }), GCP, "label"],
    [
      "GKE's labels in another project",
      machine("a4-highgpu-8g", "us-central1-a", {
        labels: { ...GKE, "cloud.google.com/reservation-project": "q" },
      }),
      GCP,
      undefined,
    ],
    [
      "GKE's labels in another zone",
      machine("a4-highgpu-8g", "us-central1-b", { labels: GKE }),
      GCP,
      undefined,
    ],
    [
      "OCI's label, the last part of the id",
      machine("BM.GPU.H100.8", "PHX-AD-1", {
        labels: { "oci.oraclecloud.com/capacity-reservation-id": "aaaaexample1" },
      }),
      OCI,
      "label",
    ],
    ["the provider's list", p5(), { machines: ["i-1"], matching: "targeted" }, "machine"],
    ["a list without it", p5(), { machines: ["i-2"], matching: "targeted" }, undefined],
    [
      "Azure's list, by the whole resource id",
      machine("Standard_NC96ads_A100_v4", "eastus2-1", { providerId: `azure:///${VMSS}` }),
      { ...AZURE, machines: [`/${VMSS}`.toLowerCase()] },
      "machine",
    ],
    [
      "a machine of that name in another cloud",
      p5({ providerId: "gce://p/us-east-2a/i-1" }),
      { machines: ["i-1"] },
      undefined,
    ],
    ["type and zone", p5(), {}, "inferred"],
    [
      "type and zone, whatever the case",
      p5({ labels: { "node.kubernetes.io/instance-type": "P5.48XLARGE" } }),
      {},
      "inferred",
    ],
    [
      "Azure's zone, which the node writes with its region",
      machine("standard_nc96ads_a100_v4", "eastus2-1"),
      AZURE,
      "inferred",
    ],
    [
      "OCI's availability domain without the tenancy",
      machine("BM.GPU.H100.8", "PHX-AD-1"),
      { ...OCI, instanceType: "BM.GPU.H100.8" },
      "inferred",
    ],
    ["another cloud", p5({ providerId: "gce://p/us-east-2a/n" }), {}, undefined],
    ["not a targeted one of which nobody says that it is used", p5(), { matching: "targeted" }, undefined],
    ["a targeted one that the provider counts in use", p5(), { matching: "targeted", used: 1 }, "inferred"],
    [
      "a targeted one where the node says that it is reserved",
      p5({ labels: { "eks.amazonaws.com/capacityType": "CAPACITY_BLOCK" } }),
      { matching: "targeted" },
      "inferred",
    ],
    ["none that the provider counts as unused", p5(), { used: 0 }, undefined],
    [
      "none for flex-start",
      machine("a4-highgpu-8g", "us-central1-a", { labels: { "cloud.google.com/gke-flex-start": "true" } }),
      GCP,
      undefined,
    ],
    [
      "none for an affinity without a name",
      machine("a4-highgpu-8g", "us-central1-a", {
        labels: { "cloud.google.com/reservation-affinity": "SPECIFIC" },
      }),
      GCP,
      undefined,
    ],
  ])("%s", (_, node, reservation, rule) => {
    const { ofNode } = matchReservations([node], [reserved(reservation)], NOW);
    expect(ofNode.get("a")?.rule).toBe(rule);
  });

  it("knows the reservations of a Karpenter node class", () => {
    const base = { uid: "", labels: {}, createdAt: NOW, deletedAt: undefined, problems: [], namespace: "" };
    const object = { ...base, apiVersion: "karpenter.sh/v1", owner: undefined, conditions: [] };
    const pool = {
      ...object,
      kind: "NodePool",
      name: "h100",
      requirements: [],
      templateLabels: {},
      taints: [],
      startupTaints: [],
      limits: {},
      used: undefined,
      isStatic: false,
      nodeClass: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "gpu" },
    };
    const own = { id: "cr-1", instanceType: "p5.48xlarge", zone: "us-east-2a", state: "active" };
    const nodeClass = { ...object, kind: "EC2NodeClass", name: "gpu", capacityReservations: [own] };
    const of = poolReservations({
      ...NO_FACTS,
      nodePools: { known: true, items: [pool] },
      nodeClasses: { known: true, items: [nodeClass] },
    });
    const rule = (labels: Record<string, string>) =>
      matchReservations([p5({ labels })], [reserved({ matching: "targeted" })], NOW, of).ofNode.get("a")
        ?.rule;
    expect(rule({ "karpenter.sh/nodepool": "h100" })).toBe("node-pool");
    expect(
      rule({ "karpenter.sh/nodepool": "h100", "karpenter.sh/capacity-type": "on-demand" }),
    ).toBeUndefined();
    expect(rule({ "karpenter.sh/nodepool": "other" })).toBeUndefined();
  });
});

describe("slots", () => {
  const named = (name: string, age: number) =>
    p5({ name, createdAt: NOW - age, labels: { "karpenter.k8s.aws/capacity-reservation-id": "cr-1" } });

  it("go to nodes that name the reservation before older ones that only look like it", () => {
    const { ofNode } = matchReservations(
      [p5({ name: "old", createdAt: 0 }), named("new", 1)],
      [reserved({ count: 1 })],
      NOW,
    );
    expect([...ofNode.keys()]).toEqual(["new"]);
  });

  it("are never more by inference than the provider counts in use", () => {
    const nodes = [
      named("a", 3),
      p5({ name: "b", createdAt: NOW - 2 }),
      p5({ name: "c", createdAt: NOW - 1 }),
    ];
    const { ofNode } = matchReservations(nodes, [reserved({ count: 9, used: 2 })], NOW);
    expect([...ofNode].map(([name, { rule }]) => `${name} ${rule}`)).toEqual(["a label", "b inferred"]);
  });

  it("that are all taken leave the rest in excess, by name", () => {
    const { excess } = matchReservations([named("a", 2), named("b", 1)], [reserved({ count: 1 })], NOW);
    expect([...excess]).toEqual([["cr-1", ["b"]]]);
  });
});
