import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { node, root } from "./prepare.mjs";

const NODE = `
apiVersion: v1
kind: Node
metadata: {name: gpu-1}
status:
  capacity: {cpu: "64", memory: 512Gi, pods: "110", nvidia.com/gpu: "8"}
  allocatable: {cpu: "64", memory: 512Gi, pods: "110", nvidia.com/gpu: "8"}
  conditions: [{type: Ready, status: "True"}]
---`;

const pod = (name: string, gpus: number, rest = "") => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: ml, uid: u-${name}, creationTimestamp: "2026-12-01T10:00:00Z"}
spec:
  containers: [{name: main, image: x, resources: {requests: {nvidia.com/gpu: "${gpus}"}, limits: {nvidia.com/gpu: "${gpus}"}}}]
  ${rest}
---`;
const CRASHING = `nodeName: gpu-1
status:
  phase: Running
  containerStatuses:
    - {name: main, ready: false, restartCount: 7, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, reason: Error, finishedAt: "2026-12-01T11:58:00Z"}}}`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "seamline-"));
  const file = join(folder, "objects.yaml");
  writeFileSync(file, [NODE, pod("holder", 8, CRASHING), pod("waits", 1), pod("too-big", 9)].join("\n"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function run(...args: string[]) {
  const { NODE_ENV, PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(node, ["lib/cli/diagnose.ts", ...args], {
    cwd: root,
    encoding: "utf8",
    env: { NODE_ENV, PATH, HOME: folder },
  });
  const lines = stdout.split("\n").filter(Boolean);
  return { status, stdout, stderr, lines };
}

const at = ["--now", "2026-12-01T12:00:00Z"];
const records = (lines: string[]) => lines.map((line) => JSON.parse(line));
const reasons = (lines: string[]) => records(lines).map(({ name, reason }) => [name, reason]);

describe("npm run diagnose", () => {
  it("prints one JSON object a line for everything that is stuck, most GPUs first", () => {
    const { status, lines, stderr } = run(folder, ...at);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(reasons(lines)).toEqual([
      ["too-big", "RequestNeverFits"],
      ["holder", "CrashLoop"],
      ["waits", "GpusBusy"],
    ]);
    expect(records(lines)[2]).toMatchObject({
      case: folder.split("/").at(-1),
      kind: "Pod",
      namespace: "ml",
      layer: "L3",
      certainty: expect.any(String),
      owner: expect.any(String),
      sentence: expect.stringContaining("waits needs 1 GPU"),
      evidence: expect.any(Array),
      ladder: { L3: { state: "broken" } },
      next: expect.any(Array),
    });
  });

  it("puts the subject of a case first, at the case's moment, and does not read what is expected", () => {
    const subject = "subject: {kind: Pod, namespace: ml, name: waits}";
    const expected = "expect: {layer: L1, reason: Nonsense}";
    writeFileSync(join(folder, "case.yaml"), `now: "2026-12-01T12:00:00Z"\n${subject}\n${expected}\n`);
    expect(reasons(run(folder).lines)[0]).toEqual(["waits", "GpusBusy"]);
  });

  it("says of a subject that is not stuck that it is not", () => {
    const subject = "subject: {kind: Pod, namespace: ml, name: gone}";
    writeFileSync(join(folder, "case.yaml"), `now: "2026-12-01T12:00:00Z"\n${subject}\n`);
    expect(records(run(folder).lines)[0]).toMatchObject({ name: "gone", layer: null, reason: null });
  });

  it("looks at the logs beside a snapshot", () => {
    mkdirSync(join(folder, "logs"));
    const line = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.";
    writeFileSync(join(folder, "logs/ml_holder_main.log"), `${line}\n`);
    expect(reasons(run(folder, ...at, "--pod", "ml/holder").lines)).toEqual([["holder", "CudaOutOfMemory"]]);
  });

  it("prints text for people when asked to", () => {
    const { stdout } = run(folder, ...at, "--text", "--pod", "ml/waits");
    expect(stdout).toMatch(/^L3 GpusBusy {2}Pod ml\/waits {2}\(1 GPU/);
    expect(stdout).toContain("whose move: ");
  });

  it("looks at what can be read, tells what cannot, and goes on", () => {
    writeFileSync(join(folder, "broken.yaml"), "kind: [Pod\n");
    writeFileSync(join(folder, "reservations.json"), '{"servers": []}');
    const { status, lines, stderr } = run("no/such/folder", folder, ...at);
    expect(status).toBe(1);
    expect(reasons(lines)).toContainEqual(["waits", "GpusBusy"]);
    for (const problem of [/cannot read no\/such\/folder/, /broken\.yaml/, /reservations\.json/]) {
      expect(stderr).toMatch(problem);
    }
  });

  it.each<[string, string[], RegExp]>([
    ["a path that is not there", ["no/such/folder"], /cannot read no\/such\/folder/],
    ["a pod without its namespace", [".", "--pod", "x"], /--pod: expected NAMESPACE\/NAME, got "x"/],
    ["a moment that is none", [".", "--now", "noon"], /--now: expected a time/],
    ["no cluster at all", [], /No cluster is configured/],
    ["an option that is none", ["--nope"], /--nope/],
  ])("ends with 1 and a message for %s", (_, args, message) => {
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(message);
  });
});
