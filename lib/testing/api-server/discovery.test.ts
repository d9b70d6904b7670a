import { afterEach, expect, it } from "vitest";
import { type ApiServer, type ApiServerOptions, startApiServer } from "./api-server.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const ACCEPT = `${AGGREGATED},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`;

let server: ApiServer;
afterEach(() => server.close());

async function start(options: ApiServerOptions = {}) {
  const objects = ["karpenter.sh/v1", "karpenter.sh/v1beta1", "apps/v1"].map((apiVersion) => ({
    apiVersion,
    kind: apiVersion === "apps/v1" ? "Deployment" : "NodePool",
    metadata: { name: "a" },
  }));
  server = await startApiServer({ objects, ...options });
}

async function get(path: string, accept = "application/json") {
  const response = await fetch(server.url + path, { headers: { accept } });
  return { status: response.status, type: response.headers.get("content-type"), json: await response.json() };
}

it("tells of everything in one answer where it is asked to", async () => {
  await start();
  const { type, json } = await get("/apis", ACCEPT);
  expect(type).toBe(AGGREGATED);
  expect(json).toMatchObject({ kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" });
  expect(json.items).toMatchObject([
    {
      metadata: { name: "karpenter.sh" },
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [
            {
              resource: "nodepools",
              responseKind: { group: "karpenter.sh", version: "v1", kind: "NodePool" },
              scope: "Cluster",
            },
          ],
        },
        { version: "v1beta1" },
      ],
    },
    {
      metadata: { name: "apps" },
      versions: [{ resources: [{ resource: "deployments", scope: "Namespaced" }] }],
    },
  ]);
  const core = (await get("/api", ACCEPT)).json.items;
  expect(core).toHaveLength(1);
  expect(core[0].versions[0].resources.map(({ resource }: { resource: string }) => resource)).toContain(
    "pods",
  );
});

it.each<[string, ApiServerOptions, string]>([
  ["who does not ask for it", {}, "application/json"],
  ["an old server", { aggregatedDiscovery: false }, ACCEPT],
])("tells of groups only: %s", async (_, options, accept) => {
  await start(options);
  expect(await get("/apis", accept)).toMatchObject({
    type: "application/json",
    json: { kind: "APIGroupList" },
  });
  expect((await get("/api", accept)).json).toMatchObject({ kind: "APIVersions" });
});

it("does not know what a group has that is down, and answers no request for it", async () => {
  await start();
  server.faults.failGroup("karpenter.sh");
  const { items } = (await get("/apis", ACCEPT)).json;
  expect(items[0].versions).toEqual([
    { version: "v1", freshness: "Stale" },
    { version: "v1beta1", freshness: "Stale" },
  ]);
  expect((await get("/apis/karpenter.sh/v1")).status).toBe(503);
  expect((await get("/apis/karpenter.sh/v1/nodepools")).status).toBe(503);
  expect((await get("/apis/apps/v1/deployments")).status).toBe(200);
  server.faults.clear();
  expect((await get("/apis/karpenter.sh/v1/nodepools")).status).toBe(200);
});

it("knows a kind no more whose CRD is deleted", async () => {
  await start();
  server.faults.dropResource("deployments");
  expect((await get("/apis")).json.groups.map(({ name }: { name: string }) => name)).toEqual([
    "karpenter.sh",
  ]);
  expect((await fetch(`${server.url}/apis/apps/v1/deployments`)).status).toBe(404);
});

it.each<[string, number, string]>([
  ["container=main", 200, "1\n2\n3\n"],
  ["container=main&tailLines=2", 200, "2\n3\n"],
  ["container=main&tailLines=2&limitBytes=3", 200, "2\n3"],
  ["container=main&previous=true", 200, "before\n"],
  ["container=side", 400, 'container "side" in pod "p" is waiting to start: ContainerCreating'],
  ["container=side&previous=true", 400, 'previous terminated container "side" in pod "p" not found'],
  ["container=other", 400, "container other is not valid for pod p"],
  ["", 400, "a container name must be specified for pod p, choose one of: [main side]"],
])("gives a pod's log: %s", async (query, status, text) => {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "ml" },
    spec: { containers: [{ name: "main" }, { name: "side" }] },
  };
  await start({ objects: [pod], logs: { "ml/p/main": "1\n2\n3\n", "ml/p/main/previous": "before\n" } });
  const response = await fetch(`${server.url}/api/v1/namespaces/ml/pods/p/log?${query}`);
  expect(response.status).toBe(status);
  const body = await response.text();
  expect(status === 200 ? body : JSON.parse(body).message).toBe(text);
  expect((await fetch(`${server.url}/api/v1/namespaces/ml/pods/gone/log`)).status).toBe(404);
});
