import { afterEach, describe, expect, test } from "vitest";
import type { FactObject } from "../../model/facts/fact-object.ts";
import type { FactName } from "../../model/facts/facts.ts";
import type { ApiServerOptions, KubernetesObject } from "../../testing/api-server/api-server.ts";
import {
  type FollowedServer,
  type FollowOptions,
  startFollowedServer,
} from "../../testing/followed-server.ts";
import { type FactKind, factObject } from "./kinds/fact-kind.ts";
import { rawObject } from "./raw.ts";

function aKind(fact: FactName, group: string, kind: string, rest: Partial<FactKind> = {}): FactKind {
  const normalize = (raw: unknown): FactObject | undefined =>
    rawObject(rawObject(raw).spec).useless === true ? undefined : factObject(raw, kind, []);
  return {
    fact,
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    versions: ["v1"],
    ...rest,
    normalize,
  } as FactKind;
}

const POOLS = aKind("nodePools", "karpenter.sh", "NodePool", { versions: ["v1", "v1beta1"] });
const QUOTAS = aKind("resourceQuotas", "", "ResourceQuota");
const JOBS = aKind("controllers", "batch", "Job");
const SETS = aKind("controllers", "apps", "ReplicaSet");
const STATUS = aKind("autoscalerStatus", "", "ConfigMap", {
  namespace: "kube-system",
  fieldSelector: "metadata.name=cluster-autoscaler-status",
});
const KINDS = [POOLS, QUOTAS, JOBS, SETS, STATUS];

function anObject(apiVersion: string, kind: string, name: string, rest: object = {}): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace: "ml" }, ...rest };
}

let followed: FollowedServer;
afterEach(() => followed.close());

async function start(options: FollowOptions = {}) {
  followed = await startFollowedServer({ kinds: KINDS, ...options });
}

const names = (fact: FactName) => {
  const { known, items } = followed.read().facts[fact];
  return known ? items.map(({ name }) => name).sort() : "unknown";
};
const stateOf = (id: string) =>
  followed.read().sources.find((source) => source.id === `kubernetes/${id}`)?.state;
const discoveries = () => followed.server.requests.filter(({ path }) => path === "/apis").length;

const SERVERS: [string, ApiServerOptions][] = [
  ["a server that tells of all resources at once", {}],
  ["a server that tells of each group by itself", { aggregatedDiscovery: false }],
  ["a server that lists in pages", { aggregatedDiscovery: false, watchList: false }],
];

describe.each(SERVERS)("%s", (_, server) => {
  test("follows the kinds that are there, each over one stream and as JSON", async () => {
    await start({
      ...server,
      objects: [
        anObject("karpenter.sh/v1", "NodePool", "gpu"),
        anObject("v1", "ResourceQuota", "q"),
        anObject("batch/v1", "Job", "j"),
      ],
    });
    expect(names("nodePools")).toEqual(["gpu"]);
    expect(names("resourceQuotas")).toEqual(["q"]);
    expect(followed.read().facts.nodePools.items[0]).toMatchObject({ apiVersion: "karpenter.sh/v1" });
    expect(followed.read().facts.controllers.items[0]).toMatchObject({ apiVersion: "batch/v1", kind: "Job" });
    expect(followed.requests("nodepools").map(({ accept }) => accept)).toContain("application/json");
    expect(followed.lists("nodepools")).toBe(1);
    followed.server.apply([anObject("karpenter.sh/v1", "NodePool", "spot")]);
    await followed.until(() => names("nodePools").length === 2);
  });

  test("a kind that is absent costs no request, and is known to have no objects", async () => {
    await start({ ...server, objects: [anObject("v1", "ResourceQuota", "q")] });
    await followed.pass(20_000, 1_000);
    expect(names("nodePools")).toEqual([]);
    expect(stateOf("nodepools.karpenter.sh")).toBe("absent");
    expect(followed.requests("nodepools")).toEqual([]);
    expect(discoveries()).toBe(1);
  });

  test("the best version that can be read is followed", async () => {
    await start({ ...server, objects: [anObject("karpenter.sh/v1beta1", "NodePool", "old")] });
    expect(names("nodePools")).toEqual(["old"]);
    followed.server.apply([anObject("karpenter.sh/v1", "NodePool", "new")]);
    await followed.pass(35_000, 1_000);
    await followed.until(() => names("nodePools") !== "unknown" && names("nodePools").includes("new"));
    expect(stateOf("nodepools.karpenter.sh")).toBe("live");
  });

  test("a kind that is there in other versions only is unknown, and named", async () => {
    await start(server);
    const source = () => followed.read().sources.find(({ id }) => id === "kubernetes/nodepools.karpenter.sh");
    followed.server.apply([anObject("karpenter.sh/v1alpha5", "NodePool", "old")]);
    await followed.pass(35_000, 1_000);
    await followed.until(() => source()?.error !== undefined);
    expect(names("nodePools")).toBe("unknown");
    expect(source()?.error).toEqual({
      code: "invalid",
      message: "The cluster has nodepools.karpenter.sh only as v1alpha5, which Seamline cannot read",
      hint: "It reads v1, v1beta1.",
    });
    followed.server.apply([anObject("karpenter.sh/v1", "NodePool", "new")]);
    await followed.pass(35_000, 1_000);
    await followed.until(() => names("nodePools") !== "unknown" && names("nodePools").includes("new"));
    expect(source()).toMatchObject({ state: "live", error: undefined });
  });

  test("a kind that appears is picked up, and one that goes is dropped at once", async () => {
    await start(server);
    followed.server.apply([anObject("karpenter.sh/v1", "NodePool", "gpu")]);
    await followed.pass(35_000, 1_000);
    await followed.until(() => stateOf("nodepools.karpenter.sh") === "live");
    expect(names("nodePools")).toEqual(["gpu"]);
    followed.server.faults.dropResource("nodepools");
    followed.server.faults.closeWatches("nodepools");
    await followed.pass(3_000);
    await followed.until(() => stateOf("nodepools.karpenter.sh") === "absent");
    expect(names("nodePools")).toEqual([]);
    const before = followed.requests("nodepools").length;
    await followed.pass(120_000, 1_000);
    expect(followed.requests("nodepools")).toHaveLength(before);
    expect(stateOf("resourcequotas")).toBe("absent");
  });

  test("a kind that discovery has lost, but whose stream stands, is kept", async () => {
    await start({ ...server, objects: [anObject("karpenter.sh/v1", "NodePool", "gpu")] });
    await followed.settle();
    followed.server.faults.dropResource("nodepools");
    await followed.pass(65_000, 1_000);
    expect(names("nodePools")).toEqual(["gpu"]);
    expect(stateOf("nodepools.karpenter.sh")).toBe("live");
  });

  test("a group that is down stops no other, and what was known of it stays, as stale", async () => {
    const objects = [anObject("karpenter.sh/v1", "NodePool", "gpu"), anObject("batch/v1", "Job", "j")];
    await start({ ...server, objects });
    followed.server.faults.failGroup("karpenter.sh");
    await followed.pass(65_000, 1_000);
    expect(names("nodePools")).toEqual(["gpu"]);
    expect(stateOf("nodepools.karpenter.sh")).toBe("stale");
    expect(stateOf("jobs.batch")).toBe("live");
    followed.server.faults.clear();
    await followed.pass(35_000, 1_000);
    await followed.until(() => stateOf("nodepools.karpenter.sh") === "live");
  });

  test("of a group that is down from the start nothing is known", async () => {
    await start({
      ...server,
      objects: [anObject("karpenter.sh/v1", "NodePool", "gpu"), anObject("batch/v1", "Job", "j")],
      breakFirst: ({ faults }) => faults.failGroup("karpenter.sh"),
    });
    await followed.until(() => stateOf("jobs.batch") === "live");
    expect(names("nodePools")).toBe("unknown");
    expect(stateOf("nodepools.karpenter.sh")).toBe("unreachable");
    followed.server.faults.clear();
    await followed.pass(35_000, 1_000);
    await followed.until(() => stateOf("nodepools.karpenter.sh") === "live");
    expect(names("nodePools")).toEqual(["gpu"]);
  });
});

test("forbidden is unknown, and is tried again", async () => {
  await start({
    objects: [anObject("karpenter.sh/v1", "NodePool", "gpu"), anObject("v1", "ResourceQuota", "q")],
    breakFirst: ({ faults }) => faults.fail("nodepools", 403),
  });
  await followed.until(() => stateOf("nodepools.karpenter.sh") === "forbidden");
  expect(names("nodePools")).toBe("unknown");
  await followed.until(() => stateOf("resourcequotas") === "live");
  followed.server.faults.clear();
  await followed.pass(60_000, 1_000);
  await followed.until(() => stateOf("nodepools.karpenter.sh") === "live");
  expect(names("nodePools")).toEqual(["gpu"]);
});

test("a fact of several kinds is known once all of them are that are there", async () => {
  await start({
    objects: [anObject("batch/v1", "Job", "j"), anObject("apps/v1", "ReplicaSet", "r")],
    breakFirst: ({ faults }) => faults.fail("replicasets", 403),
  });
  await followed.until(() => stateOf("replicasets.apps") === "forbidden" && stateOf("jobs.batch") === "live");
  expect(followed.read().facts.controllers).toMatchObject({ known: false, items: [{ name: "j" }] });
  followed.server.faults.clear();
  await followed.pass(60_000, 1_000);
  await followed.until(() => stateOf("replicasets.apps") === "live");
  expect(names("controllers")).toEqual(["j", "r"]);
});

test.each([true, false])("a selector and a namespace narrow the list (as a watch: %s)", async (watchList) => {
  const map = (name: string, namespace: string) => ({
    ...anObject("v1", "ConfigMap", name),
    metadata: { name, namespace },
  });
  await start({
    watchList,
    objects: [
      map("cluster-autoscaler-status", "kube-system"),
      map("x", "kube-system"),
      map("cluster-autoscaler-status", "ml"),
    ],
  });
  expect(names("autoscalerStatus")).toEqual(["cluster-autoscaler-status"]);
  for (const { path, query } of followed.requests("configmaps")) {
    expect(path).toBe("/api/v1/namespaces/kube-system/configmaps");
    expect(query.fieldSelector).toBe("metadata.name=cluster-autoscaler-status");
  }
});

test("an object that is of no use any more is taken out", async () => {
  await start({ objects: [anObject("batch/v1", "Job", "a"), anObject("batch/v1", "Job", "b")] });
  followed.server.apply([anObject("batch/v1", "Job", "a", { spec: { useless: true } })]);
  await followed.until(() => names("controllers").length === 1);
  expect(names("controllers")).toEqual(["b"]);
  followed.server.apply([anObject("batch/v1", "Job", "a")]);
  await followed.until(() => names("controllers").length === 2);
});

test("until it is known which kinds there are, nothing is known of any, and one source says why", async () => {
  await start({ breakFirst: ({ faults }) => void faults.down() });
  await followed.until(() => stateOf("discovery") === "unreachable");
  expect(names("nodePools")).toBe("unknown");
  expect(
    followed
      .read()
      .sources.map(({ id }) => id)
      .slice(3),
  ).toEqual(["kubernetes/discovery"]);
  await followed.server.faults.up();
  await followed.pass(35_000, 1_000);
  await followed.until(() => stateOf("discovery") === undefined && names("nodePools") !== "unknown");
});

test("looks for kinds every half a minute, and no sooner than a second after the last time", async () => {
  await start({ objects: [anObject("batch/v1", "Job", "a")] });
  await followed.pass(299_000, 1_000);
  expect(discoveries()).toBe(10);
  // Discovery still has what its own paths do not.
  const before = followed.requests("jobs").length;
  followed.server.faults.fail("jobs", 404);
  followed.server.faults.closeWatches("jobs");
  await followed.pass(120_000, 500);
  expect(discoveries()).toBeLessThanOrEqual(10 + 10);
  expect(followed.requests("jobs").length - before).toBeLessThanOrEqual(8);
});
