import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type AzureResource,
  armError,
  azureReply,
  startAzureEndpoint,
  WITHOUT_TLS,
} from "../../../testing/azure-endpoint.ts";
import { NOW } from "../../../testing/builders.ts";
import type { JsonEndpoint, JsonReply } from "../../../testing/json-endpoint.ts";
import { createManualClock, type ManualClock } from "../../../testing/manual-clock.ts";
import { nextChange } from "../../../testing/next-change.ts";
import { parseReservations } from "../parse-reservations.ts";
import type { ReservationSource } from "../reservation-source.ts";
import { azureLiveConfig, createAzureSources } from "./live.ts";

const sample = (name: string): { readonly value: readonly AzureResource[] } =>
  JSON.parse(readFileSync(new URL(`./samples/azure-${name}.json`, import.meta.url), "utf8"));

const SUBSCRIPTION = "00000000-0000-4000-8000-0000000000aa";
const GROUPS = sample("capacity-reservation-groups-rest").value;
const RESERVATIONS = sample("capacity-reservations-rest").value;
const DATA = { groups: GROUPS, reservations: RESERVATIONS };

const credential = {
  getToken: async () => ({ token: "not-a-secret", expiresOnTimestamp: Number.MAX_SAFE_INTEGER }),
};

let endpoint: JsonEndpoint;
let clock: ManualClock;
const running: ReservationSource[] = [];

beforeEach(async () => {
  endpoint = await startAzureEndpoint(DATA);
  clock = createManualClock(NOW);
});

afterEach(async () => {
  for (const source of running.splice(0)) source.stop();
  await endpoint.close();
  vi.unstubAllEnvs();
});

async function start(subscriptions: string[], using = credential): Promise<ReservationSource[]> {
  const sources = createAzureSources(
    { provider: "azure", subscriptions, endpoint: endpoint.url.replace("http:", "https:") },
    {
      clock,
      random: () => 0.5,
      credential: using,
      clientOptions: { additionalPolicies: [WITHOUT_TLS] },
    },
  );
  running.push(...sources);
  await Promise.all(sources.map((source) => source.start()));
  return sources;
}

async function startOne(): Promise<ReservationSource> {
  const [source] = await start([SUBSCRIPTION]);
  if (!source) throw new Error("no source");
  return source;
}

/** Answers `reply` where the path ends with `end`. */
function replyFor(end: string, reply: JsonReply): void {
  const others = azureReply(endpoint.url, DATA);
  endpoint.reply = (request) => (request.path.toLowerCase().endsWith(end) ? reply : others(request));
}

const names = (source: ReservationSource | undefined) =>
  source
    ?.read()
    .reservations.items.map(({ name }) => name)
    .sort();

describe("createAzureSources", () => {
  it.each([100, 1])("reads the same from the API as from files (pages of %d)", async (pageSize) => {
    endpoint.reply = azureReply(endpoint.url, DATA, pageSize);
    const source = await startOne();
    const sourceId = `reservations/azure/${SUBSCRIPTION}`;
    const file = parseReservations({ value: RESERVATIONS }, { sourceId });
    const { status, reservations, supplements, issues } = source.read();
    expect(status).toMatchObject({ id: sourceId, state: "live", asOf: NOW, error: undefined });
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect([...reservations.items].sort(byId)).toEqual([...file.reservations].sort(byId));
    expect(issues).toEqual([]);
    expect(supplements?.find(({ id }) => id.endsWith("cr-open-a10"))).toMatchObject({ matching: "open" });
    expect(endpoint.requests.every(({ authorization }) => authorization === "Bearer not-a-secret")).toBe(
      true,
    );
  });

  it("reads nothing further where nothing is reserved", async () => {
    endpoint.reply = azureReply(endpoint.url, { groups: [], reservations: [] });
    const source = await startOne();
    expect(source.read()).toMatchObject({
      status: { state: "live" },
      reservations: { known: true, items: [] },
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  it("goes on without a group that it may not read, and names the action", async () => {
    const group = "/capacityreservationgroups/crg-t4";
    replyFor(
      `${group}/capacityreservations`,
      armError(403, "AuthorizationFailed", "does not have authorization"),
    );
    const source = await startOne();
    expect(names(source)).toEqual(["cr-fail", "cr-future", "cr-h100-block", "cr-nc96-z1", "cr-open-a10"]);
    expect(source.read()).toMatchObject({
      status: { state: "live" },
      issues: [
        {
          code: "ReservationPermissionMissing",
          message: expect.stringMatching(/capacityReservations\/read.*crg-t4/),
        },
      ],
    });
  });

  it("without instance views does not know what is used", async () => {
    replyFor("/capacityreservationgroups/crg-t4", armError(403, "AuthorizationFailed", "no"));
    const source = await startOne();
    const t4 = source.read().reservations.items.find(({ name }) => name === "cr-t4");
    expect(t4).toMatchObject({ count: 4, used: undefined, machines: [] });
    expect(source.read().issues.map(({ code }) => code)).toEqual([
      "ReservationPermissionMissing",
      "InstanceViewMissing",
    ]);
  });

  it.each<[string, JsonReply, string, string, RegExp]>([
    ["forbidden", armError(403, "AuthorizationFailed", "no"), "forbidden", "forbidden", /Reader/],
    [
      "expired",
      armError(401, "ExpiredAuthenticationToken", "The access token has expired"),
      "unreachable",
      "unauthorized",
      /az login/,
    ],
    [
      "too many requests",
      armError(429, "TooManyRequests", "slow down", { "retry-after": "600" }),
      "unreachable",
      "rate-limited",
      /more slowly/,
    ],
    [
      "no such subscription",
      armError(404, "SubscriptionNotFound", "not found"),
      "unreachable",
      "absent",
      /subscription's id/,
    ],
    ["broken", armError(503, "ServerTimeout", "later"), "unreachable", "unreachable", /tried again/],
    ["hung up", "hang up", "unreachable", "unreachable", /tried again/],
  ])("%s: says so once, and what to do", async (_, reply, state, code, hint) => {
    endpoint.reply = () => reply;
    const { status, reservations } = (await startOne()).read();
    expect(status).toMatchObject({ state, error: { code, hint: expect.stringMatching(hint) } });
    expect(status.error?.message).toContain(`capacityReservationGroups/read in subscription ${SUBSCRIPTION}`);
    expect(reservations).toEqual({ known: false, items: [] });
    expect(endpoint.requests).toHaveLength(1);
  });

  it("waits as long as Azure asks, keeps its last answer, and recovers", async () => {
    const source = await startOne();
    endpoint.reply = () => armError(429, "TooManyRequests", "slow down", { "retry-after": "600" });
    await nextChange(source, clock, 60_000);
    const asked = endpoint.requests.length;
    expect(source.read()).toMatchObject({
      status: { state: "stale", asOf: NOW, error: { code: "rate-limited" } },
    });
    expect(names(source)).toHaveLength(6);
    endpoint.reply = azureReply(endpoint.url, DATA);
    clock.advance(599_000);
    expect(endpoint.requests).toHaveLength(asked);
    await nextChange(source, clock, 61_000);
    expect(source.read().status).toMatchObject({ state: "live", error: undefined });
  });

  it("one subscription that is down takes no other with it, and one written twice is read once", async () => {
    const down = SUBSCRIPTION.replace("aa", "bb");
    const others = azureReply(endpoint.url, DATA);
    endpoint.reply = (request) => (request.path.includes(down) ? "hang up" : others(request));
    const sources = await start([SUBSCRIPTION, down, SUBSCRIPTION.toUpperCase()]);
    expect(sources.map((source) => source.read().status)).toMatchObject([
      { state: "live" },
      { state: "unreachable" },
    ]);
  });

  it("says so where there are no credentials", async () => {
    const getToken = async (): Promise<never> => {
      throw Object.assign(new Error("no token"), { name: "CredentialUnavailableError" });
    };
    const [source] = await start([SUBSCRIPTION], { getToken });
    expect(source?.read().status).toMatchObject({
      error: { code: "unauthorized", hint: expect.stringContaining("az login") },
    });
    expect(endpoint.requests).toEqual([]);
  });
});

describe("the default credentials", () => {
  it("are looked for by the SDK, and missed with a hint", async () => {
    vi.stubEnv("AZURE_TOKEN_CREDENTIALS", "EnvironmentCredential");
    for (const name of ["AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_SECRET"])
      vi.stubEnv(name, undefined);
    const [source] = createAzureSources(
      { provider: "azure", subscriptions: [SUBSCRIPTION] },
      { clock, random: () => 0.5 },
    );
    await source?.start();
    source?.stop();
    expect(source?.read().status).toMatchObject({
      state: "unreachable",
      error: { code: "unauthorized", hint: expect.stringContaining("az login") },
    });
  });
});

describe("azureLiveConfig", () => {
  it.each([
    [{ provider: "azure", subscriptions: [SUBSCRIPTION] }, true],
    [{ provider: "azure", subscriptions: [] }, false],
    [{ provider: "azure", subscriptions: ["my subscription"] }, false],
    [{ provider: "azure", subscriptions: [SUBSCRIPTION], tenant: "x" }, false],
  ])("%j: %s", (config, good) => {
    expect(azureLiveConfig.safeParse(config).success).toBe(good);
  });
});
