import { afterEach, describe, expect, it } from "vitest";
import { type ApiServer, type ApiServerOptions, startApiServer } from "./api-server.ts";
import { openWatch, type WatchReader } from "./watch-reader.ts";

const FORMATS = ["application/json", "application/vnd.kubernetes.protobuf,application/json"] as const;
const WATCH_LIST = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

let server: ApiServer;
afterEach(() => server.close());

async function start(options: ApiServerOptions = {}) {
  server = await startApiServer({ objects: [pod("a"), pod("b")], ...options });
}

function pod(name: string, phase = "Running", namespace = "ml") {
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace }, status: { phase } };
}

function watch(query: string, accept: string = FORMATS[0]) {
  return openWatch(`${server.url}/api/v1/pods?watch=true&${query}`, accept);
}

/** The next `count` events in short: type and name, or the version of a bookmark. */
async function read(reader: WatchReader, count: number): Promise<string[]> {
  const told: string[] = [];
  for (let left = count; left > 0; left--) {
    const item = await reader.next();
    if (item === "end" || item === "broken") told.push(item);
    else if (item.type === "malformed") told.push(`malformed ${item.why}`);
    else told.push(`${item.type} ${label(item.object)}`);
  }
  return told;
}

function label(object: unknown): string {
  const { metadata = {}, code } = JSON.parse(JSON.stringify(object));
  const end = metadata.annotations?.["k8s.io/initial-events-end"] === "true" ? " end" : "";
  return code ?? metadata.name ?? `${metadata.resourceVersion}${end}`;
}

async function listVersion(): Promise<number> {
  const response = await fetch(`${server.url}/api/v1/pods`);
  return Number((await response.json()).metadata.resourceVersion);
}

describe.each(FORMATS)("a watch in %s", (accept) => {
  it("tells what happens after its version", async () => {
    await start();
    const version = await listVersion();
    server.apply([pod("c")]);
    const reader = await watch(`resourceVersion=${version}`, accept);
    expect(await read(reader, 1)).toEqual(["ADDED c"]);
    server.apply([pod("a", "Failed"), pod("d", "Running", "other")]);
    server.remove([{ kind: "Pod", namespace: "ml", name: "b" }]);
    expect(await read(reader, 3)).toEqual(["MODIFIED a", "ADDED d", "DELETED b"]);
  });

  it("with sendInitialEvents tells all that is there, a bookmark, then changes", async () => {
    await start();
    const version = await listVersion();
    const reader = await watch(WATCH_LIST, accept);
    expect(await read(reader, 3)).toEqual(["ADDED a", "ADDED b", `BOOKMARK ${version} end`]);
    server.apply([pod("c")]);
    expect(await read(reader, 1)).toEqual(["ADDED c"]);
  });

  it("gets bookmarks if it wants them", async () => {
    await start({ bookmarkInterval: 5 });
    const version = await listVersion();
    const reader = await watch(`resourceVersion=${version}&allowWatchBookmarks=true`, accept);
    expect(await read(reader, 2)).toEqual([`BOOKMARK ${version}`, `BOOKMARK ${version}`]);
    expect(reader.contentType).toBe(
      accept === FORMATS[0] ? "application/json" : "application/vnd.kubernetes.protobuf;stream=watch",
    );
  });
});

it("without a version begins with all that is there, unmarked", async () => {
  await start();
  const reader = await watch("");
  expect(await read(reader, 2)).toEqual(["ADDED a", "ADDED b"]);
  server.apply([pod("c")]);
  expect(await read(reader, 1)).toEqual(["ADDED c"]);
});

it("ends cleanly after timeoutSeconds", async () => {
  await start({ objects: [] });
  expect(await read(await watch("timeoutSeconds=1"), 1)).toEqual(["end"]);
});

it("tells of one namespace, and of objects that come into and leave a selection", async () => {
  await start();
  const version = await listVersion();
  const reader = await openWatch(
    `${server.url}/api/v1/namespaces/ml/pods?watch=1&resourceVersion=${version}&fieldSelector=status.phase=Running`,
  );
  server.apply([pod("x", "Running", "other"), pod("a", "Failed"), pod("b", "Failed"), pod("b", "Running")]);
  expect(await read(reader, 3)).toEqual(["DELETED a", "DELETED b", "ADDED b"]);
});

describe("an object that protobuf cannot hold", () => {
  it("ends the watch, and comes as JSON in the next", async () => {
    await start();
    const version = await listVersion();
    const first = await watch(`resourceVersion=${version}`, FORMATS[1]);
    server.apply([{ ...pod("bad"), spec: { nodeName: 7 } }]);
    expect(await read(first, 1)).toEqual(["end"]);
    const second = await watch(`resourceVersion=${version}`, FORMATS[1]);
    expect(second.contentType).toBe("application/json");
    expect(await read(second, 1)).toEqual(["ADDED bad"]);
  });
});

it("a watch from a version to come is open and silent, as on a real server", async () => {
  await start({ bookmarkInterval: 2 });
  const version = await listVersion();
  const silent = await watch("resourceVersion=99999&allowWatchBookmarks=true");
  expect(silent.status).toBe(200);
  const other = await watch(`resourceVersion=${version}&allowWatchBookmarks=true`);
  server.apply([pod("c")]);
  const first = await Promise.race([read(silent, 1), read(other, 5)]);
  expect(first).toHaveLength(5);
  silent.close();
  other.close();
});

describe("a watch that cannot begin", () => {
  it.each([
    ["a version that is gone", "resourceVersion=1", 410],
    ["sendInitialEvents without resourceVersionMatch", "sendInitialEvents=true", 422],
  ])("%s", async (_, query, status) => {
    await start();
    server.faults.forgetHistory();
    expect((await watch(query)).status).toBe(status);
  });

  it("sendInitialEvents on a server without it", async () => {
    await start({ watchList: false });
    expect((await watch(WATCH_LIST)).status).toBe(422);
    expect((await watch("")).status).toBe(200);
  });
});
