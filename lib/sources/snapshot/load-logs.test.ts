import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadLogs, lookUpLog } from "./load-logs.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seamline-logs-"));
});

afterEach(() => rm(folder, { recursive: true }));

async function load(files: Readonly<Record<string, string>>) {
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return await loadLogs(paths);
}

it("gives each container's log by its name, without secrets", async () => {
  const logs = await load({ "ml_train-0_main.log": "token=abc123\nCUDA out of memory\n" });
  const look = lookUpLog(logs);
  expect(look("ml", "train-0", "main")).toBe("token=[redacted]\nCUDA out of memory\n");
  expect(look("ml", "train-0", "side")).toBeUndefined();
  expect(look("ml", "train-1", "main")).toBeUndefined();
});

it.each(["notes.log", "ml_train-0.log", "a_b_c_d.log", "__.log"])("passes %s over", async (name) => {
  expect(await load({ [name]: "x" })).toEqual({});
});

it("passes a file over that cannot be read", async () => {
  expect(await loadLogs([join(folder, "ml_gone_main.log")])).toEqual({});
});

it("takes the last 256 KiB, in whole lines", async () => {
  const line = `${"x".repeat(99)}\n`;
  const logs = await load({ "ml_a_main.log": `${line.repeat(10_000)}last\n` });
  const text = logs["ml/a/main"] ?? "";
  expect(text.length).toBeGreaterThan(256 * 1_024 - 200);
  expect(text.startsWith(line)).toBe(true);
  expect(text.endsWith("last\n")).toBe(true);
});
