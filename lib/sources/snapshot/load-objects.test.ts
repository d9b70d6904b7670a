import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadObjects } from "./load-objects.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seamline-snapshot-"));
});

afterEach(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** What was loaded from the folder, with paths below it. */
async function load(path = "", maxBytes?: number) {
  const below = (file: string) => file.slice(folder.length + 1);
  const loaded = await loadObjects(join(folder, path), maxBytes);
  return {
    names: loaded.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    objects: loaded.objects,
    reservationFiles: loaded.reservationFiles.map(below),
    logFiles: loaded.logFiles.map(below),
    problems: loaded.problems.map(({ file, where, message }) => `${below(file)}: ${where}: ${message}`),
  };
}

const node = (name: string) => `apiVersion: v1\nkind: Node\nmetadata:\n  name: ${name}\n`;

describe("files", () => {
  it("reads a folder and its folders in order, and leaves out what is no cluster", async () => {
    await write({
      "b.yaml": node("b"),
      "a.yml": node("a"),
      "more/c.json": JSON.stringify({ apiVersion: "v1", kind: "Node", metadata: { name: "c" } }),
      "reservations.json": "{",
      "more/reservations.yaml": "not: kubernetes",
      "case.yaml": "now: then",
      "logs/default_pod_main.log": "out of memory",
      "logs/trace.json": "{",
      ".hidden/d.yaml": node("d"),
      "README.md": "# hello",
    });
    const { names, reservationFiles, logFiles, problems } = await load();
    expect(names).toEqual(["Node/a", "Node/b", "Node/c"]);
    expect(reservationFiles).toEqual(["more/reservations.yaml", "reservations.json"]);
    expect(logFiles).toEqual(["logs/default_pod_main.log"]);
    expect(problems).toEqual([]);
  });

  it("reads one file, whatever its name, with the reservations beside it", async () => {
    await write({ "dump.txt": node("a"), "other.yaml": node("b"), "reservations.yml": "reservations: []" });
    expect(await load("dump.txt")).toMatchObject({
      names: ["Node/a"],
      reservationFiles: ["reservations.yml"],
    });
  });

  it("takes a reservations file alone as no objects", async () => {
    await write({ "reservations.json": "{}" });
    const loaded = await load("reservations.json");
    expect(loaded).toMatchObject({ names: [], reservationFiles: ["reservations.json"], problems: [] });
  });

  it("reads UTF-16 as PowerShell writes it, and a byte order mark", async () => {
    await write({
      "a.yaml": Buffer.from(`\uFEFF${node("a")}`, "utf16le"),
      "b.yaml": `\uFEFF${node("b")}`,
      "c.json": `\uFEFF{"apiVersion":"v1","kind":"Node","metadata":{"name":"c"}}`,
    });
    expect(await load()).toMatchObject({ names: ["Node/a", "Node/b", "Node/c"], problems: [] });
  });

  it("throws for a path that is not there", async () => {
    await expect(load("nothing")).rejects.toThrow(/cannot read .*nothing/);
  });

  it("refuses a file above the limit and reads the others", async () => {
    await write({ "big.yaml": `${node("big")}# ${"x".repeat(2 ** 20)}`, "small.yaml": node("small") });
    const { names, problems } = await load("", 2 ** 19);
    expect(names).toEqual(["Node/small"]);
    expect(problems).toEqual(["big.yaml: : expected at most 0.5 MiB, found 1.0 MiB"]);
  });

  it("names a file that cannot be read", async () => {
    await symlink(join(folder, "gone"), join(folder, "link.yaml"));
    await write({ "a.yaml": node("a") });
    const { names, problems } = await load();
    expect(names).toEqual(["Node/a"]);
    expect(problems).toEqual([expect.stringMatching(/^link\.yaml: : cannot be read: ENOENT/)]);
  });
});

describe("documents", () => {
  it.each<[string, string, readonly string[], readonly (string | RegExp)[]]>([
    ["nothing", "", [], []],
    ["only comments and empty documents", "# a\n---\n---\n# b\n---\n", [], []],
    ["several", `${node("a")}---\n${node("b")}`, ["Node/a", "Node/b"], []],
    ["carriage returns", `${node("a")}---\n${node("b")}`.replaceAll("\n", "\r\n"), ["Node/a", "Node/b"], []],
    [
      "a broken one between two others",
      `${node("a")}---\nkind: [Pod\nmetadata: {\n---\n${node("b")}`,
      ["Node/a", "Node/b"],
      [/^f\.yaml: line [67]: expected a YAML document/],
    ],
    [
      "a quote that never ends",
      `${node("a")}---\nkind: 'Pod\n---\n${node("b")}`,
      ["Node/a", "Node/b"],
      [/^f\.yaml: line 7: expected a YAML document: .*quote/],
    ],
    ["a key twice", "a: 1\na: 2\n", [], [/^f\.yaml: line 2: .*unique/]],
    [
      "aliases that unfold without end",
      "a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c]\n",
      [],
      [/^f\.yaml: line 1: expected a plain YAML document/],
    ],
    ["nesting without end", "[".repeat(50_000), [], [/^f\.yaml: line 1: expected a YAML document/]],
    ["a text", "hello\n", [], ['f.yaml: line 1: expected a Kubernetes object, found "hello"']],
    [
      "no kind",
      "apiVersion: v1\nmetadata: {name: a}\n",
      [],
      ["f.yaml: line 1, kind: expected a name such as Node, found nothing"],
    ],
    [
      "no apiVersion",
      "kind: Node\nmetadata: {name: a}\n",
      [],
      ["f.yaml: line 1, apiVersion: expected a name such as v1, found nothing"],
    ],
    [
      "no name",
      `${node("a")}---\napiVersion: v1\nkind: Pod\n`,
      ["Node/a"],
      ["f.yaml: line 6, metadata.name: expected a name, found nothing"],
    ],
    [
      "a name that is none",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: 7}\n",
      [],
      ["f.yaml: line 1, metadata.name: expected a name, found 7"],
    ],
    [
      "a namespace that is none",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: [b]}\n",
      [],
      ['f.yaml: line 1, metadata.namespace: expected a name or nothing, found ["b"]'],
    ],
    [
      "kinds that nobody knows",
      "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n",
      ["Thing/a"],
      [],
    ],
  ])("%s", async (_what, text, names, problems) => {
    await write({ "f.yaml": text });
    const loaded = await load();
    expect(loaded.names).toEqual(names);
    expect(loaded.problems).toEqual(
      problems.map((each) => (typeof each === "string" ? each : expect.stringMatching(each))),
    );
  });

  it("keeps every field as it is written", async () => {
    await write({
      "f.yaml": `${node("a")}  creationTimestamp: 2026-12-01T12:00:00Z\n  labels: {"__proto__": x}\nstatus: {capacity: {cpu: 1e3}}\n`,
    });
    const { objects } = await load();
    expect(JSON.parse(JSON.stringify(objects[0]))).toEqual(
      JSON.parse(
        '{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","creationTimestamp":"2026-12-01T12:00:00Z","labels":{"__proto__":"x"}},"status":{"capacity":{"cpu":1000}}}',
      ),
    );
  });

  it.each([
    ['{"apiVersion": "v1",\n "kind": "Node",,}', /^f\.json: line 2: expected JSON/],
    ['{"apiVersion": "v1"', /^f\.json: .*: expected JSON/],
    ["[]", /^f\.json: : expected a Kubernetes object, found \[\]/],
  ])("says what is wrong with the JSON %s", async (text, message) => {
    await write({ "f.json": text, "g.json": "" });
    expect((await load()).problems).toEqual([expect.stringMatching(message)]);
  });
});

describe("lists", () => {
  const list = (kind: string, items: unknown) => ({ apiVersion: "v1", kind, metadata: {}, items });

  it.each<[string, unknown, readonly string[], readonly string[]]>([
    [
      "a List keeps its items' kinds",
      list("List", [{ apiVersion: "v1", kind: "Pod", metadata: { name: "a" } }]),
      ["Pod/a"],
      [],
    ],
    [
      "a NodeList gives its kind",
      list("NodeList", [{ metadata: { name: "a" } }, { metadata: { name: "b" } }]),
      ["Node/a", "Node/b"],
      [],
    ],
    ["an empty list", list("PodList", []), [], []],
    ["a list that Go left nil", list("PodList", null), [], []],
    [
      "items that are no list",
      list("PodList", "x"),
      [],
      ['f.json: items: expected a list of objects, found "x"'],
    ],
    [
      "an item of a List without kind",
      list("List", [{ metadata: { name: "a" } }]),
      [],
      ["f.json: items[0].apiVersion: expected a name such as v1, found nothing"],
    ],
    [
      "a broken item among good ones",
      list("PodList", [{ metadata: { name: "a" } }, null, { metadata: {} }]),
      ["Pod/a"],
      [
        "f.json: items[1]: expected a Kubernetes object, found null",
        "f.json: items[2].metadata.name: expected a name, found nothing",
      ],
    ],
    ["lists in a List", list("List", [list("PodList", [{ metadata: { name: "a" } }])]), ["Pod/a"], []],
    [
      "an object whose kind ends so",
      { apiVersion: "example.com/v1", kind: "AllowList", metadata: { name: "a" }, items: [] },
      ["AllowList/a"],
      [],
    ],
  ])("%s", async (_what, document, names, problems) => {
    await write({ "f.json": JSON.stringify(document) });
    expect(await load()).toMatchObject({ names, problems });
  });

  it("gives items the apiVersion of their list", async () => {
    await write({ "f.yaml": "apiVersion: example.com/v1\nkind: ThingList\nitems:\n- metadata: {name: a}\n" });
    expect((await load()).objects).toEqual([
      { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" } },
    ]);
  });
});
