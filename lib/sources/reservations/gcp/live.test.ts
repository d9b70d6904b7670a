import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NOW } from "../../../testing/builders.ts";
import { type GcpProject, gcpError, gcpReply, startGcpEndpoint } from "../../../testing/gcp-endpoint.ts";
import type { JsonEndpoint, JsonReply } from "../../../testing/json-endpoint.ts";
import { createManualClock, type ManualClock } from "../../../testing/manual-clock.ts";
import { nextChange } from "../../../testing/next-change.ts";
import { parseReservations } from "../parse-reservations.ts";
import type { ReservationSource } from "../reservation-source.ts";
import { createGcpSources, gcpLiveConfig } from "./live.ts";

const sample = (name: string): readonly unknown[] =>
  JSON.parse(readFileSync(new URL(`./samples/gcp-${name}.json`, import.meta.url), "utf8"));

const PROJECT: GcpProject = {
  reservations: sample("reservations-list"),
  futureReservations: sample("future-reservations-list"),
  blocks: sample("reservation-blocks-list"),
  subBlocks: sample("reservation-sub-blocks-list"),
  instances: sample("instances-list"),
};

let endpoint: JsonEndpoint;
let folder: string;
let clock: ManualClock;
const running: ReservationSource[] = [];

/** Credentials as workload identity federation has them, whose tokens come from the endpoint. */
beforeEach(async () => {
  endpoint = await startGcpEndpoint({ "demo-ml-prod": PROJECT });
  clock = createManualClock(NOW);
  folder = await mkdtemp(join(tmpdir(), "seamline-"));
  const file = join(folder, "subject");
  await writeFile(file, "subject");
  const credentials = {
    type: "external_account",
    audience:
      "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `${endpoint.url}/token`,
    credential_source: { file },
  };
  await writeFile(join(folder, "credentials.json"), JSON.stringify(credentials));
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", join(folder, "credentials.json"));
  vi.stubEnv("GOOGLE_CLOUD_PROJECT", "demo-ml-prod");
});

afterEach(async () => {
  for (const source of running.splice(0)) source.stop();
  await endpoint.close();
  await rm(folder, { recursive: true });
  vi.unstubAllEnvs();
});

async function start(...projects: string[]): Promise<ReservationSource[]> {
  const sources = createGcpSources(
    { provider: "gcp", projects, endpoint: endpoint.url },
    { clock, random: () => 0.5 },
  );
  running.push(...sources);
  await Promise.all(sources.map((source) => source.start()));
  return sources;
}

async function startOne(): Promise<ReservationSource> {
  const [source] = await start("demo-ml-prod");
  if (!source) throw new Error("no source");
  return source;
}

/** Answers `reply` where the path ends with `end`. */
function replyFor(end: string, reply: JsonReply): void {
  const others = gcpReply({ "demo-ml-prod": PROJECT });
  endpoint.reply = (request) => (request.path.endsWith(end) ? reply : others(request));
}

const asked = () => endpoint.requests.map(({ path }) => path.replace(/^\/compute\/v1\/projects\//, ""));

describe("createGcpSources", () => {
  it.each([500, 1])("reads the same from the API as from files (pages of %d)", async (pageSize) => {
    endpoint.reply = gcpReply({ "demo-ml-prod": PROJECT }, pageSize);
    const source = await startOne();
    const sourceId = "reservations/gcp/demo-ml-prod";
    const lists = [
      PROJECT.reservations,
      PROJECT.futureReservations,
      PROJECT.instances,
      PROJECT.blocks,
      PROJECT.subBlocks,
    ];
    const files = lists.map((list) => parseReservations(list, { sourceId }));
    const { status, reservations, supplements, issues } = source.read();
    expect(status).toMatchObject({ id: sourceId, state: "live", asOf: NOW, error: undefined });
    expect(reservations.items).toHaveLength(12);
    expect(reservations.items).toEqual(files.flatMap((file) => file.reservations));
    expect(supplements).toEqual(files.flatMap((file) => file.supplements ?? []));
    expect(issues).toEqual(files.flatMap((file) => file.issues));
  });

  it("asks for hosts only where something is degraded, and for nothing further where nothing is reserved", async () => {
    await startOne();
    expect(asked().filter((path) => path.includes("reservationBlocks"))).toEqual([
      "demo-ml-prod/zones/us-central1-a/reservations/b200-dense/reservationBlocks",
      "demo-ml-prod/zones/us-central1-a/reservations/b200-dense/reservationBlocks/b200-dense-block-0002/reservationSubBlocks",
    ]);
    const before = endpoint.requests.length;
    endpoint.reply = gcpReply({ "demo-ml-prod": {} });
    const source = await startOne();
    expect(source.read()).toMatchObject({
      status: { state: "live" },
      reservations: { known: true, items: [] },
    });
    const lists = asked()
      .slice(before)
      .filter((path) => path !== "/token");
    expect(lists).toEqual([
      "demo-ml-prod/aggregated/reservations",
      "demo-ml-prod/aggregated/futureReservations",
    ]);
  });

  it("names zones that did not answer", async () => {
    endpoint.reply = gcpReply({ "demo-ml-prod": { ...PROJECT, unreachable: ["zones/us-east5-b"] } });
    const source = await startOne();
    expect(source.read().issues).toContainEqual(
      expect.objectContaining({
        code: "ReservationsUnreachable",
        message: expect.stringContaining("us-east5-b"),
      }),
    );
  });

  it.each([
    ["/futureReservations", "compute.futureReservations.list", 6],
    ["/instances", "compute.instances.list", 12],
    ["/reservationBlocks", "compute.reservationBlocks.list", 12],
    ["/reservationSubBlocks", "compute.reservationSubBlocks.list", 12],
  ])("goes on without %s where it is forbidden, and names the permission", async (end, permission, count) => {
    replyFor(end, gcpError(403, `Required '${permission}' permission`, "forbidden"));
    const { status, reservations, issues } = (await startOne()).read();
    expect(status).toMatchObject({ state: "live", error: undefined });
    expect(reservations.items).toHaveLength(count);
    const missing = issues.filter(({ code }) => code === "ReservationPermissionMissing");
    expect(missing).toMatchObject([{ severity: "warning", message: expect.stringContaining(permission) }]);
  });

  it.each<[string, JsonReply, string, string, RegExp]>([
    [
      "forbidden",
      gcpError(403, "Required 'compute.reservations.list' permission"),
      "forbidden",
      "forbidden",
      /roles\/compute\.viewer/,
    ],
    [
      "expired",
      gcpError(401, "Request had invalid authentication credentials."),
      "unreachable",
      "unauthorized",
      /gcloud auth application-default login/,
    ],
    ["too many requests", gcpError(429, "Too many"), "unreachable", "rate-limited", /more slowly/],
    [
      "too many requests, told as a refusal",
      gcpError(403, "Rate Limit Exceeded", "rateLimitExceeded"),
      "unreachable",
      "rate-limited",
      /more slowly/,
    ],
    [
      "no such project",
      gcpError(404, "The resource 'projects/x' was not found"),
      "unreachable",
      "absent",
      /project id/,
    ],
    ["broken", gcpError(503, "backend error"), "unreachable", "unreachable", /tried again/],
    ["hung up", "hang up", "unreachable", "unreachable", /tried again/],
  ])("%s: says so once, and what to do", async (_, reply, state, code, hint) => {
    replyFor("/aggregated/reservations", reply);
    const { status, reservations } = (await startOne()).read();
    expect(status).toMatchObject({ state, error: { code, hint: expect.stringMatching(hint) } });
    expect(status.error?.message).toContain("compute.reservations.list in demo-ml-prod");
    expect(reservations).toEqual({ known: false, items: [] });
    // The SDK does not repeat what the source repeats by itself.
    expect(asked().filter((path) => path.endsWith("/aggregated/reservations"))).toHaveLength(1);
  });

  it("keeps its last answer while it fails, and recovers", async () => {
    const source = await startOne();
    replyFor("/aggregated/reservations", gcpError(503, "down"));
    await nextChange(source, clock, 70_000);
    expect(source.read()).toMatchObject({
      status: { state: "stale", asOf: NOW },
      reservations: { known: true },
    });
    expect(source.read().reservations.items).toHaveLength(12);
    endpoint.reply = gcpReply({ "demo-ml-prod": PROJECT });
    await nextChange(source, clock, 10_000);
    expect(source.read().status).toMatchObject({ state: "live", error: undefined });
  });

  it("one project that is down takes no other with it", async () => {
    const others = gcpReply({ "demo-ml-prod": PROJECT });
    endpoint.reply = (request) =>
      request.path.includes("/projects/demo-ml-down/") ? "hang up" : others(request);
    const sources = await start("demo-ml-prod", "demo-ml-down", "demo-ml-prod");
    expect(sources.map((source) => source.read().status)).toMatchObject([
      { id: "reservations/gcp/demo-ml-prod", state: "live" },
      { id: "reservations/gcp/demo-ml-down", state: "unreachable" },
    ]);
  });

  it("without credentials says so, finds them when they are there, and never ends the process", async () => {
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", join(folder, "none.json"));
    const source = await startOne();
    expect(source.read().status).toMatchObject({ state: "unreachable", error: { code: "unauthorized" } });
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", join(folder, "credentials.json"));
    await nextChange(source, clock, 70_000);
    expect(source.read().status).toMatchObject({ state: "live" });
  });

  it("says so where Google gives no token any more", async () => {
    replyFor("/token", { status: 400, body: { error: "invalid_grant", error_description: "expired" } });
    const source = await startOne();
    expect(source.read().status).toMatchObject({
      error: { code: "unauthorized", hint: expect.stringContaining("application-default login") },
    });
    expect(asked()).toEqual(["/token"]);
  });
});

describe("gcpLiveConfig", () => {
  it.each([
    [{ provider: "gcp", projects: ["ml-prod-1", "example.com:ml-prod"] }, true],
    [{ provider: "gcp", projects: [] }, false],
    [{ provider: "gcp", projects: ["Not A Project"] }, false],
    [{ provider: "gcp", projects: ["ml-prod-1"], zone: "x" }, false],
    [{ provider: "aws", projects: ["ml-prod-1"] }, false],
  ])("%j: %s", (config, good) => {
    expect(gcpLiveConfig.safeParse(config).success).toBe(good);
  });
});
