import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileSource, type FileSource } from "./file-source.ts";

let folder: string;
let now: number;
let source: FileSource;
let changes: number;

const path = (name = "reservations.yaml") => join(folder, name);

/** Puts a new file in the place of the old one, as editors do. */
async function replace(text: string, name?: string): Promise<void> {
  await writeFile(path("new"), text);
  await rename(path("new"), path(name));
}

function open(name?: string): void {
  source = createFileSource({ file: path(name), id: "reservations/test", now: () => now });
  source.onChange(() => {
    changes += 1;
  });
}

const record = (id: string, count: unknown) =>
  `  - {id: ${id}, provider: onprem, instanceType: dgx-h100, gpuModel: H100, count: ${count}, gpusPerInstance: 8}\n`;
const yaml = (...records: string[]) => `reservations:\n${records.join("")}`;
const ids = () => source.read().reservations.items.map(({ id }) => id);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seamline-"));
  now = 1000;
  changes = 0;
  open();
});

afterEach(() => rm(folder, { recursive: true }));

describe("createFileSource", () => {
  it("is loading until it was looked at", () => {
    expect(source.read()).toMatchObject({ reservations: { known: false }, status: { state: "loading" } });
  });

  it("reads YAML, and stays live while nothing changes", async () => {
    await replace(yaml(record("a", 2)));
    await source.check();
    expect(ids()).toEqual(["a"]);
    expect(source.read().status).toEqual({
      id: "reservations/test",
      kind: "reservations",
      state: "live",
      asOf: 1000,
      error: undefined,
    });
    now = 5000;
    await source.check();
    expect(source.read().status.asOf).toBe(5000);
    expect(changes).toBe(1);
  });

  it("reads JSON", async () => {
    open("r.json");
    await replace('{"reservations": []}', "r.json");
    await source.check();
    expect(source.read()).toMatchObject({
      reservations: { known: true, items: [] },
      status: { state: "live" },
    });
  });

  it("reads a changed file again", async () => {
    await replace(yaml(record("a", 2)));
    await source.check();
    await replace(yaml(record("a", 2), record("b", 1)));
    await source.check();
    expect(ids()).toEqual(["a", "b"]);
    expect(changes).toBe(2);
  });

  it("keeps the last good version while the file is wrong, says where, and recovers", async () => {
    await replace(yaml(record("a", 2)));
    await source.check();
    now = 9000;
    await replace(yaml(record("a", 2), record("b", "many")));
    await source.check();
    const { status, issues } = source.read();
    expect(ids()).toEqual(["a"]);
    expect(status).toMatchObject({ state: "stale", asOf: 1000, error: { code: "invalid" } });
    expect(status.error?.message).toContain(`${path()}: reservations[1].count: expected `);
    expect(status.error?.message).toContain("many");
    expect(status.error?.hint).toContain("last good version");
    expect(issues).toMatchObject([
      { code: "ReservationsInvalid", severity: "warning", source: "reservations/test" },
    ]);
    await replace(yaml(record("c", 1)));
    await source.check();
    expect(ids()).toEqual(["c"]);
    expect(source.read()).toMatchObject({
      status: { state: "live", asOf: 9000, error: undefined },
      issues: [],
    });
  });

  it("goes on with the last good version when the file is gone, and reads it when it is back", async () => {
    await replace(yaml(record("a", 2)));
    await source.check();
    await rm(path());
    await source.check();
    await source.check();
    expect(ids()).toEqual(["a"]);
    expect(source.read().status).toMatchObject({ state: "stale", error: { code: "unreachable" } });
    expect(changes).toBe(2);
    await replace(yaml(record("b", 2)));
    await source.check();
    expect(ids()).toEqual(["b"]);
  });

  it.each<[string, string, RegExp]>([
    ["a missing file", "", /reservations\.yaml: cannot be read: .*ENOENT/],
    ["an empty file", "\n", /expected generic record .*, got an empty file/],
    ["broken YAML", "reservations:\n  - {id: a\n", /reservations\.yaml: line \d+: expected a YAML document/],
    ["another document", "kind: Pod\n", /expected generic record .*, got something else/],
    ["two documents", `${yaml()}  []\n---\nb: 1\n`, /expected one document/],
    ["no list", "reservations: 3\n", /reservations\.yaml: reservations: expected .*, got 3/],
  ])("knows nothing from %s", async (_name, text, message) => {
    if (text) await replace(text);
    await source.check();
    const { reservations, status, issues } = source.read();
    expect(reservations).toEqual({ known: false, items: [] });
    expect(status).toMatchObject({ state: "unreachable", asOf: undefined });
    expect(status.error?.message).toMatch(message);
    expect(issues).toMatchObject([{ severity: "error" }]);
  });

  it("looks at the file by itself after start, and no more after stop", async () => {
    await replace(yaml(record("a", 2)));
    source = createFileSource({ file: path(), id: "reservations/test", now: () => now, interval: 1 });
    await source.start();
    expect(ids()).toEqual(["a"]);
    const changed = new Promise<void>((resolve) => {
      source.onChange(resolve);
    });
    await replace(yaml(record("b", 2)));
    await changed;
    expect(ids()).toEqual(["b"]);
    source.stop();
  });
});
