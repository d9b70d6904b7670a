import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type AwsEndpoint,
  type Ec2Reply,
  type Ec2Request,
  startAwsEndpoint,
} from "../../../testing/aws-endpoint.ts";
import { NOW } from "../../../testing/builders.ts";
import { createManualClock } from "../../../testing/manual-clock.ts";
import { nextChange } from "../../../testing/next-change.ts";
import { parseReservations } from "../parse-reservations.ts";
import type { ReservationSource } from "../reservation-source.ts";
import { awsLiveConfig, createAwsSources } from "./live.ts";

type Document = Readonly<Record<string, unknown>>;

const sample = (name: string): Document =>
  JSON.parse(readFileSync(new URL(`./samples/aws-${name}.json`, import.meta.url), "utf8"));

const DOCUMENTS: Readonly<Record<string, Document>> = {
  DescribeCapacityReservations: sample("describe-capacity-reservations"),
  DescribeCapacityBlockStatus: sample("describe-capacity-block-status"),
  DescribeCapacityBlockExtensionHistory: sample("describe-capacity-block-extension-history"),
  DescribeInstances: sample("describe-instances"),
};

const fromSamples =
  (pageSize = 1_000) =>
  ({ action }: Ec2Request): Ec2Reply => {
    const document = DOCUMENTS[action];
    return document ? { document, pageSize } : { status: 400, code: "InvalidAction" };
  };

let endpoint: AwsEndpoint;
const clock = createManualClock(NOW);
const running: ReservationSource[] = [];

beforeEach(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-a-secret");
  vi.stubEnv("AWS_CONFIG_FILE", "/nonexistent");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  endpoint = await startAwsEndpoint(fromSamples());
});

afterEach(async () => {
  for (const source of running.splice(0)) source.stop();
  await endpoint.close();
  vi.unstubAllEnvs();
});

function createSources(regions = ["us-east-2"]): ReservationSource[] {
  const sources = createAwsSources(
    { provider: "aws", regions, endpoint: endpoint.url },
    { clock, random: () => 0.5 },
  );
  running.push(...sources);
  return sources;
}

async function startOne(): Promise<ReservationSource> {
  const [source] = createSources();
  if (!source) throw new Error("no source");
  await source.start();
  return source;
}

const idsAskedFor = ({ params }: Ec2Request) =>
  [...params].filter(([key]) => key.startsWith("Filter.1.Value.")).map(([, id]) => id);
const actions = () => endpoint.requests.map(({ action }) => action);
const replyFor = (action: string, reply: Ec2Reply) => {
  const others = fromSamples();
  endpoint.reply = (request) => (request.action === action ? reply : others(request));
};

describe("createAwsSources", () => {
  it.each([1_000, 1])("reads the same from the API as from files (pages of %d)", async (pageSize) => {
    endpoint.reply = fromSamples(pageSize);
    const source = await startOne();
    const sourceId = "reservations/aws/us-east-2";
    const files = Object.values(DOCUMENTS).map((document) => parseReservations(document, { sourceId }));
    const { status, reservations, supplements, issues } = source.read();
    expect(status).toMatchObject({ id: sourceId, state: "live", asOf: NOW, error: undefined });
    expect(reservations.items).toHaveLength(13);
    expect(reservations.items).toEqual(files.flatMap((file) => file.reservations));
    expect(supplements).toEqual(files.flatMap((file) => file.supplements ?? []));
    expect(issues).toEqual(files.flatMap((file) => file.issues));
  });

  it("asks for running instances of the active reservations alone", async () => {
    await startOne();
    const [request] = endpoint.requests.filter(({ action }) => action === "DescribeInstances");
    const { params } = request ?? {};
    expect(params?.get("Filter.1.Name")).toBe("capacity-reservation-id");
    expect(request && idsAskedFor(request)).toEqual(
      ["a1", "a2", "a6", "a9", "b0", "b1"].map((end) => `cr-0a11f00d0000000${end}`),
    );
    expect(params?.get("Filter.2.Name")).toBe("instance-state-name");
  });

  it("makes none of the further calls where there is nothing to ask", async () => {
    endpoint.reply = () => ({ document: { CapacityReservations: [] } });
    const source = await startOne();
    expect(source.read()).toMatchObject({
      status: { state: "live" },
      reservations: { known: true, items: [] },
    });
    expect(actions()).toEqual(["DescribeCapacityReservations"]);
  });

  it("reads the instances of more reservations than one filter takes", async () => {
    const one = {
      CapacityReservationId: "cr-1",
      InstanceType: "p5.48xlarge",
      State: "active",
      TotalInstanceCount: 1,
      AvailableInstanceCount: 0,
    };
    const many = Array.from({ length: 201 }, (_, index) => ({
      ...one,
      CapacityReservationId: `cr-${index}`,
    }));
    endpoint.reply = ({ action }) =>
      action === "DescribeInstances"
        ? { document: { Reservations: [] } }
        : { document: { CapacityReservations: many } };
    const source = await startOne();
    expect(source.read().reservations.items).toHaveLength(201);
    const asked = endpoint.requests.filter(({ action }) => action === "DescribeInstances").map(idsAskedFor);
    expect(asked.map(({ length }) => length)).toEqual([200, 1]);
    expect(new Set(asked.flat()).size).toBe(201);
  });

  it.each([
    ["DescribeCapacityBlockStatus", "ec2:DescribeCapacityBlockStatus"],
    ["DescribeCapacityBlockExtensionHistory", "ec2:DescribeCapacityBlockExtensionHistory"],
    ["DescribeInstances", "ec2:DescribeInstances"],
  ])("stays right without %s and names the permission", async (action, permission) => {
    replyFor(action, { status: 403, code: "UnauthorizedOperation", message: "You are not authorized" });
    const source = await startOne();
    const { status, reservations, supplements, issues } = source.read();
    expect(status.state).toBe("live");
    expect(reservations.items).toHaveLength(13);
    expect(supplements?.length).toBeGreaterThan(0);
    const missing = issues.filter(({ code }) => code === "ReservationPermissionMissing");
    expect(missing).toEqual([expect.objectContaining({ message: expect.stringContaining(permission) })]);
  });

  it.each<[string, Ec2Reply, { code: string; state: string; hint: RegExp }]>([
    [
      "no permission",
      { status: 403, code: "UnauthorizedOperation" },
      { code: "forbidden", state: "forbidden", hint: /ec2:DescribeCapacityReservations/ },
    ],
    [
      "expired credentials",
      { status: 400, code: "RequestExpired" },
      { code: "unauthorized", state: "unreachable", hint: /credentials/ },
    ],
    [
      "an expired token",
      { status: 400, code: "ExpiredToken" },
      { code: "unauthorized", state: "unreachable", hint: /credentials/ },
    ],
    [
      "wrong credentials",
      { status: 401, code: "AuthFailure" },
      { code: "unauthorized", state: "unreachable", hint: /credentials/ },
    ],
    [
      "throttling",
      { status: 503, code: "RequestLimitExceeded" },
      { code: "rate-limited", state: "unreachable", hint: /slowly/ },
    ],
    [
      "an error of AWS' own",
      { status: 500, code: "InternalError" },
      { code: "unreachable", state: "unreachable", hint: /again/ },
    ],
    [
      "an API that does not know the call",
      { status: 400, code: "InvalidAction" },
      { code: "invalid", state: "unreachable", hint: /^$/ },
    ],
    ["a cut connection", "hang up", { code: "unreachable", state: "unreachable", hint: /network/ }],
  ])("says of %s what it is, in one request", async (_, reply, { code, state, hint }) => {
    endpoint.reply = () => reply;
    const source = await startOne();
    const { status, reservations } = source.read();
    expect(status).toMatchObject({
      state,
      error: {
        code,
        hint: expect.stringMatching(hint),
        message: expect.stringContaining("ec2:DescribeCapacityReservations in us-east-2"),
      },
    });
    expect(reservations.known).toBe(false);
    expect(endpoint.requests).toHaveLength(1);
  });

  it("keeps what it read while it is throttled, and waits as long as it is asked to", async () => {
    const source = await startOne();
    const before = endpoint.requests.length;
    endpoint.reply = () => ({ status: 503, code: "RequestLimitExceeded", retryAfter: 300 });
    await nextChange(source, clock, 60_000);
    expect(source.read()).toMatchObject({
      status: { state: "stale", error: { code: "rate-limited" } },
      reservations: { known: true, items: { length: 13 } },
    });
    endpoint.reply = fromSamples();
    clock.advance(299_999);
    expect(endpoint.requests).toHaveLength(before + 1);
    await nextChange(source, clock, 15_001);
    expect(source.read().status).toMatchObject({ state: "live", error: undefined });
  });

  it("keeps the last whole answer where a later call of a reading is throttled", async () => {
    const source = await startOne();
    const before = source.read();
    replyFor("DescribeInstances", { status: 503, code: "RequestLimitExceeded" });
    await nextChange(source, clock, 60_000);
    const { status, ...rest } = source.read();
    expect(status).toMatchObject({ state: "stale", error: { code: "rate-limited" } });
    expect(rest).toMatchObject({ reservations: before.reservations, supplements: before.supplements });
  });

  it.each(["<html>sign in</html>", "", "sign in <"])(
    "does not read %j as no reservations at all",
    async (raw) => {
      const source = await startOne();
      endpoint.reply = () => ({ raw });
      await nextChange(source, clock, 60_000);
      expect(source.read()).toMatchObject({
        status: {
          state: "stale",
          error: { message: expect.stringContaining("ec2:DescribeCapacityReservations") },
        },
        reservations: { known: true, items: { length: 13 } },
      });
    },
  );

  it("reads the other regions while one is down", async () => {
    const others = fromSamples();
    endpoint.reply = (request) => (request.region === "eu-west-1" ? "hang up" : others(request));
    const sources = createSources(["us-east-2", "eu-west-1", "us-east-2"]);
    await Promise.all(sources.map((source) => source.start()));
    expect(sources.map((source) => source.read().status)).toMatchObject([
      { id: "reservations/aws/us-east-2", state: "live" },
      { id: "reservations/aws/eu-west-1", state: "unreachable" },
    ]);
  });

  it("says where there are no credentials at all, and asks nobody", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    const source = await startOne();
    expect(source.read().status.error).toMatchObject({ code: "unauthorized" });
    expect(endpoint.requests).toEqual([]);
  });

  it("reads with the credentials of a profile", async () => {
    const directory = await mkdtemp(join(tmpdir(), "seamline-aws-"));
    const file = join(directory, "credentials");
    await writeFile(file, "[gpu]\naws_access_key_id = AKIDPROFILE\naws_secret_access_key = not-a-secret\n");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", file);
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    const sources = createAwsSources(
      { provider: "aws", regions: ["us-east-2"], profile: "gpu", endpoint: endpoint.url },
      { clock, random: () => 0.5 },
    );
    running.push(...sources);
    await Promise.all(sources.map((source) => source.start()));
    expect(sources.map((source) => source.read().status)).toMatchObject([
      { id: "reservations/aws/gpu/us-east-2", state: "live" },
    ]);
    expect(endpoint.requests[0]?.accessKeyId).toBe("AKIDPROFILE");
    await rm(directory, { recursive: true });
  });

  it("does not say the secret key, whatever goes wrong", async () => {
    endpoint.reply = () => ({
      status: 400,
      code: "SignatureDoesNotMatch",
      message: "The signature does not match",
    });
    const source = await startOne();
    expect(JSON.stringify(source.read().status)).not.toContain("not-a-secret");
  });

  it("ends a reading that waits for an answer when it is stopped", async () => {
    endpoint.reply = () => "silence";
    const [source] = createSources();
    const started = source?.start();
    await vi.waitFor(() => expect(endpoint.requests).toHaveLength(1));
    source?.stop();
    await started;
    expect(source?.read().status.state).toBe("loading");
  });
});

describe("awsLiveConfig", () => {
  it("takes regions, a profile and an endpoint", () => {
    const config = {
      provider: "aws",
      regions: ["us-gov-west-1"],
      profile: "gpu",
      endpoint: "http://localhost:1",
    };
    expect(awsLiveConfig.parse(config)).toEqual(config);
  });

  it.each([
    [{ regions: [] }],
    [{ regions: ["us-east-2a"] }],
    [{ regions: ["everywhere"] }],
    [{ regions: "us-east-2" }],
    [{ regions: undefined }],
    [{ profile: "" }],
    [{ endpoint: "ftp://x" }],
    [{ secretKey: "x" }],
  ])("refuses %j", (wrong) => {
    expect(awsLiveConfig.safeParse({ provider: "aws", regions: ["us-east-2"], ...wrong }).success).toBe(
      false,
    );
  });
});
