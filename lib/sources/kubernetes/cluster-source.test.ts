import { afterEach, expect, test } from "vitest";
import { type FollowedServer, startFollowedServer } from "../../testing/followed-server.ts";
import { aNodeObject, anEventObject, aPodObject } from "../../testing/objects.ts";

let followed: FollowedServer;
afterEach(() => followed.close());

const reasons = () =>
  followed
    .read()
    .events.items.map(({ reason }) => reason)
    .sort();

test("reads nodes, pods and events, each over one stream", async () => {
  const about = (kind: string) => ({ involvedObject: { kind, name: "x", uid: `uid-${kind}` } });
  followed = await startFollowedServer({
    objects: [
      aNodeObject("n"),
      aPodObject("p"),
      anEventObject("e1", "p", { reason: "FailedScheduling" }),
      anEventObject("e2", "p", { reason: "NodeNotReady", ...about("Node") }),
      anEventObject("e3", "p", { reason: "SuccessfulCreate", ...about("Job") }),
    ],
  });
  const { nodes, pods, sources, issues } = followed.read();
  expect(nodes.items.map(({ name }) => name)).toEqual(["n"]);
  expect(pods.items.map(({ name }) => name)).toEqual(["p"]);
  expect(reasons()).toEqual(["FailedScheduling", "NodeNotReady", "SuccessfulCreate"]);
  expect(sources.map(({ id, kind, state }) => [id, kind, state])).toEqual([
    ["kubernetes/nodes", "kubernetes", "live"],
    ["kubernetes/pods", "kubernetes", "live"],
    ["kubernetes/events", "kubernetes", "live"],
  ]);
  expect(issues).toEqual([]);
  expect(followed.server.requests).toHaveLength(3);

  followed.server.apply([anEventObject("e4", "p", { reason: "Scheduled" })]);
  await followed.until(() => reasons().includes("Scheduled"));
  followed.server.remove([{ kind: "Event", namespace: "ml", name: "e1" }]);
  await followed.until(() => !reasons().includes("FailedScheduling"));
});

test("tells its listeners of each change, until they leave", async () => {
  followed = await startFollowedServer({});
  let first = 0;
  let second = 0;
  const leave = followed.source.onChange(() => {
    first += 1;
  });
  followed.source.onChange(() => {
    second += 1;
  });
  followed.server.apply([aPodObject("a")]);
  await followed.until(() => first === 1 && second === 1);
  leave();
  followed.server.apply([aPodObject("b")]);
  await followed.until(() => second === 2);
  expect(first).toBe(1);
});

test("knows nothing before it is started, and nothing of a server that never answered", async () => {
  followed = await startFollowedServer({ breakFirst: ({ faults }) => faults.fail("*", 503) });
  await followed.until(() => followed.read().sources.every(({ state }) => state === "unreachable"));
  const { nodes, pods, events } = followed.read();
  expect([nodes, pods, events]).toEqual(Array(3).fill({ known: false, items: [] }));
});

test("keeps events of what is stuck when the server drops them, also over an outage", async () => {
  const claim = { involvedObject: { kind: "NodeClaim", name: "gpu-x", uid: "uid-claim" } };
  followed = await startFollowedServer({
    objects: [
      anEventObject("e1", "stuck", { reason: "A" }),
      anEventObject("e2", "fine", { reason: "B" }),
      anEventObject("e3", "", { reason: "InsufficientCapacityError", ...claim }),
      anEventObject("e4", "stuck", { reason: "D" }),
    ],
  });
  followed.source.retain(new Set(["Pod/ml/stuck"]));
  followed.server.remove(["e1", "e2", "e3"].map((name) => ({ kind: "Event", namespace: "ml", name })));
  await followed.until(() => !reasons().includes("B"));
  expect(reasons()).toEqual(["A", "D", "InsufficientCapacityError"]);

  await followed.server.faults.down();
  await followed.until(() => followed.status("events").state === "stale");
  followed.server.faults.restart(1);
  followed.server.remove([{ kind: "Event", namespace: "ml", name: "e4" }]);
  await followed.server.faults.up();
  await followed.pass(35_000, 500);
  await followed.until(() => followed.status("events").state === "live" && followed.lists("events") === 2);
  expect(reasons()).toEqual(["A", "D", "InsufficientCapacityError"]);
});
