import { join } from "node:path";
import { expect, test } from "./support/test.ts";

const cases = join(import.meta.dirname, "../lib/testing/cases");

test("an object that has no pod yet is listed, opens, and has an address", async ({ overview, start }) => {
  const { url } = await start({ SEAMLINE_SNAPSHOT: join(cases, "062-kueue-flavor-assignment-per-podset") });
  await overview.open(url);
  const row = overview.stuckPod("llm/pytorchjob-llm-sft-b-63fe3");
  await expect(row).toContainText("L3QueueRequestTooLarge");
  await row.getByRole("link").click();
  await expect(overview.drawer).toContainText("Workload pytorchjob-llm-sft-b-63fe3 is stuck");
  await expect(overview.layerStep("L3")).toContainText("16 GPUs");
  await expect(overview.layerStep("L4")).toContainText("there is no pod yet");
  expect(new URL(overview.page.url()).searchParams.get("stuck")).toBe(
    "Workload/llm/pytorchjob-llm-sft-b-63fe3",
  );
  await overview.page.reload();
  await expect(overview.drawer).toContainText("QueueRequestTooLarge");
});

test("a gang is one row, with how many of it have a place", async ({ overview, start }) => {
  const snapshot = join(cases, "046-volcano-gang-marks-schedulable-no-scaleup");
  const { url } = await start({ SEAMLINE_SNAPSHOT: snapshot });
  await overview.open(url);
  const row = overview.stuckPod("nlp/bert-large");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("3 pods · 0 of 3 placed");
  await row.getByRole("link").click();
  await expect(overview.drawer).toContainText("3 pods in all");
  await overview.drawer.getByRole("link", { name: "nlp/bert-large-worker-2" }).click();
  await expect(overview.drawer).toContainText("bert-large-worker-2 is stuck");
  await expect(overview.drawer).toContainText("GangIncomplete");
});

test("the list can be narrowed to a layer, an owner, a namespace and words", async ({ overview, fleet }) => {
  await overview.open(fleet.url);
  const rows = overview.stuck.getByRole("row");
  const all = await rows.count();
  await overview.stuck.getByRole("combobox", { name: "Whose move" }).selectOption("platform team");
  await expect(overview.stuck).toContainText(/\d+ of \d+ pods \(platform team\)/);
  const owned = await rows.count();
  expect(owned).toBeLessThan(all);
  await overview.stuck.getByRole("combobox", { name: "Namespace" }).selectOption("speech");
  expect(await rows.count()).toBeLessThanOrEqual(owned);
  await overview.stuck.getByRole("searchbox").fill("no such thing");
  await expect(overview.stuck).toContainText("None matches the filter.");
});

test("a pod's logs are read only when they are asked for, and sharpen the verdict", async ({
  overview,
  start,
  page,
}) => {
  const { url } = await start({ SEAMLINE_SNAPSHOT: join(cases, "070-tgi-cuda-oom-single-shard") });
  const pod = "genai/tgi-mixtral-bench-pwgmj";
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("logs=true")) asked.push(request.url());
  });
  await overview.open(url, `?pod=${pod}`);
  await expect(overview.drawer).toContainText("CrashLoop");
  expect(asked).toEqual([]);
  await overview.drawer.getByRole("button", { name: "Read logs" }).click();
  await expect(overview.drawer).toContainText("CudaOutOfMemory");
  await expect(overview.drawer.locator("pre")).toContainText("CUDA out of memory");
});

test("GET /api/diagnosis gives the verdict on one object", async ({ start, request }) => {
  const { url } = await start({ SEAMLINE_SNAPSHOT: join(cases, "070-tgi-cuda-oom-single-shard") });
  const of = (query: string) => request.get(`${url}/api/diagnosis?${query}`);
  await expect
    .poll(async () => (await of("namespace=genai&name=tgi-mixtral-bench-pwgmj")).status())
    .toBe(200);
  const plain = await (await of("namespace=genai&name=tgi-mixtral-bench-pwgmj")).json();
  expect(plain).toMatchObject({ kind: "Pod", layer: "L4", reason: "CrashLoop", logs: null });
  const informed = await (await of("namespace=genai&name=tgi-mixtral-bench-pwgmj&logs=true")).json();
  expect(informed).toMatchObject({ layer: "L4", reason: "CudaOutOfMemory", certainty: "high" });
  expect((await of("namespace=genai&name=nothing")).status()).toBe(404);
  expect(await (await of("namespace=genai")).json()).toEqual({ error: expect.stringContaining("name") });
});
