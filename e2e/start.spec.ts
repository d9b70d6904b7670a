import { once } from "node:events";
import { request } from "node:http";
import type { FleetView } from "../lib/model/fleet-view.ts";
import { node, pod, startCluster, TWO_SLOTS } from "./support/cluster.ts";
import { readView, type Seamline } from "./support/seamline.ts";
import { expect, test } from "./support/test.ts";

/** A bare request, with headers that fetch would not send. */
async function ask(
  seamline: Seamline,
  path: string,
  options: { method?: string; headers?: Record<string, string> },
) {
  const { hostname, port } = new URL(seamline.url);
  const sent = request({ hostname, port, path, ...options });
  sent.end();
  const [response] = await once(sent, "response");
  response.resume();
  return response;
}

test("a cluster that does not answer is shown as unreachable, never as the demo", async ({
  overview,
  start,
}) => {
  const cluster = await startCluster([]);
  const { kubeconfig, api } = cluster;
  await api.faults.down();
  const seamline = await start({ KUBECONFIG: kubeconfig });
  await overview.open(seamline.url);
  await expect(overview.page.getByRole("alert").filter({ hasText: api.url })).toBeVisible();
  await expect(overview.demoBanner).toHaveCount(0);
  await expect(overview.page.getByText(/\b0 GPUs\b/)).toHaveCount(0);
  const view = await readView<FleetView>(seamline);
  expect(view.totals.paid).toMatchObject({ gpus: null, certainty: "?" });
  expect((await fetch(`${seamline.url}/api/readyz`)).status).toBe(503);
  expect((await fetch(`${seamline.url}/api/healthz`)).status).toBe(200);
  await cluster.close();
});

test("a snapshot is read like a cluster, its odd documents named", async ({ overview, start }) => {
  const cluster = await startCluster([]);
  await cluster.write("reservations.json", TWO_SLOTS);
  await cluster.write(
    "nodes.json",
    JSON.stringify({ apiVersion: "v1", kind: "List", items: [node("a", 8)] }),
  );
  await cluster.write("pods.yaml", `---\n${JSON.stringify(pod("trainer", 4, "a"))}\n---\nkind: [broken\n`);
  const folder = cluster.kubeconfig.replace(/\/kubeconfig$/, "");
  const seamline = await start({ SEAMLINE_SNAPSHOT: folder });
  await overview.open(seamline.url);
  await expect(overview.paid).toContainText("16 GPUs");
  await expect(overview.page.getByText(/pods\.yaml/).first()).toBeVisible();
  const { totals } = await readView<FleetView>(seamline);
  expect(totals.working.gpus).toBe(4);
  await cluster.close();
});

test("without any cluster configured it is the demo", async ({ start, overview }) => {
  const seamline = await start({});
  await overview.open(seamline.url);
  await expect(overview.demoBanner).toContainText("not your cluster");
  expect(seamline.output()).toContain("demo");
});

test("an address other than loopback is refused with an explanation", async ({ start }) => {
  await expect(start({ SEAMLINE_DEMO: "fleet", HOST: "0.0.0.0" })).rejects.toThrow(
    /SEAMLINE_ALLOW_UNAUTHENTICATED/,
  );
});

test("a port in use is said", async ({ start, fleet }) => {
  const { port } = new URL(fleet.url);
  await expect(start({ SEAMLINE_DEMO: "fleet", PORT: port })).rejects.toThrow(new RegExp(`${port}.*in use`));
});

test("an unknown demo names the known ones", async ({ start }) => {
  await expect(start({ SEAMLINE_DEMO: "nope" })).rejects.toThrow(/fleet.*layers|layers.*fleet/);
});

test("only its own pages may ask, and only to read", async ({ fleet }) => {
  const status = async (path: string, options: Parameters<typeof ask>[2] = {}) =>
    (await ask(fleet, path, options)).statusCode;
  expect(await status("/api/view")).toBe(200);
  expect(await status("/api/view", { headers: { host: "evil.example" } })).toBeGreaterThanOrEqual(400);
  expect(await status("/", { headers: { host: "evil.example" } })).toBeGreaterThanOrEqual(400);
  expect(await status("/api/view", { headers: { origin: "http://evil.example" } })).toBeGreaterThanOrEqual(
    400,
  );
  expect(await status("/api/view", { headers: { "sec-fetch-site": "cross-site" } })).toBeGreaterThanOrEqual(
    400,
  );
  expect(await status("/api/view", { method: "POST" })).toBeGreaterThanOrEqual(400);
  expect(await status("/api/view", { method: "DELETE" })).toBeGreaterThanOrEqual(400);
  expect(await status("/", { method: "POST", headers: { "next-action": "x" } })).toBeGreaterThanOrEqual(400);
  expect(await status("/api/nodes/no-such-node")).toBe(404);
});

test("every answer carries the headers that keep a browser safe", async ({ fleet }) => {
  const { headers } = await ask(fleet, "/", {});
  const policy = headers["content-security-policy"] ?? "";
  expect(policy).toMatch(/script-src [^;]*'nonce-[^']+'/);
  expect(policy).not.toMatch(/script-src [^;]*'unsafe-inline'/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["referrer-policy"]).toBe("no-referrer");
  expect(headers["access-control-allow-origin"]).toBeUndefined();
});

test("it ends when told to, with a stream open", async ({ start }) => {
  const seamline = await start({ SEAMLINE_DEMO: "layers" });
  const stream = await fetch(`${seamline.url}/api/stream`);
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  const reader = stream.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(first).toContain("event:");
  expect(await seamline.stop()).toBe(0);
});
