import { writeFile } from "node:fs/promises";
import type { FleetView } from "../../lib/model/fleet-view.ts";
import { readView, type Seamline, startSeamline } from "../support/seamline.ts";
import { expect, type OpenCluster, openCluster, test } from "./cluster-test.ts";
import { type MachineType, startKarpenter } from "./controllers/karpenter.ts";
import { expectVerdict, stuckIn } from "./expect-verdict.ts";
import { ledgerGaps } from "./kind/ledger-gaps.ts";
import { type ProcessesCluster, processesRig } from "./processes.ts";
import { expectServed } from "./served-sources.ts";

// The real Karpenter launches machines, or does not, and says why.

const MACHINE = { cpu: "16", memory: "64Gi", "ephemeral-storage": "100Gi", "nvidia.com/gpu": "1" };
const ON_DEMAND = { "karpenter.sh/capacity-type": "on-demand" };
const ZONE = "topology.kubernetes.io/zone";

/** One type that can be had, and one that is there in either zone, though not on demand in the second. */
const TYPES: readonly MachineType[] = [
  { name: "g6.xlarge", resources: MACHINE, offerings: [{ zone: "us-east-1a", capacityType: "on-demand" }] },
  {
    name: "g5.xlarge",
    resources: MACHINE,
    offerings: [
      { zone: "us-east-1a", capacityType: "on-demand" },
      { zone: "us-east-1b", capacityType: "spot" },
    ],
  },
];

/** Long enough to be seen on the page. */
const REGISTRATION = "8s";

let open: OpenCluster<ProcessesCluster>;
let seamline: Seamline;

test.beforeAll(async ({ rig: _ }, testInfo) => {
  testInfo.setTimeout(240_000);
  const controlPlane = { name: "cloud-control-plane", role: "control-plane", labels: {} } as const;
  open = await openCluster(processesRig, "cloud", [controlPlane]);
  await startKarpenter(open.cluster, TYPES);
  await apply({
    apiVersion: "karpenter.kwok.sh/v1alpha1",
    kind: "KWOKNodeClass",
    metadata: { name: "default" },
    spec: { nodeRegistrationDelay: REGISTRATION },
  });
  seamline = await startSeamline({ KUBECONFIG: await open.cluster.kubeconfigFor("seamline") });
});

test.afterAll(async ({ rig: _ }, testInfo) => {
  await seamline?.stop();
  await open?.close(testInfo);
});

const view = async () => await readView<FleetView>(seamline);
const apply = async (object: unknown) =>
  await open.cluster.kubectl(["apply", "-f", "-"], JSON.stringify(object));

test("its objects are followed in the versions that its definitions serve", async () => {
  await expectServed(open.cluster, view, {
    "nodepools.karpenter.sh": "v1",
    "nodeclaims.karpenter.sh": "v1",
    "kwoknodeclasses.karpenter.kwok.sh": "v1alpha1",
  });
});

test("a pod gets its machine, and the next one meets the limit of the pool", async ({ overview }) => {
  await apply(nodePool("capped", "g6.xlarge", ON_DEMAND, { limits: { "nvidia.com/gpu": "1" } }));

  await test.step("a machine is launched for it", async () => {
    await apply(pod("first", "capped"));
    await expectVerdict(seamline, overview, "default/first", {
      reason: "NodeLaunching",
      certainty: "high",
      sentence:
        /first needs 1 GPU, and a node for it is being launched since .*NodeClaim capped-\w+ of capped/,
      evidence: [/Launched=True, Registered=Unknown/],
      ladder: {
        L1: ["unknown", /no pool is known that would hold it/],
        L2: ["broken", /NodeClaim capped-\w+ of capped launching since/],
        L3: ["not-reached", /no node for a scheduler to choose/],
        L4: ["not-reached", /not reached/],
      },
    });
    expect((await view()).counts).toMatchObject({ nodes: 1, gpuPods: 1 });
  });

  await test.step("its node joins, and it runs", async () => {
    await expect.poll(async () => (await view()).totals.working.gpus).toBe(1);
    await expect.poll(() => stuckIn(seamline, "default", "first")).toBeUndefined();
    await overview.open(seamline.url);
    await expect(overview.stuckPod("default/first")).toHaveCount(0);
    await expect(overview.pool("capped")).toContainText("L4: 1 working");
    const { pools, counts, issues } = await view();
    expect(pools.map(({ id, paid, capacityType }) => [id, paid.gpus, capacityType])).toEqual([
      ["node-pool/capped", 1, "on-demand"],
    ]);
    expect(counts).toMatchObject({ nodes: 2, gpuPods: 1 });
    expect(issues).toEqual([]);
  });

  await test.step("the pool's limit stops the second one", async () => {
    await apply(pod("second", "capped"));
    await expectVerdict(seamline, overview, "default/second", {
      reason: "AutoscalerLimitReached",
      certainty: "high",
      sentence: /NodePool capped may not launch another node for it: its limit of 1 GPU leaves no room/,
      evidence: [/1 GPU, 1 GPU in use/, /all available instance types exceed limits for nodepool/],
      ladder: {
        L1: ["ok", /1 node of capped outside reservations/],
        L2: ["broken", /limit of capped: 1 GPU, 1 GPU in use/],
        L3: ["not-reached", /0 of 1 GPUs free on 1 node/],
        L4: ["not-reached", /not reached/],
      },
    });
  });

  await test.step("the limit is raised, and it runs as well", async () => {
    await apply(nodePool("capped", "g6.xlarge", ON_DEMAND, { limits: { "nvidia.com/gpu": "2" } }));
    await expect.poll(async () => (await view()).totals.working.gpus).toBe(2);
    await expect.poll(() => stuckIn(seamline, "default", "second")).toBeUndefined();
    expect(ledgerGaps(await view())).toEqual([]);
  });
});

/** Nothing of what a pod may have is available: Karpenter says so to the pod where the pod itself leaves nothing over, ... */
const SCARCE = {
  pod: { ...ON_DEMAND, [ZONE]: "us-east-1b" },
  says: /no instance type has the required offering/,
};
/** ... and of the pool where the pool does. */
const EMPTY = {
  pod: {},
  says: /NodePool requirements filtered out all compatible available instance types/,
};

test("no offering is available", async ({ start, overview }, testInfo) => {
  await apply(nodePool("scarce", "g5.xlarge", {}));
  await apply(nodePool("empty", "g5.xlarge", { ...ON_DEMAND, [ZONE]: "us-east-1b" }));
  await apply(pod("scarce", "scarce", SCARCE.pod));
  await apply(pod("empty", "empty", EMPTY.pod));

  for (const [name, { says }] of [["scarce", SCARCE] as const, ["empty", EMPTY] as const])
    await test.step(`${name}: nobody has it, as far as is known`, async () => {
      await expectVerdict(seamline, overview, `default/${name}`, {
        reason: "CloudStockout",
        certainty: "low",
        sentence: new RegExp(`Karpenter holds every offering of ${name} \\(g5\\.xlarge\\) for unavailable`),
        evidence: [says],
        ladder: {
          L1: ["broken", new RegExp(`no offering available in ${name}`)],
          L2: ["not-reached", /./],
          L3: ["not-reached", /./],
          L4: ["not-reached", /not reached/],
        },
      });
    });

  const SEAMLINE_RESERVATIONS = testInfo.outputPath("reservations.json");
  await writeFile(SEAMLINE_RESERVATIONS, JSON.stringify(RESERVATIONS));
  const KUBECONFIG = await open.cluster.kubeconfigFor("seamline");
  const withReservations = await start({ KUBECONFIG, SEAMLINE_RESERVATIONS });
  for (const name of ["scarce", "empty"])
    await test.step(`${name}: slots of ours are free, and nothing launches them`, async () => {
      await expectVerdict(withReservations, overview, `default/${name}`, {
        reason: "CapacityNotLaunched",
        sentence: new RegExp(`${name} needs 1 GPU: 2 paid slots of cr-g5 \\(g5\\.xlarge\\) would hold it`),
        evidence: [/2 slots, 0 machines running, 2 paid slots empty/],
        ladder: {
          L1: ["ok", /cr-g5 active, 2 slots, 0 launched/],
          L2: ["broken", /2 paid slots of cr-g5 not launched/],
          L3: ["not-reached", /./],
          L4: ["not-reached", /not reached/],
        },
      });
    });
});

const RESERVATIONS = {
  reservations: [
    {
      id: "cr-g5",
      provider: "aws",
      instanceType: "g5.xlarge",
      zone: "us-east-1b",
      count: 2,
      gpusPerInstance: 1,
      pricePerGpuHour: 1,
      currency: "USD",
      selector: { matchLabels: { "example.com/reservation": "cr-g5" } },
    },
  ],
};

/** A NodePool that launches one instance type, where and as what `requirements` say. */
function nodePool(
  name: string,
  type: string,
  requirements: Readonly<Record<string, string>>,
  spec: { readonly limits?: Readonly<Record<string, string>> } = {},
) {
  const all = { "node.kubernetes.io/instance-type": type, ...requirements };
  // Without any, Karpenter takes on-demand for granted.
  const anyTerm = { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand", "spot"] };
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      ...spec,
      template: {
        spec: {
          nodeClassRef: { group: "karpenter.kwok.sh", kind: "KWOKNodeClass", name: "default" },
          requirements: [
            ...("karpenter.sh/capacity-type" in requirements ? [] : [anyTerm]),
            ...Object.entries(all).map(([key, value]) => ({ key, operator: "In", values: [value] })),
          ],
        },
      },
    },
  };
}

/** A pod that asks for one GPU on a machine of that pool. */
function pod(name: string, pool: string, nodeSelector: Readonly<Record<string, string>> = {}) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      nodeSelector: { "karpenter.sh/nodepool": pool, ...nodeSelector },
      containers: [{ name: "main", image: "busybox:1", resources: { limits: { "nvidia.com/gpu": "1" } } }],
    },
  };
}
