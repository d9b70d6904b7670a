import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FleetView } from "../../lib/model/fleet-view.ts";
import { readView } from "../support/seamline.ts";
import { openApi } from "./api.ts";
import { expect, type Faulty, isVersionCheck, LIVE, test } from "./faulty-cluster.ts";
import { trainer } from "./layers-cluster.ts";
import type { Cluster } from "./rig.ts";
import { createSeamlineUser, seamlineToken } from "./seamline-user.ts";

/** Nothing was listed a second time. */
const ONCE = { nodes: 1, pods: 1, events: 1 };

/** A watch that says nothing for 70 s is given up, and what has failed is tried again within 30 s. */
const SILENCE = { timeout: 110_000 };

/** A resource that is forbidden is looked for again within a minute. */
const RECHECK = { timeout: 75_000 };

test("the API server is killed and comes back", async ({ faulty, overview }) => {
  const { cluster, view, sources, seamline } = faulty;
  await overview.open(seamline.url);
  const before = (await view()).totals;
  await cluster.programs.apiServer.kill();
  await expect.poll(sources).toEqual({ nodes: "stale", pods: "stale", events: "stale" });
  await expect(overview.sources).toContainText("stale");
  expect((await view()).totals).toEqual(before);
  cluster.programs.apiServer.start();
  await cluster.ready();
  await cluster.kubectl(["delete", "pod", "trainer-a", "--wait=false"]);
  await expect.poll(sources).toEqual(LIVE);
  await expect.poll(async () => (await view()).stuck).toEqual([]);
  await faulty.agreesWithFreshRead();
});

test("the API server comes back with an emptied etcd", async ({ faulty }) => {
  const { cluster, view, sources } = faulty;
  const { etcd, apiServer } = cluster.programs;
  await apiServer.kill();
  await etcd.kill();
  await rm(join(dirname(cluster.kubeconfig), "etcd"), { recursive: true });
  etcd.start();
  apiServer.start();
  await cluster.ready();
  await giveNewToken(faulty);
  await cluster.kubectl(
    ["create", "-f", "-"],
    JSON.stringify({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "new", labels: { pool: "gpu-reserved" } },
    }),
  );
  await expect.poll(sources).toEqual(LIVE);
  // To a watch from a version that it has yet to reach, a server says nothing at all: the silence has to be noticed.
  await expect.poll(async () => (await view()).counts.nodes, SILENCE).toBe(1);
  await faulty.agreesWithFreshRead();
});

test("the versions to go on from are compacted away", async ({ faulty }) => {
  const { cluster, line, view, sources } = faulty;
  line.refuse(true);
  line.cut();
  await expect.poll(sources).toMatchObject({ pods: "stale" });
  await cluster.kubectl(["delete", "pod", "trainer-b", "--wait=false"]);
  await cluster.kubectl(["label", "node", "layers-worker", "touched=yes"]);
  await compact(cluster.etcdServer);
  // A new server has no history of its own to answer from.
  await cluster.programs.apiServer.kill();
  cluster.programs.apiServer.start();
  await cluster.ready();
  line.refuse(false);
  await expect.poll(sources).toEqual(LIVE);
  await expect.poll(async () => (await view()).stuck).toEqual([]);
  // Only what has been told that its version is too old (410) reads everything anew.
  expect(await faulty.lists()).toEqual({ nodes: 2, pods: 2, events: 2 });
  await faulty.agreesWithFreshRead();
});

test("what is to be read page by page is compacted away between two pages", async ({
  faulty,
  start,
}, testInfo) => {
  const { cluster, line, view } = faulty;
  const { apiServer } = cluster.programs;
  await apiServer.kill();
  // As servers before 1.34, and as those that keep no snapshots to go on from.
  apiServer.start(["--feature-gates=WatchList=false,ListFromCacheSnapshot=false"]);
  await cluster.ready();
  await fillPage(cluster);
  const pages = async (isNext: boolean, code: number) => {
    const requests = (await cluster.auditLog()).filter(
      (event) => event.verb === "list" && event.resource === "pods" && !isVersionCheck(event),
    );
    return requests.filter((one) => one.uri.includes("continue=") === isNext && one.code === code).length;
  };
  // The one that is there already reads everything anew from a server that has just started.
  await expect.poll(async () => (await view()).counts.pods).toBeGreaterThan(PAGE);
  const before = await pages(false, 200);
  line.slow(1_000);
  const SEAMLINE_RESERVATIONS = testInfo.outputPath("reservations.yaml");
  const late = await start({ KUBECONFIG: testInfo.outputPath("kubeconfig"), SEAMLINE_RESERVATIONS });
  await expect.poll(() => pages(false, 200), { intervals: [50] }).toBe(before + 1);
  await cluster.kubectl(["label", "node", "layers-worker", "touched=yes"]);
  await compact(cluster.etcdServer);
  await expect.poll(() => pages(true, 410)).toBe(1);
  line.slow(0);
  const { pods } = (await view()).counts;
  expect(pods).toBeGreaterThan(PAGE);
  await expect.poll(async () => (await readView<FleetView>(late)).counts.pods).toBe(pods);
  expect(await pages(false, 200)).toBe(before + 2);
  await faulty.agreesWithFreshRead();
});

test("a line that breaks again and again costs no second list", async ({ faulty }) => {
  const { cluster, line, sources, lists } = faulty;
  expect(await lists()).toEqual(ONCE);
  for (const name of ["trainer-d", "trainer-e", "trainer-f"]) {
    line.cut();
    await cluster.kubectl(["apply", "-f", "-"], trainer(name));
    await expect.poll(sources).toEqual(LIVE);
  }
  // One entry may speak for several.
  const waiting = async () => (await faulty.view()).stuck.reduce((sum, { count }) => sum + count, 0);
  await expect.poll(waiting).toBe(4);
  expect(await lists()).toEqual(ONCE);
  await faulty.agreesWithFreshRead();
});

test("the rights to events, then to pods, are taken away and given back", async ({ faulty }) => {
  const { cluster, line, view, sources } = faulty;
  const allow = async (resources: readonly string[]) => {
    const patch = JSON.stringify([{ op: "replace", path: "/rules/0/resources", value: resources }]);
    await cluster.kubectl(["patch", "clusterrole", "seamline", "--type=json", "-p", patch]);
    // A watch that is open goes on without the right to it.
    line.cut();
  };
  await allow(["nodes", "pods"]);
  await expect.poll(sources).toEqual({ nodes: "live", pods: "live", events: "forbidden" });
  expect((await view()).stuck.map(({ reason }) => reason)).toEqual(["GpusBusy"]);
  await allow(["nodes"]);
  await expect.poll(sources).toEqual({ nodes: "live", pods: "forbidden", events: "forbidden" });
  const { counts, totals } = await view();
  expect(counts).toMatchObject({ nodes: 3, pods: null });
  expect(totals.paid.gpus).toBe(2);
  expect(totals.unknown.gpus).toBe(2);
  await allow(["nodes", "pods", "events"]);
  await expect.poll(sources, RECHECK).toEqual(LIVE);
  await faulty.agreesWithFreshRead();
});

test("the token file is rotated", async ({ faulty }) => {
  const { cluster, line, view, sources, lists } = faulty;
  await cluster.kubectl(["-n", "seamline", "delete", "serviceaccount", "seamline"]);
  // The API server goes on to accept for some seconds what it has just accepted.
  const afterCut = async () => {
    line.cut();
    return await sources();
  };
  await expect
    .poll(afterCut, { intervals: [2_000] })
    .toEqual({ nodes: "stale", pods: "stale", events: "stale" });
  expect((await view()).sources[0]?.error?.code).toBe("unauthorized");
  await giveNewToken(faulty);
  await expect.poll(sources).toEqual(LIVE);
  expect(await lists()).toEqual(ONCE);
  await faulty.agreesWithFreshRead();
});

test("the API server has too much to do and says so", async ({ faulty }) => {
  const { cluster, line, sources } = faulty;
  const { apiServer } = cluster.programs;
  await apiServer.kill();
  apiServer.start(["--max-requests-inflight=1", "--max-mutating-requests-inflight=1"]);
  await cluster.ready();
  await expect.poll(sources).toEqual(LIVE);
  const flood = await startFlood(await cluster.kubeconfigFor("seamline"));
  const refused = async () =>
    (await cluster.auditLog()).filter(({ verb, code }) => verb === "watch" && code === 429);
  await expect
    .poll(
      async () => {
        line.cut();
        return (await refused()).length;
      },
      { intervals: [1_000] },
    )
    .toBeGreaterThan(0);
  await flood.stop();
  await expect.poll(sources).toEqual(LIVE);
  await faulty.agreesWithFreshRead();
});

test("a slow line", async ({ faulty }) => {
  const { cluster, line, view, sources, lists } = faulty;
  line.slow(500);
  line.cut();
  await cluster.kubectl(["delete", "pod", "trainer-a", "--wait=false"]);
  await expect.poll(async () => (await view()).stuck).toEqual([]);
  await expect.poll(sources).toEqual(LIVE);
  expect(await lists()).toEqual(ONCE);
});

test("a line that goes silent is noticed, and the data's age is told", async ({ faulty }) => {
  const { cluster, line, view, sources } = faulty;
  line.silence(true);
  await cluster.kubectl(["delete", "pod", "trainer-a", "--wait=false"]);
  await expect.poll(sources, SILENCE).toEqual({ nodes: "stale", pods: "stale", events: "stale" });
  const pods = (await view()).sources.find(({ id }) => id === "kubernetes/pods");
  expect(Date.now() - Date.parse(pods?.asOf ?? "")).toBeGreaterThan(30_000);
  line.silence(false);
  await expect.poll(sources, SILENCE).toEqual(LIVE);
  await faulty.agreesWithFreshRead();
});

/** Makes the service account anew, where need be, and puts a token of it into the dashboard's file. */
async function giveNewToken({ cluster, tokenFile }: Faulty): Promise<void> {
  const api = await openApi(cluster.kubeconfig);
  try {
    await createSeamlineUser(api);
    await writeFile(tokenFile, `${await seamlineToken(api)}\n`);
  } finally {
    api.close();
  }
}

/** https://etcd.io/docs/v3.6/dev-guide/api_grpc_gateway/ */
async function compact(etcdServer: string): Promise<void> {
  const call = async (path: string, body: unknown) => {
    const response = await fetch(`${etcdServer}/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`etcd ${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  };
  const { header } = await call("kv/range", { key: Buffer.from("/").toString("base64") });
  await call("kv/compaction", { revision: header.revision, physical: true });
}

/** Objects in one page of a list. */
const PAGE = 500;

/** Makes pods that nobody places until a page does not hold them. */
async function fillPage(cluster: Cluster): Promise<void> {
  const api = await openApi(cluster.kubeconfig);
  const containers = [{ name: "main", image: "busybox:1" }];
  const create = async (index: number) =>
    await api.send("POST", "/api/v1/namespaces/default/pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: `filler-${index}` },
      spec: { schedulerName: "nobody", containers },
    });
  try {
    await Promise.all(Array.from({ length: PAGE }, (_, index) => create(index)));
  } finally {
    api.close();
  }
}

const FLOOD = 600;

/** Asks for all pods again and again, many at a time, as the same user. */
async function startFlood(kubeconfig: string): Promise<{ stop(): Promise<void> }> {
  const api = await openApi(kubeconfig, FLOOD);
  let flooding = true;
  const ask = async () => {
    while (flooding) await api.send("GET", "/api/v1/pods?limit=500").catch(() => delay(50));
  };
  const asked = Promise.all(Array.from({ length: FLOOD }, ask));
  return {
    stop: async () => {
      flooding = false;
      await asked;
      api.close();
    },
  };
}
