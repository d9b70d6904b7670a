import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseReservations, parseReservationText } from "../parse-reservations.ts";

const sample = (name: string) =>
  parseReservationText(
    readFileSync(new URL(`./samples/aws-${name}.json`, import.meta.url), "utf8"),
    `${name}.json`,
    { sourceId: "s" },
  );
const parse = (document: unknown) => parseReservations(document, { sourceId: "s" });
const at = (text: string) => Date.parse(`${text}Z`);

describe("aws ec2 describe-capacity-block-status", () => {
  it("tells the slots that AWS reports as unavailable", () => {
    const { reservations, supplements, problems, issues } = sample("describe-capacity-block-status");
    expect([reservations, problems]).toEqual([[], []]);
    expect(supplements).toEqual([
      { provider: "aws", id: "cr-0a11f00d0000000a6", broken: 1 },
      { provider: "aws", id: "cr-0a11f00d0000000a2", broken: 0 },
    ]);
    expect(issues).toMatchObject([
      {
        code: "CapacityBlockInterconnectImpaired",
        severity: "warning",
        message: expect.stringContaining("cb-0b10c0000000000a6"),
      },
    ]);
  });

  it("says of broken instances that it cannot join to a reservation", () => {
    const { supplements, issues } = parse({
      CapacityBlockStatuses: [{ CapacityBlockId: "cb-1", TotalUnavailableCapacity: 2 }],
    });
    expect(supplements).toEqual([]);
    expect(issues).toMatchObject([
      { code: "CapacityBlockNotJoined", message: expect.stringContaining("cb-1") },
    ]);
  });

  it("says nothing of a count that AWS leaves out: it is not 0", () => {
    const CapacityReservationStatuses = [{ CapacityReservationId: "cr-1" }];
    const parsed = parse({
      CapacityBlockStatuses: [{ CapacityBlockId: "cb-1", CapacityReservationStatuses }],
    });
    expect(parsed).toMatchObject({ supplements: [], issues: [] });
  });

  it("keeps the others beside a negative count", () => {
    const { supplements, issues } = parse({
      CapacityBlockStatuses: [
        { CapacityBlockId: "cb-1", TotalUnavailableCapacity: -1 },
        {
          CapacityBlockId: "cb-2",
          CapacityReservationStatuses: [{ CapacityReservationId: "cr-2", TotalUnavailableCapacity: 3 }],
        },
      ],
    });
    expect(supplements).toEqual([{ provider: "aws", id: "cr-2", broken: 3 }]);
    expect(issues).toMatchObject([{ code: "ReservationUnreadable" }]);
  });
});

describe("aws ec2 describe-capacity-block-extension-history", () => {
  const extension = {
    CapacityReservationId: "cr-1",
    CapacityBlockExtensionStatus: "payment-succeeded",
    CapacityBlockExtensionStartDate: "2026-11-27T11:30:00.000Z",
    CapacityBlockExtensionEndDate: "2026-12-04T11:30:00.000Z",
    UpfrontFee: "10.0000005",
    CurrencyCode: "usd",
  };
  const extensions = (...rows: object[]) => parse({ CapacityBlockExtensions: rows });

  it("tells what was paid for which time", () => {
    const { supplements, issues } = sample("describe-capacity-block-extension-history");
    expect(issues).toEqual([]);
    expect(supplements).toEqual([
      {
        provider: "aws",
        id: "cr-0a11f00d0000000a2",
        fee: {
          total: { currency: "USD", micros: 111_627_264_000 },
          from: at("2026-11-27T11:30"),
          until: at("2026-12-04T11:30"),
        },
      },
    ]);
  });

  it("gives whole micro-units", () => {
    expect(extensions(extension).supplements?.[0]?.fee?.total).toEqual({
      currency: "USD",
      micros: 10_000_001,
    });
  });

  it.each(["payment-pending", "payment-failed", "new"])(
    "does not count a fee that is %s, and says so",
    (status) => {
      const { supplements, issues } = extensions({ ...extension, CapacityBlockExtensionStatus: status });
      expect(supplements).toEqual([]);
      expect(issues).toMatchObject([
        { code: "CapacityBlockExtensionNotPaid", message: expect.stringContaining(status) },
      ]);
    },
  );

  it.each<[string, object]>([
    ["a negative fee", { UpfrontFee: "-1" }],
    ["a fee that is none", { UpfrontFee: "a lot" }],
    ["a currency that is none", { CurrencyCode: "dollars" }],
    ["an end before its start", { CapacityBlockExtensionEndDate: "2026-11-01T00:00:00Z" }],
    ["no start", { CapacityBlockExtensionStartDate: undefined }],
  ])("keeps the others beside %s", (_, wrong) => {
    const { supplements, issues } = extensions({ ...extension, ...wrong }, extension);
    expect(supplements).toHaveLength(1);
    expect(issues).toMatchObject([
      { code: "ReservationUnreadable", message: expect.stringMatching(/^CapacityBlockExtensions\[0\]/) },
    ]);
  });
});

describe("aws ec2 describe-instances", () => {
  const launch = (...Instances: object[]) => parse({ Reservations: [{ ReservationId: "r-1", Instances }] });

  it("tells which instances run in which reservation", () => {
    const { reservations, supplements, problems, issues } = sample("describe-instances");
    expect([reservations, problems, issues]).toEqual([[], [], []]);
    expect(supplements).toEqual([
      { provider: "aws", id: "cr-0a11f00d0000000a2", machines: ["i-0aa0000000000001"] },
      { provider: "aws", id: "cr-0a11f00d0000000a1", machines: ["i-0aa0000000000002"] },
    ]);
  });

  it("gathers the instances of one reservation over all launches, in lower case", () => {
    const { supplements } = parse({
      Reservations: [
        { Instances: [{ InstanceId: "i-A", CapacityReservationId: "cr-1" }] },
        { Instances: [{ InstanceId: "i-b", CapacityReservationId: "cr-1" }] },
      ],
    });
    expect(supplements).toEqual([{ provider: "aws", id: "cr-1", machines: ["i-a", "i-b"] }]);
  });

  it.each([
    ["pending", 1],
    ["running", 1],
    ["shutting-down", 0],
    ["terminated", 0],
    ["stopping", 0],
    ["stopped", 0],
  ])("counts a machine that is %s in %d slots", (Name, slots) => {
    const { supplements } = launch({ InstanceId: "i-1", CapacityReservationId: "cr-1", State: { Name } });
    expect(supplements).toHaveLength(slots);
  });

  it("is not taken for generic records, nor these for instances", () => {
    expect(parse({ reservations: [] }).issues).toEqual([]);
    expect(parse({ reservations: [] }).supplements).toBeUndefined();
    expect(parse({ Reservations: [] })).toMatchObject({ problems: [], supplements: [] });
    expect(parse({ Reservations: [{ id: "a", count: 1 }] }).issues).toMatchObject([
      { code: "ReservationUnreadable", message: expect.stringContaining("Reservations[0].Instances") },
    ]);
  });
});

describe("documents that add no figure", () => {
  it.each([
    ["describe-capacity-blocks", "3 capacity blocks"],
    ["describe-capacity-block-offerings", "2 offerings of capacity blocks were not used"],
    [
      "get-capacity-reservation-usage",
      "cr-0a11f00d0000000a1 is used by 2 accounts (111122223333: 5, 444455556666: 2)",
    ],
  ])("%s says why", (name, message) => {
    const { reservations, supplements, problems, issues } = sample(name);
    expect([reservations, supplements ?? [], problems]).toEqual([[], [], []]);
    expect(issues).toMatchObject([
      { code: "ReservationDocumentNote", severity: "info", message: expect.stringContaining(message) },
    ]);
  });

  it.each<[string, object, string]>([
    ["blocks", { CapacityBlocks: 3 }, "CapacityBlocks"],
    ["offerings", { CapacityBlockOfferings: {} }, "CapacityBlockOfferings"],
    ["usage", { CapacityReservationId: "cr-1", InstanceUsages: "many" }, "InstanceUsages"],
    ["usage of nothing", { InstanceUsages: [] }, "CapacityReservationId"],
  ])("are problems where they are broken: %s", (_, document, path) => {
    expect(parse(document).problems).toMatchObject([{ path }]);
  });

  it("usage without a user is no note", () => {
    expect(parse({ CapacityReservationId: "cr-1", State: "active" })).toMatchObject({
      problems: [],
      issues: [],
    });
  });
});

it.each(["describe-instance-types"])("does not recognise %s, and says what it does", (name) => {
  expect(sample(name).problems).toMatchObject([
    { expected: expect.stringContaining("aws ec2 describe-capacity-reservations") },
  ]);
});
