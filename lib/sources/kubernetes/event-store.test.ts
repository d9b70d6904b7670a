import { describe, expect, test } from "vitest";
import type { EventRecord } from "../../model/kubernetes.ts";
import { anEvent, NOW } from "../../testing/builders.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createEventStore } from "./event-store.ts";

const HOUR = 3_600_000;

const about = (name: string, kind = "Pod"): EventRecord["about"] => ({
  kind,
  namespace: kind === "Node" ? "" : "ml",
  name,
  uid: `uid-${name}`,
});

function setUp() {
  const clock = createManualClock(NOW);
  const stuck = new Set<string>();
  const store = createEventStore(clock, { isStuck: (key) => stuck.has(key) });
  return { clock, store, stuck, messages: () => store.list().map(({ message }) => message) };
}

describe("createEventStore", () => {
  test("keeps events about every kind", () => {
    const { store, messages } = setUp();
    store.put(anEvent({ about: about("p"), message: "pod" }));
    store.put(anEvent({ about: about("n", "Node"), message: "node" }));
    store.put(anEvent({ about: about("j", "Job"), message: "job" }));
    expect(messages()).toEqual(["pod", "node", "job"]);
  });

  test.each<[string, Partial<EventRecord>, Partial<EventRecord>, string[]]>([
    ["a newer one replaces", { lastAt: NOW - 9 }, { lastAt: NOW - 1 }, ["b"]],
    ["an older one does not", { lastAt: NOW - 1 }, { lastAt: NOW - 9 }, ["a"]],
    ["another reason is another event", { reason: "Pulled" }, { reason: "Started" }, ["a", "b"]],
    ["another component is another event", { component: "kubelet" }, { component: "autoscaler" }, ["a", "b"]],
    ["another object is another event", { about: about("p") }, { about: about("q") }, ["a", "b"]],
    [
      "an object made again under its name is another one",
      { about: about("p") },
      { about: { ...about("p"), uid: "uid-2" } },
      ["a", "b"],
    ],
    [
      "without uids, kind and name tell objects apart",
      { about: { ...about("x"), uid: "" } },
      { about: { ...about("x", "Node"), uid: "" } },
      ["a", "b"],
    ],
  ])("%s", (_, first, second, expected) => {
    const { store, messages } = setUp();
    store.put(anEvent({ about: about("p"), message: "a", ...first }));
    store.put(anEvent({ about: about("p"), message: "b", ...second }));
    expect(messages()).toEqual(expected);
  });

  test("drops an event an hour after it last happened, and one without a time an hour after it came", () => {
    const { clock, store, messages } = setUp();
    store.put(anEvent({ about: about("p"), message: "old", lastAt: NOW - HOUR + 1_000 }));
    store.put(anEvent({ about: about("q"), message: "timeless", lastAt: undefined }));
    store.put(anEvent({ about: about("r"), message: "from a fast clock", lastAt: NOW + 600_000 }));
    clock.advance(999);
    expect(messages()).toEqual(["old", "timeless", "from a fast clock"]);
    clock.advance(1);
    expect(messages()).toEqual(["timeless", "from a fast clock"]);
    clock.advance(HOUR);
    expect(messages()).toEqual([]);
  });

  test("takes out what was deleted, and only that", () => {
    const { store, messages } = setUp();
    store.put(anEvent({ about: about("p"), message: "a", uid: "1", lastAt: NOW - 9 }));
    store.put(anEvent({ about: about("p"), message: "b", uid: "2", lastAt: NOW - 1 }));
    store.remove("1");
    store.remove("never seen");
    expect(messages()).toEqual(["b"]);
    store.remove("2");
    expect(messages()).toEqual([]);
  });

  test("keeps what an autoscaler says of several claims and node groups", () => {
    const { store, messages } = setUp();
    const status = { kind: "ConfigMap", namespace: "kube-system", name: "status", uid: "" };
    const put = (object: EventRecord["about"], reason: string, message: string, lastAt: number) =>
      store.put(anEvent({ about: object, reason, message, uid: message, lastAt }));
    put(about("p"), "Nominated", "Pod should schedule on: nodeclaim/gpu-a", NOW - 9);
    put(about("p"), "Nominated", "Pod should schedule on: nodeclaim/gpu-b", NOW - 5);
    put(about("p"), "Nominated", "Pod should schedule on: nodeclaim/gpu-b, node/n", NOW - 1);
    put(status, "FailedToScaleUpGroup", "Scale-up failed for group cpu: quota", NOW - 2);
    put(status, "FailedToScaleUpGroup", "Scale-up failed for group gpu: no stock", NOW - 8);
    put(status, "FailedToScaleUpGroup", "Scale-up failed for group gpu: quota", NOW - 3);
    expect(messages().sort()).toEqual([
      "Pod should schedule on: nodeclaim/gpu-a",
      "Pod should schedule on: nodeclaim/gpu-b, node/n",
      "Scale-up failed for group cpu: quota",
      "Scale-up failed for group gpu: quota",
    ]);
  });

  test("an update of the same event counts, whatever its time", () => {
    const { store, messages } = setUp();
    store.put(anEvent({ about: about("p"), message: "a", uid: "1", lastAt: NOW - 1 }));
    store.put(anEvent({ about: about("p"), message: "b", uid: "1", lastAt: NOW - 9 }));
    expect(messages()).toEqual(["b"]);
  });

  test("holds at most 20,000, and drops the oldest first", () => {
    const { store } = setUp();
    for (let index = 0; index < 20_001; index += 1) {
      store.put(anEvent({ about: about(`p${index}`), lastAt: NOW - 30_000 + index }));
    }
    const kept = store.list();
    expect(kept).toHaveLength(19_000);
    expect(Math.min(...kept.map(({ lastAt }) => lastAt ?? 0))).toBe(NOW - 30_000 + 1_001);
  });

  test.each<[string, EventRecord["about"]]>([
    ["of a pod that is stuck", about("p")],
    ["of a NodeClaim", { kind: "NodeClaim", namespace: "", name: "gpu-x", uid: "uid-claim" }],
    ["of a Workload", about("w", "Workload")],
    [
      "of the cluster autoscaler's status",
      { kind: "ConfigMap", namespace: "kube-system", name: "cluster-autoscaler-status", uid: "" },
    ],
  ])("keeps an event %s for a day, though the server has dropped it", (_, object) => {
    const { clock, store, stuck, messages } = setUp();
    stuck.add("Pod/ml/p");
    store.put(anEvent({ about: object, message: "kept", uid: "1", lastAt: NOW }));
    store.put(anEvent({ about: about("q"), message: "dropped", uid: "2", lastAt: NOW }));
    clock.advance(HOUR);
    store.remove("1");
    store.remove("2");
    expect(messages()).toEqual(["kept"]);
    clock.advance(23 * HOUR - 1);
    expect(messages()).toEqual(["kept"]);
    clock.advance(1);
    expect(messages()).toEqual([]);
  });

  test("keeps all events of a snapshot, however old", () => {
    const store = createEventStore(createManualClock(NOW), { keepsOld: true });
    store.put(anEvent({ about: about("p"), message: "old", lastAt: NOW - 400 * 24 * HOUR }));
    expect(store.list()).toHaveLength(1);
  });

  test("forgets an old event once its object is no longer stuck", () => {
    const { clock, store, stuck, messages } = setUp();
    stuck.add("Pod/ml/p");
    store.put(anEvent({ about: about("p"), message: "kept", lastAt: NOW }));
    clock.advance(2 * HOUR);
    expect(messages()).toEqual(["kept"]);
    stuck.clear();
    expect(messages()).toEqual([]);
  });

  test("a newer event of the same kind replaces one that is kept", () => {
    const { store, stuck, messages } = setUp();
    stuck.add("Pod/ml/p");
    store.put(anEvent({ about: about("p"), message: "a", uid: "1", lastAt: NOW - 9 }));
    store.remove("1");
    store.put(anEvent({ about: about("p"), message: "b", uid: "2", lastAt: NOW - 1 }));
    expect(messages()).toEqual(["b"]);
  });

  test("holds at most 5,000 that are older than an hour, the newest of them, and drops others before them", () => {
    const { clock, store } = setUp();
    const claim = (index: number) => ({ ...about(`c${index}`, "NodeClaim"), namespace: "" });
    for (let index = 0; index < 6_000; index += 1) {
      store.put(anEvent({ about: claim(index), lastAt: NOW - 6_000 + index }));
    }
    clock.advance(2 * HOUR);
    expect(store.list()).toHaveLength(5_000);
    expect(Math.min(...store.list().map(({ lastAt }) => lastAt ?? 0))).toBe(NOW - 5_000);
    for (let index = 0; index < 15_001; index += 1) {
      store.put(anEvent({ about: about(`p${index}`), lastAt: clock.now() - 20_000 + index }));
    }
    expect(store.list()).toHaveLength(19_000);
    expect(store.list().filter(({ about: { kind } }) => kind === "NodeClaim")).toHaveLength(5_000);
  });

  test("takes over from the store that it replaces what is kept", () => {
    const { clock, store, stuck } = setUp();
    stuck.add("Pod/ml/p");
    store.put(anEvent({ about: about("p"), message: "of a stuck pod" }));
    store.put(anEvent({ about: about("q"), message: "of another pod" }));
    store.put(anEvent({ about: about("c", "NodeClaim"), message: "older", lastAt: NOW - 9 }));
    const next = createEventStore(clock, { isStuck: (key) => stuck.has(key) });
    next.put(anEvent({ about: about("c", "NodeClaim"), message: "newer", lastAt: NOW - 1 }));
    next.inherit?.(store);
    expect(next.list().map(({ message }) => message)).toEqual(["newer", "of a stuck pod"]);
  });

  test("gives the same list until something changes", () => {
    const { store } = setUp();
    store.put(anEvent({ about: about("p") }));
    const list = store.list();
    expect(store.list()).toBe(list);
    store.put(anEvent({ about: about("q") }));
    expect(store.list()).not.toBe(list);
  });
});
