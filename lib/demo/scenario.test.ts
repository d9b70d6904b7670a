import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadScenario } from "./scenario.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seamline-scenario-"));
  await mkdir(join(folder, "objects"));
  await mkdir(join(folder, "steps"));
  await writeFile(join(folder, "objects", "pods.yaml"), pod("a"));
  await writeFile(join(folder, "steps", "b.yaml"), pod("b"));
  await writeFile(join(folder, "steps", "c.yaml"), pod("c"));
  await writeFile(join(folder, "reservations.yaml"), "reservations: []\n");
});

afterEach(() => rm(folder, { recursive: true }));

const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: ml}\n`;

const step = (fields = "") => `- {title: One, text: First., after: 12s${fields}}`;

const scenarioYaml = (steps = step(), now = "'2026-12-01T12:00:00Z'", more = "") =>
  `title: T\ndescription: D\nnow: ${now}\nloops: false\n${more}steps:\n${steps}\n`;

async function load(yaml: string) {
  await writeFile(join(folder, "scenario.yaml"), yaml);
  return loadScenario(folder, "test");
}

describe("loadScenario", () => {
  it("reads the base, the reservations and the files of each step in their order", async () => {
    const steps = [
      step(),
      step(", apply: [steps/c.yaml, steps/b.yaml], remove: [{kind: Pod, namespace: ml, name: a}]"),
    ];
    const scenario = await load(scenarioYaml(steps.join("\n")));
    expect(scenario).toMatchObject({
      name: "test",
      title: "T",
      now: Date.parse("2026-12-01T12:00:00Z"),
      loops: false,
      reservations: { reservations: [] },
    });
    expect(scenario.objects.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    expect(scenario.steps.map(({ apply }) => apply.map(({ metadata }) => metadata.name))).toEqual([
      [],
      ["c", "b"],
    ]);
    expect(scenario.steps[1]).toMatchObject({
      duration: 12_000,
      remove: [{ kind: "Pod", namespace: "ml", name: "a" }],
    });
  });

  it("reads what a scenario may have besides", async () => {
    expect(await load(scenarioYaml())).toMatchObject({ providers: [], settingsFile: undefined, logs: {} });
    await mkdir(join(folder, "reservations", "aws"), { recursive: true });
    await mkdir(join(folder, "logs"));
    await writeFile(join(folder, "reservations", "aws", "b.json"), '{"b": 1}');
    await writeFile(join(folder, "reservations", "aws", "a.json"), '{"a": 1}');
    await writeFile(join(folder, "logs", "ml_trainer_main.log"), "CUDA out of memory\n");
    await writeFile(join(folder, "seamline.yaml"), "owners: []\n");
    expect(await load(scenarioYaml())).toMatchObject({
      providers: [{ name: "aws", documents: [{ a: 1 }, { b: 1 }] }],
      settingsFile: join(folder, "seamline.yaml"),
      logs: { "ml/trainer/main": "CUDA out of memory\n" },
    });
  });

  it.each([
    ["an unknown field", scenarioYaml(step(), undefined, "speed: 2\n"), /scenario\.yaml: .*speed/],
    ["a time that is none", scenarioYaml(step(), "noon"), /scenario\.yaml: now: /],
    ["no steps", scenarioYaml("  []"), /scenario\.yaml: steps: /],
    ["a step without text", scenarioYaml("- {title: One, after: 1s}"), /scenario\.yaml: steps\[0\]\.text: /],
    [
      "a duration in words",
      scenarioYaml(step().replace("12s", "soon")),
      /steps\[0\]\.after: expected seconds such as 12s/,
    ],
    [
      "a duration of nothing",
      scenarioYaml(step().replace("12s", "0s")),
      /steps\[0\]\.after: expected more than 0s/,
    ],
    ["a file that is not there", scenarioYaml(step(", apply: [steps/z.yaml]")), /cannot read .*z\.yaml/],
    ["broken YAML", "title: [", /scenario\.yaml: /],
    ["nothing", "", /scenario\.yaml: .*expected object/],
  ])("names file and place of %s", async (_what, yaml, message) => {
    await expect(load(yaml)).rejects.toThrow(message);
  });

  it("names file, line and field of an object that is none", async () => {
    await writeFile(join(folder, "objects", "pods.yaml"), `${pod("a")}---\nkind: Pod\n`);
    await expect(load(scenarioYaml())).rejects.toThrow(/pods\.yaml: line 5, apiVersion: expected/);
  });

  it("says which file is missing", async () => {
    await rm(join(folder, "reservations.yaml"));
    await expect(load(scenarioYaml())).rejects.toThrow(/reservations\.yaml: ENOENT/);
  });
});
