import type { FleetView, SourceView } from "../../lib/model/fleet-view.ts";
import type { KubernetesObject } from "../../lib/testing/api-server/kubernetes-object.ts";
import { readView, type Seamline, startSeamline } from "../support/seamline.ts";
import { expect, type OpenCluster, openCluster, test } from "./cluster-test.ts";
import { applyCrds } from "./controllers/crds.ts";
import { kueueCrds } from "./controllers/kueue.ts";
import { LAYERS } from "./layers-cluster.ts";
import { type ProcessesCluster, processesRig } from "./processes.ts";
import { expectServed } from "./served-sources.ts";

// What an API server has changes while it is read: kinds come, go, are served in other versions, or cannot be asked.

/** Kinds are looked for twice a minute. */
const DISCOVERY = { timeout: 75_000 };

let open: OpenCluster<ProcessesCluster>;
let seamline: Seamline;

test.beforeAll(async ({ rig: _ }, testInfo) => {
  testInfo.setTimeout(240_000);
  open = await openCluster(processesRig, "layers", LAYERS);
  seamline = await startSeamline({ KUBECONFIG: await open.cluster.kubeconfigFor("seamline") });
  await expect.poll(async () => (await view()).counts.nodes).toBe(LAYERS.length);
});

test.afterAll(async ({ rig: _ }, testInfo) => {
  await seamline?.stop();
  await open?.close(testInfo);
});

const view = async () => await readView<FleetView>(seamline);
const sources = async () =>
  (await view()).sources.filter(({ kind, state }) => kind === "kubernetes" && state !== "absent");
const source = async (kind: string): Promise<SourceView | undefined> =>
  (await sources()).find(({ id }) => id === `kubernetes/${kind}`);

test("a kind appears, in an older version only, then in a newer one, goes again, and is back in one that is too old", async () => {
  const kind = "localqueues.kueue.x-k8s.io";
  const crd = (await kueueCrds()).find(({ metadata }) => metadata.name === kind);
  if (!crd) throw new Error(`Kueue has no ${kind}`);
  expect(await source(kind)).toBeUndefined();

  await applyCrds(open.cluster, [inVersions(crd, ["v1beta1"])]);
  await expect.poll(async () => (await source(kind))?.state, DISCOVERY).toBe("live");
  await expectServed(open.cluster, view, { [kind]: "v1beta1" });

  await applyCrds(open.cluster, [inVersions(crd, ["v1beta1", "v1beta2"])]);
  await expect.poll(async () => (await readVersions(kind)).at(-1), DISCOVERY).toBe("v1beta2");
  await expect.poll(async () => (await source(kind))?.state).toBe("live");

  await open.cluster.kubectl(["delete", "crd", kind]);
  await expect.poll(() => source(kind), DISCOVERY).toBeUndefined();
  expect(await othersThan([])).toEqual([]);

  await applyCrds(open.cluster, [asVersion(inVersions(crd, ["v1beta1"]), "v1alpha2")]);
  await expect
    .poll(async () => (await source(kind))?.error, DISCOVERY)
    .toEqual({
      code: "invalid",
      message: `The cluster has ${kind} only as v1alpha2, which Seamline cannot read`,
      hint: "It reads v1beta2, v1beta1.",
    });
  await open.cluster.kubectl(["delete", "crd", kind]);
  await expect.poll(() => source(kind), DISCOVERY).toBeUndefined();
});

test("the server behind an APIService is down: its kinds cannot be asked, all others can", async ({
  overview,
}) => {
  const group = "kubeflow.org";
  const apiService = {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: "v1",
      service: { namespace: "default", name: "nowhere" },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  };
  await open.cluster.kubectl(["apply", "-f", "-"], JSON.stringify(apiService));
  await expect
    .poll(() => source(`pytorchjobs.${group}`), DISCOVERY)
    .toMatchObject({ state: "unreachable", asOf: null, error: { code: "unreachable" } });
  const down = await source(`pytorchjobs.${group}`);
  expect(down?.error?.message).toContain(`cannot tell what ${group}/v1 has`);
  expect(down?.error?.hint).toContain("APIService");
  expect(await othersThan([group])).toEqual([]);
  const { counts } = await view();
  expect(counts).toMatchObject({ nodes: LAYERS.length, gpuPods: 0 });
  await overview.open(seamline.url);
  await expect(overview.page.getByRole("alert").filter({ hasText: "cannot be read" })).toHaveCount(0);

  await open.cluster.kubectl(["delete", "apiservice", `v1.${group}`]);
  await expect.poll(() => source(`pytorchjobs.${group}`), DISCOVERY).toBeUndefined();
});

test("a built-in kind is not served any more, and then it is again", async () => {
  const { apiServer } = open.cluster.programs;
  const kind = "jobs.batch";
  expect((await source(kind))?.state).toBe("live");
  await apiServer.kill();
  apiServer.start(["--runtime-config=batch/v1=false"]);
  await open.cluster.ready();
  await expect.poll(() => source(kind), DISCOVERY).toBeUndefined();
  await expect.poll(() => othersThan([])).toEqual([]);
  await apiServer.kill();
  apiServer.start();
  await open.cluster.ready();
  await expect.poll(async () => (await source(kind))?.state, DISCOVERY).toBe("live");
  await expect.poll(() => othersThan([])).toEqual([]);
});

test("a server that ends watches after a second lets ours last as long as they ask for", async () => {
  const { apiServer } = open.cluster.programs;
  await apiServer.kill();
  apiServer.start(["--min-request-timeout=1"]);
  await open.cluster.ready();
  await expect.poll(() => othersThan([])).toEqual([]);
  const before = await podWatches();
  // Ten times what the server gives those that ask for no time.
  const until = Date.now() + 10_000;
  await expect.poll(() => Date.now()).toBeGreaterThan(until);
  expect(await podWatches()).toBe(before);
  const pod = { metadata: { name: "late" }, spec: { containers: [{ name: "main", image: "busybox:1" }] } };
  const { pods } = (await view()).counts;
  await open.cluster.kubectl(
    ["create", "-f", "-"],
    JSON.stringify({ apiVersion: "v1", kind: "Pod", ...pod }),
  );
  await expect.poll(async () => (await view()).counts.pods).toBe((pods ?? 0) + 1);
});

/** Sources that are not live, but for those of the groups. */
async function othersThan(groups: readonly string[]): Promise<string[]> {
  return (await sources())
    .filter(({ id, state }) => state !== "live" && !groups.some((group) => id.endsWith(group)))
    .map(({ id, state }) => `${id} ${state}`);
}

/** Versions in which a kind was asked for, oldest first. */
async function readVersions(kind: string): Promise<readonly string[]> {
  const asked = (await open.cluster.auditLog()).filter(({ resource }) => resource === kind);
  return asked.map(({ uri }) => uri.split("/")[3] ?? "");
}

async function podWatches(): Promise<number> {
  const requests = await open.cluster.auditLog();
  return requests.filter(({ verb, resource }) => verb === "watch" && resource === "pods").length;
}

interface Crd {
  readonly versions: readonly { readonly name: string }[];
}

/** The definition with these versions only; the first one is stored. */
function inVersions(crd: KubernetesObject, names: readonly string[]): KubernetesObject {
  const spec = crd.spec as Crd; // https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/
  const versions = spec.versions
    .filter(({ name }) => names.includes(name))
    .map((version) => ({ ...version, storage: version.name === names[0] }));
  return { ...crd, spec: { ...spec, versions } };
}

/** A definition of one version, under another name. */
function asVersion(crd: KubernetesObject, name: string): KubernetesObject {
  const spec = crd.spec as Crd;
  return { ...crd, spec: { ...spec, versions: spec.versions.map((version) => ({ ...version, name })) } };
}
