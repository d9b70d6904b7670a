import type { FleetView } from "../../lib/model/fleet-view.ts";
import type { Stage } from "../../lib/model/stages.ts";
import { FACT_KINDS } from "../../lib/sources/kubernetes/kinds/fact-kinds.ts";
import { readView } from "../support/seamline.ts";
import { expect, test } from "./cluster-test.ts";
import { expectVerdict } from "./expect-verdict.ts";
import { advertiseGpu, LAYERS, trainer, writeLayersReservations } from "./layers-cluster.ts";
import { SEAMLINE_USER } from "./rig.ts";

/** From the API server's event to the page. */
const AT_ONCE = { timeout: 1_000 };

test("the four layers, from paid to working, on a real control plane", async ({
  rig,
  newCluster,
  start,
  overview,
}) => {
  const cluster = await newCluster("layers", LAYERS);
  const { kubectl } = cluster;
  const seamline = await start({
    KUBECONFIG: await cluster.kubeconfigFor("seamline"),
    SEAMLINE_RESERVATIONS: await writeLayersReservations(test.info().outputPath("reservations.yaml")),
  });
  const view = async () => await readView<FleetView>(seamline);
  /** GPUs paid, schedulable, in the seam and at work, and the verdicts. */
  const figures = async () => {
    const { totals, stuck } = await view();
    const { paid, schedulable, seam, working } = totals;
    const gpus = [paid, schedulable, seam, working].map((figure) => figure.gpus);
    return [...gpus, ...stuck.map(({ namespace, name, reason }) => `${namespace}/${name} ${reason}`)];
  };
  const inStage = async (stage: Stage) =>
    (await view()).totals.stages.find((each) => each.stage === stage)?.gpus;
  const allocatable = async (node: string) =>
    await kubectl(["get", "node", node, "-o", "jsonpath={.status.allocatable.nvidia\\.com/gpu}"]);
  const phase = async (pod: string) =>
    await kubectl(["get", "pod", pod, "-o", "jsonpath={.status.phase}", "--ignore-not-found"]);
  const worker = `${cluster.name}-worker`;
  const worker2 = `${cluster.name}-worker2`;

  await test.step("1. two slots are paid for, and no node advertises a GPU", async () => {
    await overview.open(seamline.url);
    expect(await allocatable(worker)).toBe("");
    await expect.poll(figures).toEqual([2, 0, 2, 0]);
    await expect.poll(() => inStage("not-advertised")).toBe(2);
    const { totals, losses, counts, cluster: seen, issues } = await view();
    expect(seen.kind).toBe("cluster");
    expect(totals.seam.perHour).toEqual([{ currency: "USD", micros: 5_000_000 }]);
    expect(losses.map(({ reason, layer, gpus }) => [reason, layer, gpus])).toEqual([
      ["GpuNotAdvertised", "L2", 2],
    ]);
    expect(counts).toMatchObject({ nodes: 3, gpuPods: 0 });
    expect(issues).toEqual([]);
    await expect(overview.paid).toContainText("2 GPUs");
    await expect(overview.schedulable).toContainText("0 GPUs");
    await expect(overview.inTheSeam).toContainText("2 GPUs");
    await expect(overview.seam).toContainText("GPU not advertised");
  });

  await test.step("2. one worker advertises its GPU", async () => {
    await advertiseGpu(rig, cluster, worker);
    await expect.poll(() => allocatable(worker), { intervals: [100] }).toBe("1");
    await expect(overview.schedulable).toContainText("1 GPU", AT_ONCE);
    expect(await figures()).toEqual([2, 1, 1, 0]);
    await expect(overview.inTheSeam).toContainText("1 GPU");
  });

  await test.step("3. the other one too; one is cordoned while its GPU is idle, and uncordoned", async () => {
    await advertiseGpu(rig, cluster, worker2);
    await expect.poll(figures).toEqual([2, 2, 0, 0]);
    await expect(overview.inTheSeam).toContainText("0 GPUs");
    await kubectl(["cordon", worker2]);
    await expect.poll(() => inStage("cordoned")).toBe(1);
    expect(await figures()).toEqual([2, 1, 1, 0]);
    await expect(overview.seam).toContainText(worker2);
    await kubectl(["uncordon", worker2]);
    await expect.poll(figures).toEqual([2, 2, 0, 0]);
  });

  await test.step("4. three trainers ask for two GPUs", async () => {
    await kubectl(["apply", "-f", "-"], trainer("trainer-a"));
    await kubectl(["apply", "-f", "-"], trainer("trainer-b"));
    await expect.poll(figures).toEqual([2, 2, 0, 2]);
    await kubectl(["apply", "-f", "-"], trainer("trainer-c"));
    await expect.poll(figures).toEqual([2, 2, 0, 2, "default/trainer-c GpusBusy"]);
    const stuck = async () => (await view()).stuck[0];
    await expect
      .poll(async () =>
        (await stuck())?.holders.map(({ namespace, name, gpus }) => [namespace, name, gpus]).sort(),
      )
      .toEqual([
        ["default", "trainer-a", 1],
        ["default", "trainer-b", 1],
      ]);
    expect(await stuck()).toMatchObject({ layer: "L3", gpus: 1 });
    // True at once: it is paid for and active, the pod is Pending, and there is nowhere to put it.
    await expectVerdict(seamline, overview, "default/trainer-c", {
      reason: "GpusBusy",
      certainty: "high",
      sentence: /trainer-c needs 1 GPU/,
      evidence: [/Insufficient nvidia.com\/gpu/],
      ladder: {
        L1: ["ok", /Two reserved GPU slots active, 2 slots, 2 launched/],
        L2: ["ok", /2 nodes could run it/],
        L3: ["broken", /0 of 2 GPUs free on 2 nodes/],
        L4: ["not-reached", /not reached/],
      },
    });
    await expect(overview.drawer).toContainText("asks for 1 GPU · Pending");
    await expect(overview.paid).toContainText("2 GPUs");
    const row = overview.stuckPod("default/trainer-c");
    await expect(row).toContainText("L3GpusBusy");
    await expect(row).toContainText(/trainer-a|trainer-b/);
  });

  if (rig === "kind") {
    await test.step("5. work runs inside a running pod, and nothing changes for the scheduler", async () => {
      const before = (await view()).lanes;
      expect(await kubectl(["exec", "trainer-a", "--", "sh", "-c", "echo step $((40 + 2))"])).toBe(
        "step 42\n",
      );
      const { lanes } = await view();
      const figuresOf = (all: typeof lanes) =>
        all.map(({ reach, through, waiting }) => ({ reach, through, waiting }));
      expect(figuresOf(lanes)).toEqual(figuresOf(before));
    });
  }

  await test.step("6. a trainer goes, and the one that waited runs", async () => {
    await kubectl(["delete", "pod", "trainer-a", "--wait=false"]);
    await expect.poll(() => phase("trainer-c")).toBe("Running");
    await expect.poll(figures).toEqual([2, 2, 0, 2]);
    await expect(overview.stuckPod("default/trainer-c")).toHaveCount(0);
    const { counts } = await view();
    expect(counts.gpuPods).toBe(2);
    // A kube-proxy a node, and the control plane's four mirror pods at the least.
    expect(counts.systemPods).toBeGreaterThanOrEqual(7);
  });

  await test.step("7. a worker at work is cordoned, and then its machine hangs", async () => {
    await kubectl(["cordon", worker]);
    await expect
      .poll(async () => await kubectl(["get", "node", worker, "-o", "jsonpath={.spec.taints[*].key}"]))
      .toContain("node.kubernetes.io/unschedulable");
    await expect.poll(figures).toEqual([2, 2, 0, 2]);
    await cluster.pauseNode(worker);
    await expect.poll(() => inStage("not-ready"), { timeout: 90_000 }).toBe(1);
    const { totals, losses } = await view();
    expect(totals.seam).toMatchObject({ gpus: 1, perHour: [{ currency: "USD", micros: 2_500_000 }] });
    expect(losses.filter(({ seam }) => seam)).toMatchObject([
      { stage: "not-ready", reason: "NodeNotReady", layer: "L2" },
    ]);
    await expect(overview.seam).toContainText("Node not ready");
    await expect(overview.seam).toContainText("$2.50/h");
    await cluster.unpauseNode(worker);
    await expect.poll(figures).toEqual([2, 2, 0, 2]);
    await kubectl(["uncordon", worker]);
    await expect.poll(figures).toEqual([2, 2, 0, 2]);
    await expect(overview.inTheSeam).toContainText("0 GPUs");
  });

  await test.step("it has asked for nothing but what its role grants, and never to change anything", async () => {
    const requests = await cluster.auditLog();
    expect(new Set(requests.map(({ user }) => user))).toEqual(new Set([SEAMLINE_USER]));
    const read = FACT_KINDS.map(({ plural, group }) => [plural, group].filter(Boolean).join("."));
    // Discovery is about no resource.
    const allowed = new Set(["", "nodes", "pods", "events", ...read]);
    expect(requests.filter(({ resource }) => !allowed.has(resource))).toEqual([]);
    expect(requests.filter(({ code }) => code === 403)).toEqual([]);
    const verbs = new Set(requests.map(({ verb }) => verb));
    expect([...verbs].filter((verb) => !["get", "list", "watch"].includes(verb))).toEqual([]);
  });
});
