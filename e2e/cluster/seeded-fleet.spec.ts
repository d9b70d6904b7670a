import type { FleetView } from "../../lib/model/fleet-view.ts";
import { STAGES } from "../../lib/model/stages.ts";
import { normalizePod } from "../../lib/sources/kubernetes/normalize-pod.ts";
import { readView } from "../support/seamline.ts";
import { expect, test } from "./cluster-test.ts";
import { ledgerGaps } from "./kind/ledger-gaps.ts";
import { scenarioNow, writeConfiguration } from "./seed/scenario-now.ts";
import { seed } from "./seed.ts";

/** A machine of the scenario that is Ready, and one whose kubelet has fallen silent. */
const READY = "dgx-lab-01";
const SILENT = "ip-10-0-12-8.ec2.internal";

/** A gang that waits as a whole: the scheduler that comes with Kubernetes places what fits of it. */
const GANG = "vision/clip-eval";

/** Stages that no scheduler can change: those below it, and that of pods which fail where they are. */
const SETTLED = STAGES.filter(({ schedulable, stage }) => !schedulable || stage === "not-working");

test("the demo's fleet on a real control plane: what is paid, lost and stuck is as in the demo", async ({
  newCluster,
  start,
  overview,
  fleet,
}) => {
  const cluster = await newCluster("fleet", []);
  const scenario = await scenarioNow("fleet");
  await seed(cluster, scenario.objects);
  const seamline = await start({
    KUBECONFIG: await cluster.kubeconfigFor("seamline"),
    ...(await writeConfiguration(test.info().outputPath(), scenario)),
  });
  const view = async () => await readView<FleetView>(seamline);
  const demo = await readView<FleetView>(fleet);
  const ready = async (node: string) =>
    await cluster.kubectl([
      "get",
      "node",
      node,
      "-o",
      'jsonpath={.status.conditions[?(@.type=="Ready")].status}',
    ]);

  await test.step("what is paid, and where it is lost", async () => {
    await expect.poll(async () => capacity(await view())).toEqual(capacity(demo));
    const { cluster: seen, counts, issues, totals } = await view();
    expect(seen).toMatchObject({ kind: "cluster", name: cluster.name });
    expect(counts.nodes).toBe(demo.counts.nodes);
    expect(issues).toEqual([]);
    expect(ledgerGaps(await view())).toEqual([]);
    await overview.open(seamline.url);
    await expect(overview.demoBanner).toHaveCount(0);
    await expect(overview.paid).toContainText(`${totals.paid.gpus} GPUs`);
    await expect(overview.inTheSeam).toContainText(`${totals.seam.gpus} GPUs`);
    await expect(overview.seam.getByRole("link", { name: SILENT })).toBeVisible();
  });

  await test.step("a machine hangs and comes back; one that was silent stays so", async () => {
    await cluster.pauseNode(READY);
    await expect.poll(() => ready(READY)).toBe("Unknown");
    await cluster.unpauseNode(READY);
    await expect.poll(() => ready(READY)).toBe("True");
    expect(await ready(SILENT)).toBe("Unknown");
    await expect.poll(async () => capacity(await view())).toEqual(capacity(demo));
  });

  await test.step("pods on nodes are as they were written, and the others wait for what they wait for", async () => {
    const placed = scenario.objects
      .filter(({ kind }) => kind === "Pod")
      .filter((pod) => normalizePod(pod).nodeName);
    const { items }: { items: unknown[] } = JSON.parse(
      await cluster.kubectl(["get", "pods", "--all-namespaces", "-o", "json"]),
    );
    expect(items.map(stateOf)).toEqual(expect.arrayContaining(placed.map(stateOf)));
    await expect.poll(async () => verdicts(await view())).toEqual(verdicts(demo));
    for (const { namespace, name, layer, reason } of demo.stuck.filter((each) => !isGang(each)))
      await expect(overview.stuckPod(`${namespace}/${name}`)).toContainText(`${layer}${reason}`);
  });
});

/** All that the ledger says of paid GPUs before they reach the scheduler. */
function capacity({ totals, losses, pools }: FleetView) {
  const { paid, schedulable, seam, unknown, stages } = totals;
  return {
    totals: { paid, schedulable, seam, unknown },
    stages: SETTLED.map(({ stage }) => [stage, stages.find((each) => each.stage === stage)?.gpus]),
    losses: losses
      .filter((loss) => loss.seam)
      .map(({ pool, stage, reason, gpus, perHour }) => ({ pool, stage, reason, gpus, perHour })),
    pools: pools.map(({ id, paid: ofPool, rate }) => ({ id, paid: ofPool, rate: rate.perGpuHour })),
  };
}

const isGang = ({ namespace, workload }: FleetView["stuck"][number]): boolean =>
  `${namespace}/${workload?.name}` === GANG;

function verdicts({ stuck }: FleetView): string[] {
  const others = stuck.filter((each) => !isGang(each));
  return others.map(({ namespace, name, layer, reason }) => `${namespace}/${name} ${layer} ${reason}`).sort();
}

/** What its kubelet says of a pod. */
function stateOf(pod: unknown) {
  const { name, nodeName, phase, deletedAt, containers } = normalizePod(pod);
  const states = containers.map(({ name: container, ready, restarts, state }) => {
    return { container, ready, restarts, ...("reason" in state ? { reason: state.reason } : state) };
  });
  return { name, nodeName, phase, isEnding: deletedAt !== undefined, states };
}
