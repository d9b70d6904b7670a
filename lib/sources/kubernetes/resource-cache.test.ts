import { beforeEach, describe, expect, test } from "vitest";
import type { PodRecord } from "../../model/kubernetes.ts";
import { normalizePod } from "./normalize-pod.ts";
import { createRecordStore } from "./record-store.ts";
import { ResourceCache } from "./resource-cache.ts";
import { ACCEPT_JSON } from "./wire.ts";

const pod = (name: string, version: string) => ({
  metadata: { name, uid: `uid-${name}`, resourceVersion: version },
});

let cache: ResourceCache<PodRecord>;
const names = () => cache.records().map(({ name }) => name);

beforeEach(() => {
  cache = new ResourceCache<PodRecord>({
    id: "kubernetes/pods",
    kind: "Pod",
    path: "/api/v1/pods",
    accept: ACCEPT_JSON,
    normalize: normalizePod,
    createStore: createRecordStore,
  });
  cache.startList();
  cache.put(pod("a", "3"));
  cache.put(pod("b", "4"));
  cache.completeList("5");
});

describe("ResourceCache", () => {
  test("after a list, goes on from the list's version", () => {
    expect(names()).toEqual(["a", "b"]);
    expect(cache.version).toBe("5");
  });

  test("each change moves the version on, a bookmark does so alone", () => {
    cache.put(pod("c", "6"));
    expect([names(), cache.version]).toEqual([["a", "b", "c"], "6"]);
    cache.remove(pod("a", "7"));
    expect([names(), cache.version]).toEqual([["b", "c"], "7"]);
    cache.bookmark({ metadata: { resourceVersion: "8" } });
    expect([names(), cache.version]).toEqual([["b", "c"], "8"]);
  });

  test("an object without a version leaves the version as it is", () => {
    cache.put({ metadata: { name: "c" } });
    cache.bookmark({ kind: "Status", code: 410 });
    expect(cache.version).toBe("5");
  });

  test("a list shows nothing before it is complete, then it replaces everything", () => {
    cache.startList();
    cache.put(pod("b", "9"));
    cache.put(pod("d", "10"));
    expect([names(), cache.version, cache.listing]).toEqual([["a", "b"], undefined, true]);
    cache.completeList("11");
    expect([names(), cache.version, cache.listing]).toEqual([["b", "d"], "11", false]);
  });

  test("half a list leaves the records, and nowhere to go on from", () => {
    cache.startList();
    cache.put(pod("d", "10"));
    cache.dropList();
    expect([names(), cache.version, cache.listing]).toEqual([["a", "b"], undefined, false]);
  });

  test("an object without a name is not kept", () => {
    expect(cache.put({ metadata: { uid: "x", resourceVersion: "6" } })).toBe(false);
    expect(cache.put("pod")).toBe(false);
    expect([names(), cache.version]).toEqual([["a", "b"], "6"]);
  });

  test("clear leaves nothing", () => {
    cache.clear();
    expect([names(), cache.version]).toEqual([[], undefined]);
  });
});
