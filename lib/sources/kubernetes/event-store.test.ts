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
  const store = createEventStore(clock);
  return { clock, store, messages: () => store.list().map(({ message }) => message) };
}

describe("createEventStore", () => {
  test("keeps events about pods and nodes only", () => {
    const { store, messages } = setUp();
    store.put(anEvent({ about: about("p"), message: "pod" }));
    store.put(anEvent({ about: about("n", "Node"), message: "node" }));
    store.put(anEvent({ about: about("j", "Job"), message: "job" }));
    expect(messages()).toEqual(["pod", "node"]);
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

  test("gives the same list until something changes", () => {
    const { store } = setUp();
    store.put(anEvent({ about: about("p") }));
    const list = store.list();
    expect(store.list()).toBe(list);
    store.put(anEvent({ about: about("q") }));
    expect(store.list()).not.toBe(list);
  });
});
