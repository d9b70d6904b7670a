import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../sources/kubernetes/clock.ts";
import type { ConfiguredSource } from "./config.ts";
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
  options: { reservationFiles?: string[]; env?: Record<string, string> } = {},
): Promise<OpenedSources> {
  opened = await openSources(source, {
    config: { reservationFiles: options.reservationFiles ?? [], acceleratorNames: [] },
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
    expect(readSnapshot(sources).reservations.known).toBe(false);
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
    const { nodes, ...snapshot } = readSnapshot(sources);
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
  it("names what is not configured", async () => {
    file("snap/objects.yaml", "");
    const sources = await open({ kind: "snapshot", path: join(folder, "snap") });
    const snapshot = readSnapshot(sources);
    expect(snapshot.reservations).toEqual({ known: true, items: [] });
    expect(snapshot.sources.map(({ id, state }) => [id, state])).toEqual([
      ["kubernetes/nodes", "loading"],
      ["kubernetes/pods", "loading"],
      ["kubernetes/events", "loading"],
      ["reservations", "not-configured"],
      ["prometheus", "not-configured"],
    ]);
  });
});
