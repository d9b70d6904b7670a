import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "./api-server.ts";
import { openWatch, type WatchReader } from "./watch-reader.ts";

const FORMATS = ["application/json", "application/vnd.kubernetes.protobuf,application/json"];

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer({
    objects: ["a", "b"].map((name) => ({ apiVersion: "v1", kind: "Node", metadata: { name } })),
    bookmarkInterval: 5,
  });
});
afterEach(() => server.close());

function list(plural: string, query = "") {
  return fetch(`${server.url}/api/v1/${plural}?${query}`);
}

async function version(): Promise<string> {
  return (await (await list("nodes")).json()).metadata.resourceVersion;
}

async function watchFrom(resourceVersion: string, accept?: string, query = ""): Promise<WatchReader> {
  return openWatch(`${server.url}/api/v1/nodes?watch=1&resourceVersion=${resourceVersion}&${query}`, accept);
}

describe("failing requests", () => {
  it.each([
    [401, "Unauthorized"],
    [403, "Forbidden"],
    [410, "Expired"],
    [429, "TooManyRequests"],
    [500, "InternalError"],
    [503, "ServiceUnavailable"],
  ])("%d for as many as asked, of one resource", async (code, reason) => {
    server.faults.fail("nodes", code, { times: 1, message: "on purpose", retryAfter: 7 });
    const failed = await list("nodes");
    expect(failed.status).toBe(code);
    expect(failed.headers.get("retry-after")).toBe("7");
    expect(await failed.json()).toMatchObject({ kind: "Status", code, reason, message: "on purpose" });
    expect((await list("nodes")).status).toBe(200);
  });

  it("spares other resources and other verbs, until cleared", async () => {
    server.faults.fail("nodes", 503, { verb: "watch" });
    server.faults.fail("pods", 403);
    const from = await version();
    expect((await watchFrom(from)).status).toBe(503);
    expect((await watchFrom(from)).status).toBe(503);
    expect((await list("pods")).status).toBe(403);
    expect((await list("events")).status).toBe(200);
    server.faults.clear();
    expect((await watchFrom(from)).status).toBe(200);
    expect((await list("pods")).status).toBe(200);
  });

  it("one after the other, as they were added", async () => {
    server.faults.fail("*", 500, { times: 1 });
    server.faults.fail("nodes", 429, { times: 1 });
    expect([
      (await list("nodes")).status,
      (await list("nodes")).status,
      (await list("nodes")).status,
    ]).toEqual([500, 429, 200]);
  });

  it("504 as a server that is behind", async () => {
    server.faults.failTooLargeResourceVersion("nodes", { times: 1 });
    const failed = await list("nodes");
    expect(failed.status).toBe(504);
    expect((await failed.json()).details.causes).toMatchObject([{ reason: "ResourceVersionTooLarge" }]);
  });

  it("late", async () => {
    server.faults.delay("nodes", 30, { times: 1 });
    const before = performance.now();
    expect((await list("nodes")).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(25);
  });
});

describe.each(FORMATS)("breaking watches in %s", (accept) => {
  it("a clean end", async () => {
    const reader = await watchFrom(await version(), accept);
    server.faults.closeWatches("pods");
    server.faults.closeWatches("nodes");
    expect(await reader.next()).toBe("end");
  });

  it("a cut in the middle of an event", async () => {
    const reader = await watchFrom(await version(), accept);
    server.faults.resetWatches();
    expect(await reader.next()).toBe("broken");
  });

  it("an ERROR event, then the end", async () => {
    const reader = await watchFrom(await version(), accept);
    server.faults.failWatches("nodes", 410, "too old resource version: 1 (2)");
    expect(await reader.next()).toMatchObject({
      type: "ERROR",
      object: { kind: "Status", code: 410, reason: "Expired" },
    });
    expect(await reader.next()).toBe("end");
  });

  it("twice at once does no harm", async () => {
    const reader = await watchFrom(await version(), accept);
    server.faults.closeWatches();
    server.faults.garbage();
    server.faults.resetWatches();
    server.faults.failWatches();
    expect(await reader.next()).toBe("end");
    expect((await list("nodes")).status).toBe(200);
  });

  it("bytes that are no event", async () => {
    const reader = await watchFrom(await version(), accept);
    server.faults.garbage("nodes");
    expect(await reader.next()).toMatchObject({ type: "malformed" });
  });

  it("silence: neither bookmarks nor changes, while new watches are told", async () => {
    const from = await version();
    const silent = await watchFrom(from, accept, "allowWatchBookmarks=true");
    server.faults.stallWatches("nodes");
    server.apply([{ apiVersion: "v1", kind: "Node", metadata: { name: "c" } }]);
    const heard: string[] = [];
    const listening = (async () => {
      for (let item = await silent.next(); typeof item === "object"; item = await silent.next())
        heard.push(item.type);
    })();
    const other = await watchFrom(from, accept, "allowWatchBookmarks=true");
    expect(await other.next()).toMatchObject({ type: "ADDED" });
    await other.next();
    // What came before the stall has arrived by now.
    const before = [...heard];
    for (let bookmarks = 0; bookmarks < 3; bookmarks++)
      expect(await other.next()).toMatchObject({ type: "BOOKMARK" });
    expect(heard).toEqual(before);
    expect(heard).not.toContain("ADDED");
    silent.close();
    await listening;
  });
});

describe("lost history", () => {
  it("of watches", async () => {
    const from = await version();
    server.faults.forgetHistory();
    expect((await watchFrom(from)).status).toBe(410);
    expect((await watchFrom(await version())).status).toBe(200);
  });

  it("of lists in pages", async () => {
    const first = await (await list("nodes", "limit=1")).json();
    server.faults.expireContinueTokens();
    expect((await list("nodes", `limit=1&continue=${first.metadata.continue}`)).status).toBe(410);
  });

  it("after a restart at a lower version", async () => {
    const from = await version();
    const reader = await watchFrom(from);
    server.faults.restart(1);
    expect(await reader.next()).toBe("broken");
    expect(await version()).toBe("1");
    const ahead = await watchFrom(from);
    expect(ahead.status).toBe(200);
    ahead.close();
  });
});

it("goes down and comes up on the same port, with what it had", async () => {
  const reader = await watchFrom(await version());
  await server.faults.down();
  expect(await reader.next()).toBe("broken");
  await expect(list("nodes")).rejects.toThrow("fetch failed");
  await server.faults.up();
  expect((await (await list("nodes")).json()).items).toHaveLength(2);
});
