import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { node, root } from "./prepare.mjs";
import { snapshotView } from "./snapshot-view.ts";

const NOW = Date.parse("2026-12-01T12:00:00Z");

const A_NODE = `apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {pool: a}}
status:
  capacity: {cpu: "64", memory: 512Gi, nvidia.com/gpu: "8"}
  allocatable: {cpu: "64", memory: 512Gi, nvidia.com/gpu: "8"}
  conditions: [{type: Ready, status: "True"}]
`;
const RESERVATIONS = JSON.stringify({
  reservations: [
    { id: "r", instanceType: "dgx", count: 2, gpusPerInstance: 8, selector: { matchLabels: { pool: "a" } } },
  ],
});

let folder: string;
const file = (name: string, text: string) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const view = (path = folder, env = {}) => snapshotView(path, NOW, { NODE_ENV: "test", ...env });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "seamline-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("snapshotView", () => {
  it("is the same for a folder and for the file in it, with the reservations beside it", async () => {
    const objects = file("objects.yaml", A_NODE);
    file("reservations.json", RESERVATIONS);
    const { cluster, ...ofFolder } = await view();
    const { cluster: _, ...ofFile } = await view(objects);
    expect(ofFile).toEqual(ofFolder);
    expect(cluster).toMatchObject({ kind: "snapshot", server: null });
    expect(ofFolder.generatedAt).toBe("2026-12-01T12:00:00.000Z");
    expect(ofFolder.totals.paid.gpus).toBe(16);
    expect(ofFolder.totals.schedulable.gpus).toBe(8);
    expect(new Set(ofFolder.sources.map(({ state }) => state))).toEqual(new Set(["live", "not-configured"]));
  });

  it("takes reservations and accelerator names from the environment", async () => {
    const SEAMLINE_RESERVATIONS = file("elsewhere.json", RESERVATIONS);
    const objects = file("objects.yaml", A_NODE.replaceAll("nvidia.com/gpu", "example.com/npu"));
    const { totals } = await view(objects, {
      SEAMLINE_RESERVATIONS,
      SEAMLINE_GPU_RESOURCES: "example.com/npu",
    });
    expect(totals.paid.gpus).toBe(16);
    expect(totals.schedulable.gpus).toBe(8);
  });

  it.each<[string, string, string, RegExp]>([
    [
      "broken YAML",
      "a.yaml",
      "kind: Pod\n  metadata: {name: x\n",
      /a\.yaml: line \d: expected a YAML document/,
    ],
    ["broken JSON", "a.json", '{"kind": "Pod",\n}', /a\.json: .*expected JSON/],
    [
      "wrong reservations",
      "reservations.yaml",
      "reservations: [{id: a, instanceType: x, gpusPerInstance: 8, count: many}]",
      /reservations\.yaml: reservations\[0\]\.count: expected .*"many"/,
    ],
    [
      "reservations of an unknown kind",
      "reservations.json",
      '{"servers": []}',
      /reservations\.json: expected generic record/,
    ],
  ])("throws for %s", async (_name, name, text, message) => {
    file("objects.yaml", A_NODE);
    file(name, text);
    await expect(view()).rejects.toThrow(message);
  });

  it("throws for a path that is not there", async () => {
    await expect(view(join(folder, "nothing"))).rejects.toThrow(/cannot read .*nothing/);
  });
});

describe("npm run view", () => {
  const run = (...args: string[]) =>
    spawnSync(node, [join(root, "lib/cli/view.ts"), ...args], { encoding: "utf8" });

  it("prints nothing but JSON", { timeout: 60_000 }, () => {
    const { status, stdout, stderr } = run(file("objects.yaml", A_NODE), "--now", "2026-12-01T12:00:00Z");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ apiVersion: "seamline.dev/v1", counts: { nodes: 1 } });
  });

  it.each<[string, string[], RegExp]>([
    ["no path", [], /^usage: npm run -s view/],
    ["a bad time", [".", "--now", "2026-12-01T12:00"], /^--now: expected a time .* got "2026-12-01T12:00"/],
    ["an unknown option", [".", "--later"], /--later/],
  ])("ends with 1 and a message for %s", { timeout: 60_000 }, (_name, args, message) => {
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(message);
  });
});
