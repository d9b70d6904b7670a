import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FleetView, PoolView } from "../model/fleet-view.ts";
import { root } from "./prepare.mjs";
import { snapshotView } from "./snapshot-view.ts";

const NOW = Date.parse("2026-12-01T12:00:00Z");

/** As the providers' own commands print them. */
const FILES = [
  "aws/samples/aws-describe-capacity-reservations.json",
  "aws/samples/aws-describe-capacity-block-status.json",
  "aws/samples/aws-describe-capacity-block-extension-history.json",
  "aws/samples/aws-describe-instances.json",
  "gcp/samples/gcp-reservations-list.json",
  "gcp/samples/gcp-future-reservations-list.json",
  "azure/samples/azure-capacity-reservations-rest.json",
  "oci/samples/oci-capacity-reservations.json",
];

const AKS =
  "azure:///subscriptions/00000000-0000-4000-8000-0000000000aa/resourceGroups/mc_rg-gpu_aks1_eastus2/providers/Microsoft.Compute/virtualMachineScaleSets/aks-a100-12345678-vmss/virtualMachines/0";

/** Name, providerID, instance type, zone, further labels: one node for each cloud's way to say where it belongs. */
const NODES: readonly [string, string, string, string, Record<string, string>][] = [
  [
    "karpenter",
    "aws:///us-east-2a/i-0aa0000000000001",
    "p5.48xlarge",
    "us-east-2a",
    { "karpenter.k8s.aws/capacity-reservation-id": "cr-0a11f00d0000000a2" },
  ],
  [
    "managed",
    "aws:///us-east-2a/i-0aa0000000000002",
    "p5.48xlarge",
    "us-east-2a",
    { "eks.amazonaws.com/capacityType": "ON_DEMAND" },
  ],
  [
    "auto",
    "aws:///us-east-2b/i-0aa0000000000005",
    "g6e.48xlarge",
    "us-east-2b",
    { "eks.amazonaws.com/capacity-reservation-id": "cr-0a11f00d0000000b1" },
  ],
  [
    "gke",
    "gce://demo-ml-prod/us-central1-a/gke-b200-1",
    "a4-highgpu-8g",
    "us-central1-a",
    {
      "cloud.google.com/reservation-name": "b200-dense",
      "cloud.google.com/reservation-project": "demo-ml-prod",
    },
  ],
  [
    "flex",
    "gce://demo-ml-prod/us-central1-a/gke-flex-1",
    "a3-highgpu-8g",
    "us-central1-a",
    { "cloud.google.com/gke-flex-start": "true", "cloud.google.com/gke-nodepool": "flex" },
  ],
  ["aks", AKS, "Standard_NC96ads_A100_v4", "eastus2-1", { "kubernetes.azure.com/agentpool": "a100" }],
  [
    "oci",
    "ocid1.instance.oc1.phx.aaaaexamplei1",
    "BM.GPU.H100.8",
    "PHX-AD-1",
    { "oci.oraclecloud.com/capacity-reservation-id": "aaaaexample1" },
  ],
];

const node = ([name, providerID, type, zone, labels]: (typeof NODES)[number]) => {
  const gpus = name === "aks" ? "4" : "8";
  const resources = { cpu: "96", memory: "1Ti", pods: "110", "nvidia.com/gpu": gpus };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "node.kubernetes.io/instance-type": type,
        "topology.kubernetes.io/zone": zone,
        "topology.kubernetes.io/region": zone.replace(/-?[a-z0-9]$/, ""),
        ...labels,
      },
    },
    spec: { providerID },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [{ type: "Ready", status: "True" }],
    },
  };
};

let folder: string;
let view: FleetView;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "seamline-"));
  const items = NODES.map(node);
  writeFileSync(join(folder, "nodes.json"), JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const config = { prices: [{ reservation: "CR-0A11F00D0000000A1", perGpuHour: 4.5, currency: "USD" }] };
  writeFileSync(join(folder, "seamline.json"), JSON.stringify(config));
  view = await snapshotView(join(folder, "nodes.json"), NOW, {
    NODE_ENV: "test",
    SEAMLINE_CONFIG: join(folder, "seamline.json"),
    SEAMLINE_RESERVATIONS: FILES.map((file) => join(root, "lib/sources/reservations", file)).join(","),
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

/** `active 16 slots, 1 node by label, fee 5.191: not-launched 64, …` */
function line({ reservation, nodes, rate, stages }: PoolView): string {
  const slots = reservation ? `${reservation.state} ${reservation.slots} slots, ` : "";
  const rules = reservation?.matchedBy.length ? ` by ${reservation.matchedBy.join("+")}` : "";
  const price = rate.perGpuHour ? `${rate.source} ${rate.perGpuHour.micros / 1e6}` : rate.source;
  const lost = stages.flatMap(({ stage, gpus }) => (gpus ? [`${stage} ${gpus}`] : []));
  return `${slots}${nodes} nodes${rules}, ${price}: ${lost.join(", ") || "nothing paid"}`;
}

const lastPart = (id: string) => id.slice(id.lastIndexOf("/") + 1);
const poolOf = (id: string) => view.pools.find((pool) => lastPart(pool.id) === id);

describe("the providers' own files, joined to nodes and priced", () => {
  it.each([
    // A capacity block: its fee, its label.
    [
      "cr-0a11f00d0000000a2",
      "active 16 slots, 1 nodes by label, fee 5.191: not-launched 64, elsewhere 56, free 8",
    ],
    // On demand: the instance list, the contract.
    [
      "cr-0a11f00d0000000a1",
      "active 8 slots, 1 nodes by machine, contract 4.5: not-launched 8, elsewhere 48, free 8",
    ],
    ["cr-0a11f00d0000000b1", "active 3 slots, 1 nodes by label, unknown: not-launched 16, free 8"],
    // Cancelled before its commitment ended: charged, and nothing can be launched.
    ["cr-0a11f00d0000000a9", "active 4 slots, 0 nodes, unknown: broken-at-provider 32"],
    // A host that AWS itself reports as unusable.
    [
      "cr-0a11f00d0000000a6",
      "active 18 slots, 0 nodes, unknown: broken-at-provider 4, not-launched 4, elsewhere 64",
    ],
    // Not begun: its size is in a tag, and it is not billed.
    ["cr-0a11f00d0000000a3", "scheduled 4 slots, 0 nodes, unknown: nothing paid"],
    ["cr-0a11f00d0000000a8", "scheduled 4 slots, 0 nodes, unknown: nothing paid"],
    [
      "b200-dense",
      "active 18 slots, 1 nodes by label, unknown: broken-at-provider 8, not-launched 8, elsewhere 120, free 8",
    ],
    ["h100-train", "active 16 slots, 0 nodes, list 11.06125: not-launched 24, elsewhere 104"],
    ["q1-b200", "scheduled 32 slots, 0 nodes, unknown: nothing paid"],
    ["cr-nc96-z1", "active 4 slots, 1 nodes by machine, unknown: not-launched 4, elsewhere 8, free 4"],
    [
      "ocid1.capacityreservation.oc1.phx.aaaaexample1",
      "active 8 slots, 1 nodes by label, list 10: not-launched 24, elsewhere 32, free 8",
    ],
    ["flex", "1 nodes, list 11.06125: free 8"],
  ])("%s", (id, expected) => {
    const pool = poolOf(id);
    expect(pool && line(pool)).toBe(expected);
  });

  it("puts every node in one pool", () => {
    expect(view.pools.reduce((sum, pool) => sum + pool.nodes, 0)).toBe(NODES.length);
  });

  it("counts a fulfilled future reservation once, as what was made of it", () => {
    expect(view.pools.filter(({ id }) => id.endsWith("/nov-a4"))).toEqual([]);
  });

  it("tells what is wrong with them", () => {
    const found = view.findings.map(
      ({ kind, reservation, gpus }) => `${kind} ${lastPart(reservation)} ${gpus}`,
    );
    expect(found).toEqual(
      expect.arrayContaining([
        "ending cr-0a11f00d0000000a2 128",
        "idle h100-train 24",
        "double-pay h100-train 8",
        "not-consumable cr-0a11f00d0000000a9 32",
        "not-consumable b200-dense 8",
        "overallocated cr-t4 8",
      ]),
    );
  });

  it("says of a block when its machines are taken back", () => {
    expect(poolOf("cr-0a11f00d0000000a2")?.reservation).toMatchObject({
      market: "block",
      billed: true,
      launchable: true,
      used: 8,
      free: 8,
      usableUntil: "2026-12-04T11:00:00.000Z",
      nextChange: { at: "2026-12-04T11:00:00.000Z", what: "its machines are taken back" },
      doc: expect.stringContaining("capacity-blocks-pricing-billing"),
    });
  });
});
