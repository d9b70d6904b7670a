import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../sources/kubernetes/clock.ts";
import type { ConfiguredSource } from "./config.ts";
import { NO_SETTINGS, type Settings } from "./config-file.ts";
import { openSources } from "./open-sources.ts";
import type { OpenedSources } from "./opened-sources.ts";
import { readSnapshot } from "./read-snapshot.ts";

let folder: string;
let opened: OpenedSources | undefined;

function file(path: string, text: string): string {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

async function open(
  source: ConfiguredSource,
  options: { reservationFiles?: string[]; settings?: Partial<Settings>; env?: Record<string, string> } = {},
): Promise<OpenedSources> {
  opened = await openSources(source, {
    config: {
      reservationFiles: options.reservationFiles ?? [],
      acceleratorNames: [],
      settings: { ...NO_SETTINGS, ...options.settings },
    },
    // A folder without .kube/config and no service account: nothing of this machine is read.
    env: { NODE_ENV: "test", HOME: folder, ...options.env },
    homeDir: folder,
    clock: systemClock,
  });
  return opened;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "seamline-"));
  opened = undefined;
});

afterEach(async () => {
  await opened?.kubernetes.stop();
  await opened?.close();
  rmSync(folder, { recursive: true });
});

describe("openSources", () => {
  it("shows the default demo only where no cluster is configured at all", async () => {
    const { cluster, demo, reads } = await open({ kind: "cluster" });
    expect(cluster).toMatchObject({ name: "fleet", kind: "demo", server: demo?.url });
    expect(reads[0]).toMatch(/^demo cluster "fleet" \(no cluster is configured\)/);
  });

  it("reads the demo's reservations beside those of files", async () => {
    const sources = await open(
      { kind: "demo", name: "layers" },
      { reservationFiles: [file("a.yaml", "{}")] },
    );
    const { reservations } = sources;
    expect(reservations.map((source) => source.read().status.id)).toEqual([
      "reservations/demo",
      "reservations/a.yaml",
    ]);
    expect(reservations[0]?.read()).toMatchObject({ reservations: { known: true }, issues: [] });
    // The file was not read yet, so nobody can say what is reserved.
    expect(readSnapshot(sources, systemClock.now()).reservations.known).toBe(false);
  });

  it("reads what a demo's providers say, and its prices and owners after those that are configured", async () => {
    const price = { kind: "per-gpu", currency: "USD", micros: 1 } as const;
    const rule = { reservation: "cr-0f3a9c27d81b4e650", provider: undefined, region: undefined };
    const own = { ...rule, instanceType: undefined, market: undefined, price };
    const { reservations, settings } = await open(
      { kind: "demo", name: "fleet" },
      { settings: { ...NO_SETTINGS, prices: [own] } },
    );
    expect(reservations.map((source) => source.read().status.id)).toEqual([
      "reservations/aws",
      "reservations/azure",
      "reservations/gcp",
      "reservations/demo",
    ]);
    expect(settings.prices[0]).toEqual(own);
    expect(settings.prices.length).toBeGreaterThan(1);
    for (const { contact } of settings.owners) expect(contact).toMatch(/^https:\/\/example\.com\//);
  });

  it("opens a source for each region and project that the configuration file names, and asks none yet", async () => {
    const live = {
      ...NO_SETTINGS.live,
      aws: [{ regions: ["us-east-2", "us-west-2"] }],
      gcp: [{ projects: ["ml-prod"] }],
      azure: [{ subscriptions: ["00000000-0000-4000-8000-0000000000aa"] }],
    };
    const { reservations, reads } = await open({ kind: "demo", name: "layers" }, { settings: { live } });
    const ids = [
      "reservations/aws/us-east-2",
      "reservations/aws/us-west-2",
      "reservations/gcp/ml-prod",
      "reservations/azure/00000000-0000-4000-8000-0000000000aa",
    ];
    expect(reservations.slice(1).map((source) => source.read().status)).toMatchObject(
      ids.map((id) => ({ id, state: "loading" })),
    );
    expect(reads.slice(1)).toEqual(ids);
  });

  it("carries prices, owners and the notice into the snapshot", async () => {
    const owners = [
      { layer: "L1", pool: undefined, namespace: undefined, team: "crew", contact: undefined } as const,
    ];
    const settings = { owners, noticeHours: 5 };
    const sources = await open({ kind: "demo", name: "layers" }, { settings });
    expect(readSnapshot(sources, systemClock.now())).toMatchObject({ ...settings, prices: [] });
  });

  it.each<[string, (folder: string) => Record<string, string>]>([
    ["a broken kubeconfig", () => ({ KUBECONFIG: file("kube", "clusters: [") })],
    ["a kubeconfig that is not there", () => ({ KUBECONFIG: join(folder, "nothing") })],
    [
      "an unknown context",
      () => ({ KUBECONFIG: file("kube", "apiVersion: v1\nkind: Config\n"), SEAMLINE_CONTEXT: "gone" }),
    ],
  ])("shows %s as a cluster that is unreachable, never as the demo", async (_name, env) => {
    const sources = await open({ kind: "cluster" }, { env: env(folder) });
    const { cluster, demo } = sources;
    expect(cluster.kind).toBe("cluster");
    expect(demo).toBeUndefined();
    const { nodes, ...snapshot } = readSnapshot(sources, systemClock.now());
    expect(nodes.known).toBe(false);
    const kubernetes = snapshot.sources.filter(({ kind }) => kind === "kubernetes");
    expect(kubernetes.map(({ id, state }) => [id, state])).toEqual([
      ["kubernetes/nodes", "unreachable"],
      ["kubernetes/pods", "unreachable"],
      ["kubernetes/events", "unreachable"],
    ]);
    expect(kubernetes[0]?.error?.message).not.toBe("");
  });

  it("makes issues of what in a snapshot is no object, and reads its reservations", async () => {
    file("snap/objects.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\nkind: [\n");
    file("snap/reservations.yaml", "reservations: []\n");
    const { cluster, issues, reservations } = await open({ kind: "snapshot", path: join(folder, "snap") });
    expect(cluster).toEqual({ name: "snap", kind: "snapshot", server: undefined });
    expect(issues).toMatchObject([
      { code: "UnreadableDocument", severity: "error" },
      { code: "KindNotRead", severity: "info", message: "kinds that are not read: Namespace (1)" },
    ]);
    expect(issues[0]?.message).toMatch(/objects\.yaml: line \d: /);
    expect(reservations.map((source) => source.read().status.id)).toEqual(["reservations/reservations.yaml"]);
  });

  it("says of which kinds in a snapshot nothing is made, and in which versions", async () => {
    const object = (apiVersion: string, kind: string) =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: b}\n`;
    const objects = [
      object("v1", "Pod"),
      object("karpenter.sh/v1", "NodePool"),
      object("karpenter.sh/v1beta1", "NodePool"),
      object("v1", "Service"),
    ];
    file("snap/objects.yaml", objects.join("---\n"));
    const { issues } = await open({ kind: "snapshot", path: join(folder, "snap") });
    expect(issues.map(({ code, message }) => [code, message])).toEqual([
      ["KindNotRead", "kinds that are not read: NodePool of karpenter.sh/v1beta1 (1), Service (1)"],
    ]);
  });

  it("serves the logs of a snapshot, without secrets", async () => {
    file(
      "snap/pod.yaml",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ml}\nspec: {containers: [{name: main}]}\n",
    );
    file("snap/logs/ml_p_main.log", "password=x\nCUDA out of memory\n");
    const { kubernetes } = await open({ kind: "snapshot", path: join(folder, "snap") });
    const logs = await kubernetes.readLogs({ namespace: "ml", pod: "p", container: "main", restarted: true });
    expect(logs).toEqual({ current: "password=[redacted]\nCUDA out of memory\n", previous: undefined });
  });

  it("tells files of one name apart, and takes a file once", async () => {
    const [a, b] = [file("a/r.yaml", "reservations: []"), file("b/r.yaml", "reservations: []")];
    const { reservations } = await open({ kind: "demo", name: "layers" }, { reservationFiles: [a, b, a] });
    expect(reservations.slice(1).map((source) => source.read().status.id)).toEqual([
      `reservations/${a}`,
      `reservations/${b}`,
    ]);
  });
});

describe("readSnapshot", () => {
  it("leaves out kinds that the cluster does not have", async () => {
    file("snap/objects.yaml", "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\n");
    const sources = await open({ kind: "snapshot", path: join(folder, "snap") });
    const isRead = Promise.withResolvers<void>();
    sources.kubernetes.onChange(() => {
      const { sources: all } = sources.kubernetes.read();
      if (all.length > 4 && all.every(({ state }) => state === "live" || state === "absent"))
        isRead.resolve();
    });
    sources.kubernetes.start();
    await isRead.promise;
    const { sources: shown, facts } = readSnapshot(sources, systemClock.now());
    expect(shown.map(({ id }) => id)).toEqual([
      "kubernetes/nodes",
      "kubernetes/pods",
      "kubernetes/events",
      "kubernetes/nodepools.karpenter.sh",
      "reservations",
      "prometheus",
    ]);
    expect(facts.nodePools).toMatchObject({ known: true, items: [{ name: "a" }] });
    expect(facts.nodeClaims).toEqual({ known: true, items: [] });
  });

  it("names what is not configured", async () => {
    file("snap/objects.yaml", "");
    const sources = await open({ kind: "snapshot", path: join(folder, "snap") });
    const snapshot = readSnapshot(sources, systemClock.now());
    expect(snapshot.reservations).toEqual({ known: true, items: [] });
    expect(snapshot.sources.map(({ id, state }) => [id, state])).toEqual([
      ["kubernetes/nodes", "loading"],
      ["kubernetes/pods", "loading"],
      ["kubernetes/events", "loading"],
      ["kubernetes/discovery", "loading"],
      ["reservations", "not-configured"],
      ["prometheus", "not-configured"],
    ]);
  });
});
