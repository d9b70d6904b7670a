import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FleetView, StuckView } from "../../lib/model/fleet-view.ts";
import type { Stage } from "../../lib/model/stages.ts";
import { readView, type Seamline, startSeamline } from "../support/seamline.ts";
import { expect, type OpenCluster, openCluster, test } from "./cluster-test.ts";
import { FAILING_PODS, gpuPod, NAMESPACE } from "./kind/failing-pods.ts";
import {
  applyAll,
  furnishKubelets,
  GPUS,
  KUBELET_NODES,
  KUBELET_RESERVATIONS,
} from "./kind/kubelet-cluster.ts";
import { ledgerGaps } from "./kind/ledger-gaps.ts";
import { kindRig } from "./kind.ts";
import type { Cluster } from "./rig.ts";

// What only a kubelet decides: how containers fail, and which pods run though no scheduler has sent them.

/** A kubelet backs off for longer each time, and a registry that does not answer takes its time. */
const PATIENCE = 180_000;

let open: OpenCluster<Cluster>;
let seamline: Seamline;
let folder: string;

test.beforeAll(async ({ rig: _ }, testInfo) => {
  testInfo.setTimeout(300_000);
  folder = await mkdtemp(join(tmpdir(), "seamline-kubelet-"));
  open = await openCluster(kindRig, "kubelet", KUBELET_NODES);
  await furnishKubelets(open.cluster);
  const reservations = join(folder, "reservations.json");
  await writeFile(reservations, JSON.stringify(KUBELET_RESERVATIONS));
  seamline = await startSeamline({
    KUBECONFIG: await open.cluster.kubeconfigFor("seamline"),
    SEAMLINE_RESERVATIONS: reservations,
  });
});

test.afterAll(async ({ rig: _ }, testInfo) => {
  await seamline?.stop();
  await open?.close(testInfo);
  await rm(folder, { recursive: true, force: true });
});

const view = async () => await readView<FleetView>(seamline);

const stuck = async (name: string): Promise<StuckView | undefined> =>
  (await view()).stuck.find((each) => each.namespace === NAMESPACE && each.name === name);

const podsIn = async (stage: Stage) =>
  (await view()).totals.stages
    .filter((each) => each.stage === stage)
    .flatMap(({ causes }) => causes.flatMap(({ objects }) => objects));

for (const failing of FAILING_PODS) {
  const { name, what, reason, certainty = "high", sentence, evidence, isEnded = false } = failing;
  test(`${what}: ${reason}`, async ({ overview }) => {
    const { name: cluster } = open.cluster;
    await expect
      .poll(() => stuck(name), { timeout: PATIENCE })
      .toMatchObject({
        layer: "L4",
        reason,
        owner: `${NAMESPACE} team`,
        gpus: 1,
        certainty,
        sentence: expect.stringMatching(sentence),
        evidence: expect.arrayContaining([
          expect.objectContaining({ value: expect.stringMatching(evidence) }),
        ]),
        ladder: {
          L1: { state: "ok", detail: "lab active, 2 slots, 2 launched" },
          L2: { state: "ok", detail: `${cluster}-worker is Ready` },
          L3: { state: "ok", detail: `placed on ${cluster}-worker` },
          L4: { state: "broken" },
        },
      });
    expect(ledgerGaps(await view())).toEqual([]);
    const pod = { kind: "Pod", namespace: NAMESPACE, name };
    // A container that is started once more runs for a moment.
    if (!isEnded) await expect.poll(async () => await podsIn("not-working")).toContainEqual(pod);
    else expect([...(await podsIn("not-working")), ...(await podsIn("working"))]).not.toContainEqual(pod);

    await overview.open(seamline.url);
    const row = overview.stuckPod(`${NAMESPACE}/${name}`);
    await expect(row).toContainText(reason);
    await expect(
      row.getByRole("img", { name: "At fault: L4. L1 fine, L2 fine, L3 fine, L4 at fault" }),
    ).toBeVisible();
    await row.getByRole("link", { name: `${NAMESPACE}/${name}` }).click();
    await expect(overview.drawer).toContainText(sentence);
    await expect(overview.drawer).toContainText(evidence);
    await expect(overview.drawer.getByRole("listitem").filter({ hasText: "fine: " })).toHaveCount(3);
  });
}

test("a pod bound by hand to a node without GPUs runs, is said, and takes no GPU from the ledger", async ({
  overview,
}) => {
  const node = `${open.cluster.name}-worker2`;
  await applyAll(open.cluster, [
    gpuPod({ name: "by-hand", container: { command: ["sleep", "3600"] }, nodeName: node }),
  ]);
  await open.cluster.kubectl([
    "-n",
    NAMESPACE,
    "wait",
    "--for=condition=Ready",
    "pod/by-hand",
    "--timeout=60s",
  ]);
  const said = async () => (await view()).issues.find(({ code }) => code === "MoreRequestedThanAllocatable");
  await expect.poll(said).toMatchObject({ object: { kind: "Node", name: node }, count: 1 });
  expect((await said())?.message).toBe("its pods hold 1 nvidia.com/gpu, it offers 0");

  const now = await view();
  expect(ledgerGaps(now)).toEqual([]);
  expect(now.totals.paid.gpus).toBe(2 * GPUS);
  expect(now.totals.stages.find(({ stage }) => stage === "not-advertised")?.gpus).toBe(GPUS);
  const counted = now.totals.stages.flatMap(({ causes }) => causes.flatMap(({ objects }) => objects));
  expect(counted.filter(({ name }) => name === "by-hand")).toEqual([]);
  expect(await stuck("by-hand")).toBeUndefined();

  await overview.open(seamline.url);
  const issues = overview.page.getByRole("region", { name: "Read, but odd" });
  await expect(issues).toContainText("its pods hold 1 nvidia.com/gpu, it offers 0");
  await expect(issues.getByRole("link", { name: node })).toBeVisible();
});

test("pods of DaemonSets and static pods are neither stuck nor GPU users, whatever becomes of them", async ({
  overview,
}) => {
  const { kubectl } = open.cluster;
  const pods: { items: readonly Pod[] } = JSON.parse(await kubectl(["get", "pods", "-A", "-o", "json"]));
  const owners = pods.items.flatMap(({ metadata }) => metadata.ownerReferences ?? []);
  const system = owners.filter(({ kind }) => kind === "DaemonSet" || kind === "Node").length;
  expect(owners.map(({ kind }) => kind)).toContain("Node");
  expect(owners.filter(({ name }) => name === "gpu-agent")).not.toEqual([]);

  await expect.poll(async () => (await view()).counts.systemPods).toBe(system);
  const { stuck: all, counts } = await view();
  const names = FAILING_PODS.map(({ name }) => name);
  expect(all.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
  expect(counts.gpuPods).toBeLessThanOrEqual(names.length + 1);
  await overview.open(seamline.url);
  await expect(overview.stuck).not.toContainText("agent");
});

interface Pod {
  readonly metadata: {
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
  };
}
