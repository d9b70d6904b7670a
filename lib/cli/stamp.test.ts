import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashOf, isStamped, stamp } from "./stamp.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "seamline-"));
  mkdirSync(join(root, "lib/deep"), { recursive: true });
  writeFileSync(join(root, "lib/deep/a.ts"), "a");
  writeFileSync(join(root, "lib/b.ts"), "b");
  writeFileSync(join(root, "package-lock.json"), "{}");
});

afterEach(() => rmSync(root, { recursive: true }));

const hash = () => hashOf(root, ["lib", "public", "package-lock.json"]);

describe("hashOf", () => {
  it("is the same while nothing changes, and goes by content, not by time", () => {
    const before = hash();
    writeFileSync(join(root, "lib/b.ts"), "b");
    expect(hash()).toBe(before);
  });

  it.each<[string, () => void]>([
    ["a changed file", () => writeFileSync(join(root, "lib/deep/a.ts"), "A")],
    ["a new file", () => writeFileSync(join(root, "lib/c.ts"), "")],
    ["a removed file", () => rmSync(join(root, "lib/b.ts"))],
    ["a file that was missing", () => writeFileSync(join(root, "public"), "")],
    [
      "content that moved to the next file",
      () => {
        writeFileSync(join(root, "lib/b.ts"), "");
        writeFileSync(join(root, "lib/deep/a.ts"), "ba");
      },
    ],
  ])("changes with %s", (_name, change) => {
    const before = hash();
    change();
    expect(hash()).not.toBe(before);
  });
});

describe("isStamped", () => {
  it("holds only for the hash that was stamped", () => {
    const file = join(root, "stamp");
    expect(isStamped(file, "1")).toBe(false);
    stamp(file, "1");
    expect(isStamped(file, "1")).toBe(true);
    expect(isStamped(file, "2")).toBe(false);
  });
});
