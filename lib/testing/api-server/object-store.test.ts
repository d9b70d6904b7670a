import { describe, expect, it } from "vitest";
import { apiResourceOf } from "./api-resource.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import { ObjectStore, type StoreEvent } from "./object-store.ts";

const NOW = Date.parse("2026-12-01T08:00:00Z");
const NODES = apiResourceOf({ apiVersion: "v1", kind: "Node" });
const PODS = apiResourceOf({ apiVersion: "v1", kind: "Pod" });

function node(name: string, more: object = {}): KubernetesObject {
  return { apiVersion: "v1", kind: "Node", metadata: { name, ...more } };
}

function aStore() {
  const store = new ObjectStore(() => NOW);
  const events: StoreEvent[] = [];
  store.subscribe((event) => events.push(event));
  return { store, events };
}

function told(events: readonly StoreEvent[]) {
  return events.map(({ type, object }) => `${type} ${object.kind}/${object.metadata.name}`);
}

describe("apply", () => {
  it("gives what an object lacks and keeps what it has", () => {
    const { store } = aStore();
    store.apply(node("bare"));
    store.apply(node("full", { uid: "u1", creationTimestamp: "2020-01-01T00:00:00Z", labels: { a: "b" } }));
    expect(store.get(NODES, "", "bare")?.metadata).toMatchObject({
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      creationTimestamp: "2026-12-01T08:00:00Z",
    });
    expect(store.get(NODES, "", "full")?.metadata).toMatchObject({
      uid: "u1",
      creationTimestamp: "2020-01-01T00:00:00Z",
      labels: { a: "b" },
    });
  });

  it("keeps identity when it replaces, under a new version", () => {
    const { store, events } = aStore();
    store.apply(node("n"));
    const before = store.get(NODES, "", "n")?.metadata;
    store.apply(node("n", { labels: { changed: "yes" } }));
    const after = store.get(NODES, "", "n")?.metadata;
    expect(after).toMatchObject({ uid: before?.uid, creationTimestamp: before?.creationTimestamp });
    expect(Number(after?.resourceVersion)).toBeGreaterThan(Number(before?.resourceVersion));
    expect(told(events)).toEqual(["ADDED Node/n", "MODIFIED Node/n"]);
  });

  it("makes another object of another uid", () => {
    const { store, events } = aStore();
    store.apply(node("n", { uid: "first" }));
    store.apply(node("n", { uid: "second" }));
    expect(told(events)).toEqual(["ADDED Node/n", "DELETED Node/n", "ADDED Node/n"]);
    expect(events[1]?.object.metadata).toMatchObject({
      uid: "first",
      resourceVersion: String(events[1]?.version),
    });
  });

  it("puts a namespaced object into default, and makes its namespace", () => {
    const { store, events } = aStore();
    store.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" } });
    store.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "q" } });
    expect(store.get(PODS, "default", "p")?.metadata.namespace).toBe("default");
    expect(told(events)).toEqual(["ADDED Namespace/default", "ADDED Pod/p", "ADDED Pod/q"]);
  });

  it("serves kinds that it has not seen before from then on", () => {
    const { store } = aStore();
    expect(store.resource("karpenter.sh/v1", "nodepools")).toBeUndefined();
    store.apply({ apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "gpu" } });
    const resource = store.resource("karpenter.sh/v1", "nodepools");
    expect(resource && store.list(resource)).toHaveLength(1);
  });
});

it("lists by namespace and name", () => {
  const { store } = aStore();
  for (const name of ["b", "c", "a"]) store.apply(node(name));
  expect(store.list(NODES).map(({ metadata }) => metadata.name)).toEqual(["a", "b", "c"]);
});

it("removes what is there and tells it once", () => {
  const { store, events } = aStore();
  store.apply(node("n"));
  expect(store.remove({ kind: "Node", name: "n" })).toBe(true);
  expect(store.remove({ kind: "Node", name: "n" })).toBe(false);
  expect(store.remove({ kind: "Unheard", name: "n" })).toBe(false);
  expect(told(events)).toEqual(["ADDED Node/n", "DELETED Node/n"]);
  expect(store.list(NODES)).toEqual([]);
});

describe("history", () => {
  it("tells what came after a version", () => {
    const { store } = aStore();
    store.apply(node("a"));
    const { version } = store;
    store.apply(node("b"));
    expect(told(store.eventsSince(version) ?? [])).toEqual(["ADDED Node/b"]);
    expect(store.eventsSince(store.version)).toEqual([]);
  });

  it("is a window", () => {
    const { store } = aStore();
    store.apply(node("a"));
    const { version } = store;
    for (let count = 0; count < 10_001; count++) store.apply(node("a"));
    expect(store.eventsSince(version)).toBeUndefined();
    expect(store.eventsSince(version + 1)).toHaveLength(10_000);
  });

  it("can be forgotten, even if nothing has changed since", () => {
    const { store } = aStore();
    store.apply(node("a"));
    const { version } = store;
    store.forgetHistory();
    expect(store.eventsSince(version)).toBeUndefined();
    expect(store.eventsSince(store.version)).toEqual([]);
  });

  it("begins anew, at the given version, after a restart", () => {
    const { store } = aStore();
    for (const name of ["a", "b", "c"]) store.apply(node(name));
    store.restart(2);
    expect(store.version).toBe(2);
    expect(store.list(NODES).map(({ metadata }) => metadata.resourceVersion)).toEqual(["2", "2", "2"]);
    expect(store.eventsSince(1)).toBeUndefined();
    store.apply(node("d"));
    expect(told(store.eventsSince(2) ?? [])).toEqual(["ADDED Node/d"]);
  });
});
