import { afterEach, describe, expect, it } from "vitest";
import { decodeList, decodeObject } from "../../sources/kubernetes/protobuf.ts";
import {
  type ApiServer,
  type ApiServerOptions,
  type KubernetesObject,
  startApiServer,
} from "./api-server.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf,application/json";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const NOW = Date.parse("2026-12-01T08:00:00Z");

let server: ApiServer;
afterEach(() => server.close());

async function start(options: ApiServerOptions = {}) {
  server = await startApiServer({ now: () => NOW, ...options });
}

async function get(path: string, accept = "application/json", method = "GET") {
  const response = await fetch(`${server.url}${path}`, { method, headers: { accept } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type");
  return { status: response.status, type, bytes, json: () => JSON.parse(bytes.toString()) };
}

function pod(
  name: string,
  more: { namespace?: string; labels?: object; spec?: object; status?: object } = {},
) {
  const { namespace = "ml", labels = {}, spec = {}, status = { phase: "Running" } } = more;
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace, labels }, spec, status };
}

const OBJECTS: readonly KubernetesObject[] = [
  {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "n1" },
    status: { capacity: { "nvidia.com/gpu": "8" } },
  },
  pod("a", { labels: { app: "x" }, spec: { nodeName: "n1" } }),
  pod("b", { status: { phase: "Pending" } }),
  pod("c", { namespace: "other", labels: { app: "x" } }),
];

const names = (list: { items: { metadata: { name: string } }[] }) =>
  list.items.map(({ metadata }) => metadata.name);

describe("lists", () => {
  it.each([
    ["/api/v1/pods", ["a", "b", "c"]],
    ["/api/v1/namespaces/ml/pods", ["a", "b"]],
    ["/api/v1/namespaces/none/pods", []],
    ["/api/v1/nodes", ["n1"]],
    ["/api/v1/namespaces", ["ml", "other"]],
    ["/api/v1/events", []],
    ["/api/v1/pods?fieldSelector=spec.nodeName=n1", ["a"]],
    ["/api/v1/pods?fieldSelector=metadata.name=b,status.phase==Pending", ["b"]],
    ["/api/v1/pods?fieldSelector=status.phase!=Running", ["b"]],
    ["/api/v1/pods?labelSelector=app=x", ["a", "c"]],
    ["/api/v1/namespaces/ml/pods?labelSelector=app!=x", ["b"]],
  ])("%s", async (path, expected) => {
    await start({ objects: OBJECTS });
    const list = (await get(path)).json();
    expect(names(list)).toEqual(expected);
    expect(list.metadata).toEqual({ resourceVersion: expect.stringMatching(/^\d+$/) });
  });

  it("come in pages that show one state", async () => {
    await start({ objects: OBJECTS });
    const first = (await get("/api/v1/pods?limit=2")).json();
    expect(names(first)).toEqual(["a", "b"]);
    expect(first.metadata.remainingItemCount).toBe(1);
    server.remove([{ kind: "Pod", namespace: "other", name: "c" }]);
    const second = (await get(`/api/v1/pods?limit=2&continue=${first.metadata.continue}`)).json();
    expect(names(second)).toEqual(["c"]);
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
  });

  it("leave out the kind of built-in items, as API servers do", async () => {
    const nodePool = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "gpu" } };
    await start({ objects: [...OBJECTS, nodePool] });
    const nodes = (await get("/api/v1/nodes")).json();
    expect(nodes).toMatchObject({ kind: "NodeList", apiVersion: "v1" });
    expect(nodes.items[0]).not.toHaveProperty("kind");
    expect((await get("/apis/karpenter.sh/v1/nodepools")).json().items[0]).toMatchObject(nodePool);
  });
});

describe("errors", () => {
  it.each([
    ["/api/v1/namespaces/ml/pods/none", 404, "NotFound"],
    ["/api/v1/pods?limit=many", 400, "BadRequest"],
    ["/api/v1/pods?resourceVersion=abc", 400, "BadRequest"],
    ["/api/v1/pods?labelSelector=app in (x)", 400, "BadRequest"],
    ["/api/v1/pods?resourceVersion=99999", 504, "Timeout"],
    ["/api/v1/pods?continue=never-given", 410, "Expired"],
    ["/api/%ff/pods", 400, "BadRequest"],
  ])("%s", async (path, status, reason) => {
    await start();
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason,
      code: status,
    });
  });

  it.each([
    "/apis/kueue.x-k8s.io/v1beta2/workloads",
    "/api/v1/secrets",
    "/openapi/v2",
    "/api/v1/namespaces/ml/pods/a/status",
  ])("%s is not there, in plain text", async (path) => {
    await start({ objects: OBJECTS });
    expect(await get(path)).toMatchObject({ status: 404, type: "text/plain; charset=utf-8" });
  });

  it("changes nothing, whatever the method", async () => {
    await start({ objects: OBJECTS });
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect((await get("/api/v1/namespaces/ml/pods/a", "application/json", method)).status).toBe(405);
    }
    expect((await get("/api/v1/namespaces/ml/pods/a")).status).toBe(200);
  });
});

describe("formats", () => {
  it("answers lists and errors in protobuf where it is asked for first", async () => {
    await start({ objects: OBJECTS });
    const list = await get("/api/v1/pods", PROTOBUF);
    expect(list.type).toBe("application/vnd.kubernetes.protobuf");
    expect(names({ items: JSON.parse(JSON.stringify(decodeList(list.bytes).items)) })).toEqual([
      "a",
      "b",
      "c",
    ]);
    const error = await get("/api/v1/pods?resourceVersion=99999", PROTOBUF);
    expect(decodeObject(error.bytes).object).toMatchObject({
      kind: "Status",
      code: 504,
      details: { causes: [{ reason: "ResourceVersionTooLarge" }] },
    });
  });

  it.each([
    ["an Accept header that puts it first", "application/json, application/vnd.kubernetes.protobuf", {}],
    ["a server without protobuf", PROTOBUF, { protobuf: false }],
    [
      "a server without protobuf, asked for nothing else",
      "application/vnd.kubernetes.protobuf",
      { protobuf: false },
    ],
    ["no preference", "*/*", {}],
    ["an object that protobuf cannot hold", PROTOBUF, { objects: [pod("bad", { spec: { nodeName: 7 } })] }],
  ])("answers JSON for %s", async (_, accept, options) => {
    await start({ objects: OBJECTS, ...options });
    const answer = await get("/api/v1/pods", accept);
    expect(answer.type).toBe("application/json");
    expect(answer.json().kind).toBe("PodList");
  });

  it("answers JSON for kinds without protobuf, and refuses what it has not", async () => {
    await start({
      objects: [{ apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "gpu" } }],
    });
    expect((await get("/apis/karpenter.sh/v1/nodepools", PROTOBUF)).type).toBe("application/json");
    expect((await get("/apis/karpenter.sh/v1/nodepools", "application/vnd.kubernetes.protobuf")).status).toBe(
      406,
    );
    expect((await get("/api/v1/pods", "application/cbor")).status).toBe(406);
  });

  it("gives one object whole, with the fields that the protobuf schema drops", async () => {
    const object = pod("a", { spec: { hostNetwork: true } });
    await start({ objects: [object] });
    expect((await get("/api/v1/namespaces/ml/pods/a", PROTOBUF)).json()).toMatchObject(object);
  });

  it("answers tables, for kubectl", async () => {
    const ready = {
      conditions: [{ type: "Ready", status: "True" }],
      nodeInfo: { kubeletVersion: "v1.36.3" },
    };
    const labels = { "node-role.kubernetes.io/worker": "" };
    await start({
      objects: [
        {
          apiVersion: "v1",
          kind: "Node",
          metadata: { name: "n1", labels },
          spec: { unschedulable: true },
          status: ready,
        },
        {
          apiVersion: "v1",
          kind: "Node",
          metadata: { name: "n2", creationTimestamp: "2026-11-29T08:00:00Z" },
        },
      ],
    });
    const table = (await get("/api/v1/nodes", TABLE)).json();
    const shown = table.columnDefinitions.filter(({ priority }: { priority: number }) => priority === 0);
    expect(shown.map(({ name }: { name: string }) => name)).toEqual([
      "Name",
      "Status",
      "Roles",
      "Age",
      "Version",
    ]);
    expect(table.rows.map(({ cells }: { cells: string[] }) => cells.slice(0, 5))).toEqual([
      ["n1", "Ready,SchedulingDisabled", "worker", "0s", "v1.36.3"],
      ["n2", "Unknown", "<none>", "2d", ""],
    ]);
    expect(table.rows[0].object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "n1" } });
    expect((await get("/api/v1/namespaces", TABLE)).json().kind).toBe("NamespaceList");
  });
});

it("tells kubectl what there is", async () => {
  await start({ objects: [{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" } }] });
  expect((await get("/api")).json()).toMatchObject({ versions: ["v1"] });
  expect((await get("/apis")).json().groups).toMatchObject([
    { name: "apps", preferredVersion: { groupVersion: "apps/v1" } },
  ]);
  expect((await get("/apis/apps/v1")).json().resources).toMatchObject([
    { name: "deployments", kind: "Deployment", namespaced: true, verbs: ["get", "list", "watch"] },
  ]);
  expect((await get("/version")).json()).toMatchObject({ major: "1" });
  expect((await get("/apis/batch/v1")).status).toBe(404);
});

it("logs requests", async () => {
  await start();
  await get("/api/v1/pods?limit=5", PROTOBUF);
  await get("/api/v1/namespaces/ml/pods/none");
  expect(server.requests).toMatchObject([
    { method: "GET", path: "/api/v1/pods", query: { limit: "5" }, accept: PROTOBUF, status: 200, at: NOW },
    { path: "/api/v1/namespaces/ml/pods/none", status: 404 },
  ]);
});
