import { afterEach, describe, expect, test } from "vitest";
import type { ApiServerOptions } from "../../testing/api-server/api-server.ts";
import { NOW } from "../../testing/builders.ts";
import { type FollowedServer, startFollowedServer } from "../../testing/followed-server.ts";
import { aNodeObject, aPodObject } from "../../testing/objects.ts";

let followed: FollowedServer;
afterEach(() => followed.close());

const podNames = () =>
  followed
    .read()
    .pods.items.map(({ name }) => name)
    .sort();
const watchCount = () => followed.requests("pods").filter(({ query }) => query.watch).length;
/** Once the watch that follows the `count` ones so far is open. */
const reconnected = (count: number) =>
  followed.until(() => watchCount() > count && followed.status("pods").state === "live");

const WIRES: [string, ApiServerOptions][] = [
  ["protobuf, list as a watch", {}],
  ["JSON, list as a watch", { protobuf: false }],
  ["protobuf, list in pages", { watchList: false }],
  ["JSON, list in pages", { watchList: false, protobuf: false }],
];

describe.each(WIRES)("%s", (_, options) => {
  test("lists once and follows what changes", async () => {
    followed = await startFollowedServer({
      ...options,
      objects: [aPodObject("a"), aPodObject("b"), aNodeObject("n")],
    });
    expect(podNames()).toEqual(["a", "b"]);
    followed.server.apply([aPodObject("c"), aPodObject("a", { spec: { nodeName: "n" } })]);
    followed.server.remove(
      [aPodObject("b").metadata].map(({ name }) => ({ kind: "Pod", namespace: "ml", name })),
    );
    await followed.until(() => podNames().join() === "a,c");
    expect(followed.read().pods.items.find(({ name }) => name === "a")?.nodeName).toBe("n");
    expect(followed.lists("pods")).toBe(1);
    const [first] = followed.requests("pods");
    expect(first?.userAgent).toBe("seamline/0.1.0");
  });

  test("F1: 100 clean ends of the watch lead to no list, and lose and double nothing", async () => {
    followed = await startFollowedServer({ ...options, objects: [aPodObject("a")] });
    let changes = 0;
    followed.source.onChange(() => {
      changes += 1;
    });
    for (let round = 0; round < 100; round += 1) {
      const before = watchCount();
      followed.clock.advance(2_000);
      followed.server.faults.closeWatches("pods");
      followed.server.apply([aPodObject(`p${round}`)]);
      await reconnected(before);
    }
    await followed.until(() => podNames().length === 101);
    expect(followed.lists("pods")).toBe(1);
    expect(watchCount()).toBe((options.watchList ?? true) ? 101 : 102);
    expect(changes).toBeGreaterThanOrEqual(100);
    expect(followed.read().issues).toEqual([]);
  });

  test("F2: a connection cut in the middle of an event is resumed; half an event leaves no trace", async () => {
    followed = await startFollowedServer({ ...options, objects: [aPodObject("a")] });
    for (let round = 0; round < 10; round += 1) {
      const before = watchCount();
      followed.clock.advance(2_000);
      followed.server.faults.resetWatches("pods");
      await reconnected(before);
      followed.server.apply([aPodObject(`p${round}`)]);
      await followed.until(() => podNames().length === round + 2);
    }
    expect(followed.lists("pods")).toBe(1);
    expect(followed.read().issues).toEqual([]);
  });

  test("F2: what is no event is counted, shown, and costs no event", async () => {
    followed = await startFollowedServer({ ...options, objects: [aPodObject("a")] });
    followed.server.faults.garbage("pods");
    followed.server.apply([aPodObject("b")]);
    await followed.until(() => followed.status("pods").state === "stale");
    expect(followed.status("pods").error).toMatchObject({ code: "invalid" });
    await followed.pass(1_000);
    await followed.until(() => podNames().join() === "a,b" && followed.status("pods").state === "live");
    expect(followed.read().issues).toMatchObject([
      {
        code: "UnreadableObject",
        severity: "warning",
        source: "kubernetes/pods",
        message: expect.stringContaining("1 of"),
      },
    ]);
    expect(followed.lists("pods")).toBe(1);
  });

  test("F4: a version that is too old, as HTTP status: lists anew, and the view never blanks", async () => {
    followed = await startFollowedServer({ ...options, objects: [aPodObject("a"), aPodObject("b")] });
    const sizes: number[] = [];
    followed.source.onChange(() => sizes.push(podNames().length));
    followed.clock.advance(2_000);
    followed.server.faults.closeWatches("pods");
    followed.server.remove([{ kind: "Pod", namespace: "ml", name: "b" }]);
    followed.server.apply([aPodObject("c"), aPodObject("d")]);
    followed.server.faults.forgetHistory();
    await followed.until(() => podNames().join() === "a,c,d");
    expect(followed.requests("pods").some(({ status }) => status === 410)).toBe(true);
    expect(followed.lists("pods")).toBe(2);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(2);
    expect(followed.status("pods").error).toBeUndefined();
  });

  test("F4: the same as an ERROR event", async () => {
    followed = await startFollowedServer({ ...options, objects: [aPodObject("a"), aPodObject("b")] });
    const sizes: number[] = [];
    followed.source.onChange(() => sizes.push(podNames().length));
    followed.server.faults.failWatches("pods", 410);
    followed.server.remove([{ kind: "Pod", namespace: "ml", name: "b" }]);
    await followed.until(() => podNames().join() === "a");
    await followed.until(() => followed.lists("pods") === 2 && followed.status("pods").state === "live");
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(followed.status("pods").error).toBeUndefined();
  });

  test("F14: deleted and made again under the same name while nobody watched: two identities", async () => {
    followed = await startFollowedServer({ ...options, objects: [aPodObject("a")] });
    const [before] = followed.read().pods.items;
    followed.clock.advance(2_000);
    followed.server.faults.closeWatches("pods");
    followed.server.remove([{ kind: "Pod", namespace: "ml", name: "a" }]);
    followed.server.apply([aPodObject("a")]);
    followed.server.faults.forgetHistory();
    await followed.until(() => followed.read().pods.items[0]?.uid !== before?.uid);
    expect(podNames()).toEqual(["a"]);
    expect(followed.lists("pods")).toBe(2);
  });
});

test("F4: a continue token that is too old starts the pages over", async () => {
  const objects = Array.from({ length: 1_200 }, (_, index) => aPodObject(`p${index}`));
  followed = await startFollowedServer({
    watchList: false,
    objects,
    breakFirst: ({ faults, requests }) => {
      // As soon as the second page is asked for, the tokens are gone.
      const timer = setInterval(() => {
        if (!requests.some(({ path, query }) => path === "/api/v1/pods" && query.limit)) return;
        faults.expireContinueTokens();
        clearInterval(timer);
      });
      faults.delay("pods", 30, { verb: "list", times: 2 });
    },
  });
  await followed.until(() => followed.status("nodes").state === "live");
  await followed.pass(1_000, 500);
  await followed.until(() => followed.read().pods.items.length === 1_200);
  expect(followed.read().pods.known).toBe(true);
});

test("F14: deleted and made again while watched: two identities", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")] });
  const [before] = followed.read().pods.items;
  followed.server.remove([{ kind: "Pod", namespace: "ml", name: "a" }]);
  followed.server.apply([aPodObject("a")]);
  await followed.until(() => followed.read().pods.items[0]?.uid !== before?.uid);
  expect(followed.read().pods.items).toHaveLength(1);
});

test("an ERROR event that is no 410 touches nothing, and the second in a row leads to a list", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")], bookmarkInterval: 3_600_000 });
  const before = followed.read().pods.items;
  for (const lists of [1, 2]) {
    followed.server.faults.failWatches("pods", 500, "etcd event received with PrevKv=nil");
    await followed.until(() => followed.status("pods").state === "stale");
    expect(followed.read().pods).toEqual({ known: true, items: before });
    expect(followed.status("pods").error?.message).toContain("PrevKv=nil");
    await followed.pass(2_000);
    await followed.until(() => followed.status("pods").state === "live");
    expect(followed.lists("pods")).toBe(lists);
  }
});

test("a watch that ends again and again as soon as it is open is not asked for in a storm", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")], bookmarkInterval: 3_600_000 });
  const before = watchCount();
  for (let close = 0; close < 5; close += 1) {
    const count = watchCount();
    followed.server.faults.closeWatches("pods");
    if (close < 4)
      await followed.until(() => watchCount() > count || followed.status("pods").state === "stale");
  }
  await followed.until(() => followed.status("pods").state === "stale");
  const open = watchCount();
  expect(open - before).toBeLessThanOrEqual(4);
  await followed.pass(700);
  expect(watchCount()).toBe(open);
  await followed.pass(300);
  await followed.until(() => followed.status("pods").state === "live");
  expect(followed.lists("pods")).toBe(1);
});

test("F13: hostile objects are kept as far as they can be read, and counted", async () => {
  followed = await startFollowedServer({
    protobuf: false,
    objects: [
      aNodeObject("bad-count", { status: { capacity: { "nvidia.com/gpu": "-8", cpu: "1e3" } } }),
      aNodeObject("big", {
        metadata: {
          name: "big",
          annotations: { blob: "é".repeat(750_000) },
          labels: { markup: "<b>\u2028" },
        },
      }),
      aPodObject("odd", { status: { phase: "Exploded" } }),
    ],
  });
  const { nodes, issues } = followed.read();
  expect(nodes.items.map(({ name, capacity }) => [name, capacity])).toEqual([
    ["bad-count", { cpu: 1_000_000 }],
    ["big", undefined],
  ]);
  expect(issues).toMatchObject([
    {
      code: "UnreadableField",
      source: "kubernetes/nodes",
      object: { kind: "Node", name: "bad-count" },
      message: 'status.capacity["nvidia.com/gpu"] is -8: a quantity of 0 or more expected, so it is left out',
    },
    {
      code: "UnreadableField",
      source: "kubernetes/pods",
      object: { kind: "Pod", namespace: "ml", name: "odd" },
    },
  ]);
});

test("the data is as of now while the watch stands, and stop closes everything", async () => {
  followed = await startFollowedServer({ objects: [aPodObject("a")] });
  await followed.pass(30_000, 1_000);
  expect(followed.status("pods")).toEqual({
    id: "kubernetes/pods",
    kind: "kubernetes",
    state: "live",
    asOf: NOW + 30_000,
    error: undefined,
  });
  await followed.source.stop();
  const asked = followed.server.requests.length;
  followed.clock.advance(3_600_000);
  await followed.settle();
  expect(followed.server.requests.length).toBe(asked);
});
