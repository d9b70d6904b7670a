import { afterEach, expect, test } from "vitest";
import { NOW } from "../../testing/builders.ts";
import { type FollowedServer, startFollowedServer } from "../../testing/followed-server.ts";
import { aNodeObject, aPodObject } from "../../testing/objects.ts";

let followed: FollowedServer;
afterEach(() => followed.close());

const SILENT = { bookmarkInterval: 3_600_000 };

test("F3: a connection that has gone silent is left within 75 s, and the label says how old the data is", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")], ...SILENT });
  followed.server.faults.stallWatches("pods");
  followed.server.apply([aPodObject("b")]);
  await followed.pass(69_000, 1_000);
  expect(followed.requests("pods")).toHaveLength(1);
  await followed.pass(1_100);
  expect(followed.status("pods")).toMatchObject({
    state: "stale",
    asOf: NOW,
    error: { code: "unreachable" },
  });
  await followed.pass(900);
  await followed.until(() => followed.read().pods.items.length === 2);
  expect(followed.status("pods").state).toBe("live");
  expect(followed.lists("pods")).toBe(1);
});

test("F3: bookmarks keep a quiet watch open", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")], bookmarkInterval: 5 });
  for (let minute = 0; minute < 5; minute += 1) {
    const chunks = followed.chunks();
    // Three watches: at least one bookmark for each of them.
    await followed.until(() => followed.chunks() > chunks + 9);
    await followed.pass(60_000, 30_000);
  }
  expect(followed.requests("pods")).toHaveLength(1);
  expect(followed.status("pods").state).toBe("live");
});

test("F5: the server goes away and comes back with older versions: others unaffected meanwhile, back within 35 s", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a"), aNodeObject("n")] });
  await followed.server.faults.down();
  await followed.until(() => followed.status("pods").state === "stale");
  await followed.pass(300_000, 500);
  expect(followed.status("pods")).toMatchObject({ state: "stale", asOf: NOW });
  expect(followed.status("pods").error?.message).toContain("ECONNREFUSED");
  expect(followed.status("pods").error?.hint).not.toBe("");
  expect(followed.read().pods.items).toHaveLength(1);

  followed.server.faults.restart(1);
  followed.server.remove([{ kind: "Pod", namespace: "ml", name: "a" }]);
  await followed.server.faults.up();
  await followed.pass(35_000, 500);
  await followed.until(
    () => followed.status("pods").state === "live" && followed.status("nodes").state === "live",
  );
  expect(followed.read().pods).toEqual({ known: true, items: [] });
  expect(followed.lists("pods")).toBe(2);
});

test("F5: 504 for a version that is to come leads to a list", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")] });
  followed.clock.advance(2_000);
  followed.server.faults.failTooLargeResourceVersion("pods", { times: 1 });
  followed.server.faults.closeWatches("pods");
  await followed.until(() => followed.lists("pods") === 2);
  await followed.until(() => followed.status("pods").state === "live");
  expect(followed.status("nodes").state).toBe("live");
  expect(followed.lists("nodes")).toBe(1);
});

test("F6: Retry-After is waited for, by one request at a time", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")] });
  followed.clock.advance(2_000);
  followed.server.faults.fail("pods", 429, { retryAfter: 7, times: 1 });
  followed.server.faults.closeWatches("pods");
  await followed.until(() => followed.status("pods").error?.code === "rate-limited");
  expect(followed.status("pods").state).toBe("stale");
  const asked = followed.requests("pods").length;
  await followed.pass(6_900);
  expect(followed.requests("pods")).toHaveLength(asked);
  await followed.pass(1_600);
  await followed.until(() => followed.status("pods").state === "live");
  expect(followed.requests("pods")).toHaveLength(asked + 1);
});

test.each([500, 503])(
  "F7: five minutes of %i cost at most one request in four seconds, and no data",
  async (code) => {
    followed = await startFollowedServer({ objects: [aPodObject("a")] });
    followed.server.faults.fail("pods", code);
    followed.server.faults.closeWatches("pods");
    await followed.until(() => followed.status("pods").state === "stale");
    const asked = followed.requests("pods").length;
    await followed.pass(300_000, 200);
    expect(followed.requests("pods").length - asked).toBeLessThanOrEqual(300 / 4);
    expect(followed.requests("pods").length - asked).toBeGreaterThanOrEqual(9);
    expect(followed.status("pods")).toMatchObject({
      state: "stale",
      asOf: NOW,
      error: { code: "unreachable" },
    });
    expect(followed.read().pods.items).toHaveLength(1);
    expect(followed.status("nodes").state).toBe("live");
    followed.server.faults.clear();
    await followed.pass(35_000, 500);
    await followed.until(() => followed.status("pods").state === "live");
    expect(followed.lists("pods")).toBe(1);
  },
);

test("F10: forbidden, granted, revoked", async () => {
  followed = await startFollowedServer({
    objects: [aPodObject("a"), aNodeObject("n")],
    breakFirst: ({ faults }) =>
      faults.fail("pods", 403, { message: 'pods is forbidden: User "seamline" cannot list resource "pods"' }),
  });
  await followed.until(
    () => followed.status("nodes").state === "live" && followed.status("pods").state === "forbidden",
  );
  expect(followed.read().pods).toEqual({ known: false, items: [] });
  expect(followed.read().nodes.known).toBe(true);
  expect(followed.status("pods")).toMatchObject({
    asOf: undefined,
    error: {
      code: "forbidden",
      message: expect.stringContaining('User "seamline" cannot list resource "pods"'),
      hint: expect.stringContaining('apiGroups [""], resources [pods], verbs [get, list, watch]'),
    },
  });

  followed.server.faults.clear();
  await followed.pass(60_000, 500);
  await followed.until(() => followed.status("pods").state === "live");
  expect(followed.read().pods.items).toHaveLength(1);

  followed.server.faults.fail("pods", 403);
  followed.server.faults.closeWatches("pods");
  await followed.pass(20_000, 500);
  await followed.until(() => followed.status("pods").state === "forbidden");
  expect(followed.read().pods).toEqual({ known: false, items: [] });

  followed.server.faults.clear();
  await followed.pass(60_000, 500);
  await followed.until(() => followed.status("pods").state === "live");
  expect(followed.read().pods.items).toHaveLength(1);
});

test("a refusal of a moment, as of a server that has just started, hides nothing", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")] });
  followed.server.faults.fail("pods", 403, { times: 3 });
  followed.server.faults.closeWatches("pods");
  await followed.until(() => followed.status("pods").state === "stale");
  expect(followed.status("pods").error?.code).toBe("forbidden");
  expect(followed.read().pods.items).toHaveLength(1);
  await followed.pass(15_000, 500);
  await followed.until(() => followed.status("pods").state === "live");
  expect(followed.lists("pods")).toBe(1);
});

test("a server that comes back with an older state is listed anew, though it answers a watch with silence", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a"), aPodObject("b")] });
  await followed.server.faults.down();
  await followed.until(() => followed.status("pods").state === "stale");
  followed.server.faults.restart(1);
  followed.server.remove([{ kind: "Pod", namespace: "ml", name: "b" }]);
  await followed.server.faults.up();
  await followed.pass(35_000, 500);
  await followed.until(() => followed.status("pods").state === "live");
  expect(followed.read().pods.items).toHaveLength(1);
  expect(followed.lists("pods")).toBe(2);
});

test.each<[string, number, string, string]>([
  ["a resource that is not there", 404, "absent", "absent"],
  ["credentials that are refused", 401, "unreachable", "unauthorized"],
  ["a server that fails", 500, "unreachable", "unreachable"],
])("%s, from the start", async (_, code, state, error) => {
  followed = await startFollowedServer({ breakFirst: ({ faults }) => faults.fail("pods", code) });
  await followed.until(() => followed.status("pods").state === state);
  expect(followed.status("pods")).toMatchObject({ asOf: undefined, error: { code: error } });
  expect(followed.read().pods.known).toBe(false);
  followed.server.faults.clear();
  await followed.pass(60_000, 500);
  await followed.until(() => followed.status("pods").state === "live");
  expect(followed.status("pods").error).toBeUndefined();
});

test("credentials that are refused later leave the data, as stale", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")] });
  followed.server.faults.fail("pods", 401);
  followed.server.faults.closeWatches("pods");
  await followed.until(() => followed.status("pods").state === "stale");
  expect(followed.status("pods").error?.code).toBe("unauthorized");
  expect(followed.read().pods.items).toHaveLength(1);
});
