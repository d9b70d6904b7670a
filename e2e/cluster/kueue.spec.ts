import type { FleetView } from "../../lib/model/fleet-view.ts";
import { readView, type Seamline, startSeamline } from "../support/seamline.ts";
import { expect, type OpenCluster, openCluster, test } from "./cluster-test.ts";
import { startKueue } from "./controllers/kueue.ts";
import { type ExpectedVerdict, expectVerdict, stuckIn } from "./expect-verdict.ts";
import { ledgerGaps } from "./kind/ledger-gaps.ts";
import { advertiseGpu, LAYERS } from "./layers-cluster.ts";
import { type ProcessesCluster, processesRig } from "./processes.ts";
import { expectServed } from "./served-sources.ts";

// The real Kueue admits Jobs or keeps them: eight GPUs are there, and the queue may have four of them.

const GPUS = 4;
const QUOTA = 4;

let open: OpenCluster<ProcessesCluster>;
let seamline: Seamline;

test.beforeAll(async ({ rig: _ }, testInfo) => {
  testInfo.setTimeout(240_000);
  open = await openCluster(processesRig, "layers", LAYERS);
  const { cluster } = open;
  await startKueue(cluster);
  for (const node of ["layers-worker", "layers-worker2"])
    await advertiseGpu("processes", cluster, node, GPUS);
  for (const object of [...QUEUES, URGENT]) await apply(object);
  seamline = await startSeamline({ KUBECONFIG: await cluster.kubeconfigFor("seamline") });
});

test.afterAll(async ({ rig: _ }, testInfo) => {
  await seamline?.stop();
  await open?.close(testInfo);
});

const view = async () => await readView<FleetView>(seamline);
const apply = async (object: unknown) =>
  await open.cluster.kubectl(["apply", "-f", "-"], JSON.stringify(object));
const working = async () => (await view()).totals.working.gpus;

test("its objects are followed in the newest version that its definitions serve", async () => {
  const kinds = ["clusterqueues", "localqueues", "cohorts", "resourceflavors", "workloads", "topologies"];
  const versions = kinds.map((kind) => [`${kind}.kueue.x-k8s.io`, "v1beta2"]);
  await expectServed(open.cluster, view, Object.fromEntries(versions));
});

test("jobs wait for quota, are too large, are admitted and are sent away", async ({ overview }) => {
  const says = async (job: string, verdict: ExpectedVerdict) =>
    await expectVerdict(seamline, overview, `default/${job}`, verdict);

  await test.step("one is admitted and runs", async () => {
    await apply(job("first", 3));
    await expect.poll(working).toBe(3);
    expect(await stuckIn(seamline, "default", "first")).toBeUndefined();
  });

  await test.step("the next waits for what the first one has", async () => {
    await apply(job("second", 2));
    await apply(job("huge", QUOTA + 1));
    await says("second", {
      reason: "QueueQuotaExhausted",
      certainty: "high",
      sentence:
        /needs 2 GPUs, and ClusterQueue research has 1 GPU left of 4 in h100; default\/job-first-\w+ \(3\) holds it/,
      evidence: [
        /3 of nominal 4 reserved, at most 4 with borrowing/,
        /3 GPUs in ClusterQueue research, priority 0/,
        /insufficient unused quota for nvidia.com\/gpu in flavor h100, 1 more needed/,
      ],
      ladder: held(/research: 1 GPU left of 4 in h100/),
    });
    const { counts, totals } = await view();
    expect(counts.gpuPods).toBe(1);
    expect(totals.stages.find(({ stage }) => stage === "free")?.gpus).toBe(2 * GPUS - 3);
  });

  await test.step("a larger one can never be admitted", async () => {
    await says("huge", {
      reason: "QueueRequestTooLarge",
      certainty: "high",
      sentence: /asks for 5 GPUs, and ClusterQueue research gives at most 4 GPUs in h100, borrowing included/,
      evidence: [/3 of nominal 4 reserved/, /current podset request \(5\) > maximum capacity \(4\)/],
      ladder: held(/research gives at most 4 GPUs in h100/),
    });
  });

  await test.step("an urgent one takes the first one's place", async () => {
    await apply(job("urgent", QUOTA, "urgent"));
    await says("first", {
      reason: "Preempted",
      certainty: "high",
      sentence: /lost its place at .* to default\/job-urgent-\w+ \(priority 1000, its own is 0\)/,
      evidence: [/Preempted to accommodate a workload/, /research, priority 1000/],
      ladder: held(/evicted for default\/job-urgent-\w+, waits again/),
    });
    await expect.poll(working).toBe(QUOTA);
  });

  await test.step("it ends, and then one of the two that wait; the other one runs", async () => {
    await finish("urgent");
    const gpus = { first: 3, second: 2 };
    await expect.poll(async () => Object.values(gpus).includes((await working()) ?? 0)).toBe(true);
    // Which of them goes first is Kueue's to say.
    const [next, last] =
      (await working()) === gpus.first ? (["first", "second"] as const) : (["second", "first"] as const);
    await expect.poll(() => stuckIn(seamline, "default", next)).toBeUndefined();
    await finish(next);
    await expect.poll(working).toBe(gpus[last]);
    await overview.open(seamline.url);
    await expect(overview.stuck).toContainText("job-huge-");
    await expect(overview.stuck).not.toContainText("job-first-");
    await expect(overview.stuck).not.toContainText("job-second-");
    const { stuck, issues, counts } = await view();
    expect(stuck.map(({ workload, reason }) => [workload?.name, reason])).toEqual([
      ["huge", "QueueRequestTooLarge"],
    ]);
    expect(issues).toEqual([]);
    expect(counts.gpuPods).toBe(1);
    expect(ledgerGaps(await view())).toEqual([]);
  });
});

/** The Job's pods end well. */
async function finish(name: string): Promise<void> {
  const { kubectl } = open.cluster;
  const pods = await kubectl(["get", "pods", "-l", `job-name=${name}`, "-o", "name"]);
  const patch = JSON.stringify({ status: { phase: "Succeeded" } });
  for (const pod of pods.trim().split("\n"))
    await kubectl(["patch", pod, "--subresource=status", "-p", patch]);
}

/** No pod is there yet: only Kueue has spoken. */
function held(what: RegExp): ExpectedVerdict["ladder"] {
  const notLookedAt = ["unknown", /not looked at: there is no pod yet/] as const;
  return {
    L1: notLookedAt,
    L2: notLookedAt,
    L3: ["broken", what],
    L4: ["not-reached", /there is no pod yet/],
  };
}

const kueue = "kueue.x-k8s.io/v1beta2";
const URGENT = {
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name: "urgent" },
  value: 1_000,
};
const QUEUES = [
  { apiVersion: kueue, kind: "ResourceFlavor", metadata: { name: "h100" }, spec: {} },
  {
    apiVersion: kueue,
    kind: "ClusterQueue",
    metadata: { name: "research" },
    spec: {
      namespaceSelector: {},
      preemption: { withinClusterQueue: "LowerPriority" },
      resourceGroups: [
        {
          coveredResources: ["nvidia.com/gpu"],
          flavors: [{ name: "h100", resources: [{ name: "nvidia.com/gpu", nominalQuota: String(QUOTA) }] }],
        },
      ],
    },
  },
  {
    apiVersion: kueue,
    kind: "LocalQueue",
    metadata: { name: "research", namespace: "default" },
    spec: { clusterQueue: "research" },
  },
];

/** A Job of one pod in the queue, suspended until Kueue lets it run. */
function job(name: string, gpus: number, priorityClassName?: string) {
  const limits = { "nvidia.com/gpu": String(gpus) };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, labels: { "kueue.x-k8s.io/queue-name": "research" } },
    spec: {
      suspend: true,
      template: {
        spec: {
          ...(priorityClassName === undefined ? {} : { priorityClassName }),
          restartPolicy: "Never",
          containers: [{ name: "main", image: "busybox:1", resources: { limits } }],
        },
      },
    },
  };
}
