import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReservations, parseReservationText } from "../parse-reservations.ts";

const sample = readFileSync(
  new URL("./samples/aws-describe-capacity-reservations.json", import.meta.url),
  "utf8",
);
const parse = (document: unknown) => parseReservations(document, { sourceId: "s" });
const parseRecords = (...records: object[]) => parse({ CapacityReservations: records });
const one = (record: object) => parseRecords(record).reservations[0];

const at = (text: string) => Date.parse(`${text}Z`);
const BLOCK_DOC = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-pricing-billing.html";
const ON_DEMAND_DOC =
  "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-pricing-billing.html";

const record = {
  CapacityReservationId: "cr-1",
  OwnerId: "111122223333",
  AvailabilityZone: "us-east-2a",
  InstanceType: "p5.48xlarge",
  State: "active",
  TotalInstanceCount: 8,
  AvailableInstanceCount: 3,
  EndDateType: "unlimited",
  InstanceMatchCriteria: "open",
};
const block = {
  ...record,
  ReservationType: "capacity-block",
  InstanceMatchCriteria: "targeted",
  StartDate: "2026-11-20T11:30:00+00:00",
  EndDate: "2026-12-04T11:30:00+00:00",
  EndDateType: "limited",
};
const requested = (Value: string) => ({
  Tags: [{ Key: "aws:ec2capacityreservation:incrementalRequestedQuantity", Value }],
});

describe("the sample of aws ec2 describe-capacity-reservations", () => {
  const { reservations, problems, issues } = parseReservationText(sample, "r.json", { sourceId: "s" });
  const endsWith = (end: string) => {
    const found = reservations.find(({ id }) => id === `cr-0a11f00d0000000${end}`);
    if (!found) throw new Error(`no ${end}`);
    return found;
  };

  // id, slots, used, GPUs of one, state, billed, launchable, market
  it.each([
    ["a1", 8, 7, 8, "active", true, true, "on-demand"],
    ["a2", 16, 8, 8, "active", true, true, "block"],
    ["a3", 4, undefined, 8, "scheduled", false, false, "block"],
    ["a4", 2, undefined, 8, "scheduled", false, false, "block"],
    ["a5", 0, undefined, 8, "ended", false, false, "block"],
    ["a6", 18, 16, 4, "active", true, true, "block"],
    ["a7", 12, undefined, 8, "scheduled", false, false, "future"],
    ["a8", 4, undefined, 8, "scheduled", false, false, "future"],
    ["a9", 4, undefined, 8, "active", true, false, "future"],
    ["b0", 2, 0, 8, "active", true, true, "on-demand"],
    ["b1", 3, 0, 8, "active", true, true, "on-demand"],
    ["b2", 0, undefined, 4, "ended", false, false, "on-demand"],
    ["b3", 0, undefined, 8, "failed", false, false, "on-demand"],
  ])("%s: %d slots, %s used, of %d GPUs, %s, billed %s, launchable %s, %s", (id, ...expected) => {
    const { count, used, gpusPerInstance, lifecycle, market, billing, rate } = endsWith(id);
    const { state, billed, launchable } = lifecycle ?? {};
    expect([count, used, gpusPerInstance, state, billed, launchable, market]).toEqual(expected);
    expect(billing).toBe(market === "block" ? "upfront" : "continuous");
    expect(rate.source).toBe("unknown");
  });

  it("is read whole, without a problem", () => {
    expect(problems).toEqual([]);
    expect(reservations).toHaveLength(13);
    expect(issues.map(({ code, message }) => [code, message.slice(0, 20)])).toEqual([
      ["ReservationInterruptible", "cr-0a11f00d0000000b0"],
      ["ReservationOtherPayer", "cr-0a11f00d0000000b1"],
    ]);
  });

  it.each([
    ["a1", undefined, undefined],
    ["a2", at("2026-12-04T11:30"), at("2026-12-04T11:00")],
    ["a6", at("2026-12-08T11:30"), at("2026-12-08T10:30")],
    ["a7", undefined, undefined],
    ["a9", at("2026-12-10T00:00"), undefined],
  ])("%s ends, and is usable until", (id, end, usableUntil) => {
    expect([endsWith(id).end, endsWith(id).usableUntil]).toEqual([end, usableUntil]);
  });

  it("says the rest of one", () => {
    expect(endsWith("a2")).toMatchObject({
      provider: "aws",
      name: "cb-h100-14d",
      instanceType: "p5.48xlarge",
      gpuModel: "h100",
      region: "us-east-2",
      zone: "us-east-2a",
      account: "111122223333",
      matching: "targeted",
      start: at("2026-11-20T11:30"),
      rawState: "active",
      broken: 0,
      machines: [],
      sourceId: "s",
    });
    expect(endsWith("a3").name).toBe("cr-0a11f00d0000000a3");
    expect(endsWith("a1").matching).toBe("open");
    expect(endsWith("a6").region).toBe("us-east-1");
  });
});

describe("the state of a capacity reservation", () => {
  // on-demand (or future-dated) record and block: state, billed, launchable
  it.each<[string, string, boolean | undefined, boolean | undefined]>([
    ["pending", "scheduled", false, undefined],
    ["active", "active", true, true],
    ["assessing", "scheduled", false, false],
    ["unsupported", "failed", false, false],
    ["scheduled", "scheduled", false, false],
    ["delayed", "scheduled", false, false],
    ["cancelling", "active", true, false],
    ["payment-pending", "scheduled", false, false],
    ["payment-failed", "failed", false, false],
    ["expired", "ended", false, false],
    ["cancelled", "ended", false, false],
    ["failed", "failed", false, false],
    ["unavailable", "active", true, false],
    ["paused", "unknown", undefined, undefined],
    ["constructor", "unknown", undefined, undefined],
  ])("%s is %s, billed %s, launchable %s, with the page that says so", (State, state, billed, launchable) => {
    expect(one({ ...block, State })?.lifecycle).toEqual({ state, billed, launchable, doc: BLOCK_DOC });
    const onDemand = one({ ...record, State })?.lifecycle;
    expect(onDemand).toMatchObject({ state, billed, launchable });
    if (State === "cancelling") expect(onDemand?.doc).toMatch(/API_CancelCapacityReservation/);
    else expect(onDemand?.doc).toBe(ON_DEMAND_DOC);
  });

  it("that no one knows is an issue, and never guessed to be billed", () => {
    const { reservations, issues } = parseRecords({ ...record, State: "paused" });
    expect(reservations).toMatchObject([{ rawState: "paused", count: 8, used: undefined }]);
    expect(issues).toMatchObject([{ code: "UnknownReservationState", severity: "warning" }]);
  });

  it("does not make an UltraServer launchable that AWS calls unlaunchable", () => {
    expect(one({ ...block, LaunchStatus: "unlaunchable" })?.lifecycle).toMatchObject({
      billed: true,
      launchable: false,
    });
  });
});

describe("the size of a capacity reservation", () => {
  it.each<[string, object, number | undefined]>([
    ["that has not begun is in its tag", { State: "scheduled", TotalInstanceCount: 0, ...requested("4") }, 4],
    ["that has not begun is never below what AWS counts", { State: "scheduled", ...requested("4") }, 8],
    ["is not in the tag once it is active", { State: "active", ...requested("16") }, 8],
    [
      "is not in the tag once it has ended",
      { State: "expired", TotalInstanceCount: 0, ...requested("16") },
      0,
    ],
    ["of nothing that was ever there is 0", { State: "failed", TotalInstanceCount: 0 }, 0],
    [
      "that is not in a tag is what was committed to",
      { State: "assessing", TotalInstanceCount: 0, CommitmentInfo: { CommittedInstanceCount: 12 } },
      12,
    ],
    ["that nothing tells is not 0", { State: "scheduled", TotalInstanceCount: 0 }, undefined],
    [
      "is not what a tag says that is no number",
      { State: "scheduled", TotalInstanceCount: 0, ...requested("-4") },
      undefined,
    ],
    ["that is not there is not 0", { TotalInstanceCount: undefined }, undefined],
    [
      "of one that is being cancelled is what it is charged for",
      {
        State: "cancelling",
        TotalInstanceCount: 0,
        CapacityAllocations: [
          { AllocationType: "used", Count: 1 },
          { AllocationType: "cancelling", Count: 4 },
        ],
      },
      4,
    ],
    [
      "of one that is being cancelled is its commitment where it says no more",
      { State: "cancelling", TotalInstanceCount: 0, CommitmentInfo: { CommittedInstanceCount: 3 } },
      3,
    ],
  ])("%s", (_, change, count) => {
    const { reservations, issues } = parseRecords({ ...record, ...change });
    expect(reservations.map((reservation) => reservation.count)).toEqual(count === undefined ? [] : [count]);
    const unknown = issues.filter(({ code }) => code === "ReservationSizeUnknown");
    expect(unknown).toHaveLength(count === undefined ? 1 : 0);
  });

  it.each([
    [-1, 8],
    [9, 8],
  ])(
    "with %d of %d instances available says nothing of its use",
    (AvailableInstanceCount, TotalInstanceCount) => {
      const { reservations, issues } = parseRecords({
        ...record,
        AvailableInstanceCount,
        TotalInstanceCount,
      });
      expect(reservations).toMatchObject([{ count: 8, used: undefined }]);
      expect(issues).toMatchObject([{ code: "ReservationCountsContradict" }]);
    },
  );
});

describe("a capacity reservation", () => {
  it.each<[string, object, object]>([
    ["has no end where it is unlimited", { EndDate: "2026-12-04T11:30:00+00:00" }, { end: undefined }],
    [
      "has its end in the form of CLI v1 too",
      { EndDateType: "limited", EndDate: "2026-12-04T11:30:00.000Z" },
      { end: at("2026-12-04T11:30"), usableUntil: undefined },
    ],
    ["without a type is on-demand", { ReservationType: "" }, { market: "on-demand" }],
    ["of a date to come is billed from then on", { DeliveryPreference: "fixed" }, { market: "future" }],
    ["of a type that is new is unknown", { ReservationType: "shared" }, { market: "unknown" }],
    ["has the region of its zone", { AvailabilityZone: "us-gov-west-1a" }, { region: "us-gov-west-1" }],
    [
      "has the region of its ARN where it has no zone",
      {
        AvailabilityZone: undefined,
        CapacityReservationArn: "arn:aws:ec2:eu-west-1:1:capacity-reservation/cr-1",
      },
      { region: "eu-west-1", zone: undefined },
    ],
    ["without a zone and an ARN has no region", { AvailabilityZone: undefined }, { region: undefined }],
    ["of a part of a GPU counts a whole one", { InstanceType: "g6f.large" }, { gpusPerInstance: 1 }],
    [
      "with unknown criteria matches unknown things",
      { InstanceMatchCriteria: "magic" },
      { matching: undefined },
    ],
    ["with an empty name has its id for a name", { Tags: [{ Key: "Name", Value: "" }] }, { name: "cr-1" }],
  ])("%s", (_, change, expected) => {
    expect(one({ ...record, ...change })).toMatchObject(expected);
  });

  it.each([
    ["p5.48xlarge", 30],
    ["p6e-gb200.36xlarge", 60],
    ["trn2u.48xlarge", 60],
  ])("of %s that is a block loses its last %d minutes", (InstanceType, minutes) => {
    const { end, usableUntil } = one({ ...block, InstanceType }) ?? {};
    expect((end ?? 0) - (usableUntil ?? 0)).toBe(minutes * 60_000);
  });

  it("whose unused part another account pays says so, and one's own does not", () => {
    const other = { ...record, UnusedReservationBillingOwnerId: "444455556666" };
    const own = { ...record, UnusedReservationBillingOwnerId: "111122223333" };
    expect(parseRecords(other, own).issues).toMatchObject([
      { code: "ReservationOtherPayer", severity: "info", message: expect.stringContaining("444455556666") },
    ]);
  });
});

describe("a document of capacity reservations", () => {
  it("leaves out what has no GPUs, and says how many", () => {
    const { reservations, issues } = parseRecords(
      { ...record, InstanceType: "m7i.large" },
      { ...record, InstanceType: "c7g.metal" },
      record,
    );
    expect(reservations).toHaveLength(1);
    expect(issues).toMatchObject([
      {
        code: "ReservationsWithoutGpus",
        severity: "info",
        message: expect.stringContaining("2 reservations"),
      },
    ]);
  });

  it("says of accelerators that it does not know", () => {
    const { reservations, issues } = parseRecords({ ...record, InstanceType: "p9.96xlarge" }, record);
    expect(reservations).toHaveLength(1);
    expect(issues).toMatchObject([
      { code: "UnknownInstanceType", severity: "warning", message: expect.stringContaining("p9.96xlarge") },
    ]);
  });

  it("does not take the instance type of another provider for its own", () => {
    expect(parseRecords({ ...record, InstanceType: "a3-highgpu-8g" }).reservations).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    [
      "without an id",
      { ...record, CapacityReservationId: undefined },
      "CapacityReservationId: expected a text, got nothing",
    ],
    [
      "with an empty id",
      { ...record, CapacityReservationId: "" },
      "CapacityReservationId: expected a text that is not empty",
    ],
    ["without a type", { ...record, InstanceType: null }, 'InstanceType: expected a text, got null ("cr-1")'],
    ["without a state", { ...record, State: 7 }, "State: expected a text, got 7"],
    [
      "with a negative count",
      { ...record, TotalInstanceCount: -1 },
      "TotalInstanceCount: expected a whole number from 0 to 1000000, got -1",
    ],
    [
      "with half an instance",
      { ...record, TotalInstanceCount: 1.5 },
      "TotalInstanceCount: expected a whole number from 0 to 1000000, got 1.5",
    ],
    [
      "with a count in words",
      { ...record, TotalInstanceCount: "8" },
      'TotalInstanceCount: expected a whole number from 0 to 1000000, got "8"',
    ],
    ["with a date that is none", { ...record, StartDate: "soon" }, "StartDate: expected an ISO 8601 time"],
    ["that is none", null, ": expected object, got null"],
  ])("keeps the others beside one %s", (_, wrong, message) => {
    const { reservations, problems, issues } = parse({ CapacityReservations: [record, wrong, record] });
    expect(problems).toEqual([]);
    expect(reservations).toHaveLength(2);
    expect(issues).toMatchObject([
      { code: "ReservationUnreadable", severity: "error", message: expect.stringContaining(message) },
    ]);
    expect(issues[0]?.message).toMatch(/^CapacityReservations\[1\]/);
  });

  it("counts what cannot be read beyond the first few", () => {
    const { issues } = parseRecords(...Array.from({ length: 25 }, () => ({})));
    expect(issues).toHaveLength(11);
    expect(issues.at(-1)?.message).toMatch(/^15 further/);
  });

  it("says that it is but a page", () => {
    const { reservations, issues } = parse({ CapacityReservations: [record], NextToken: "x" });
    expect(reservations).toHaveLength(1);
    expect(issues).toMatchObject([{ code: "ReservationsIncomplete", severity: "warning" }]);
  });

  it.each([[{}], ["none"], [null], [3]])("that holds no list (%j) is a problem", (CapacityReservations) => {
    expect(parse({ CapacityReservations })).toMatchObject({
      reservations: [],
      problems: [{ path: "CapacityReservations", expected: "a list" }],
    });
  });

  it("that is cut short is a problem that names the line", () => {
    const cut = parseReservationText(sample.slice(0, 5_000), "r.json", { sourceId: "s" });
    expect(cut.reservations).toEqual([]);
    expect(cut.problems).toMatchObject([{ path: expect.stringMatching(/^line \d+$/) }]);
  });

  it("is read from YAML too (--output yaml)", () => {
    const yaml =
      "CapacityReservations:\n- CapacityReservationId: cr-1\n  InstanceType: p5.48xlarge\n  State: active\n  StartDate: '2026-11-20T11:30:00+00:00'\n  TotalInstanceCount: 8\n";
    expect(parseReservationText(yaml, "r.yaml", { sourceId: "s" }).reservations).toMatchObject([
      { id: "cr-1", count: 8, start: at("2026-11-20T11:30") },
    ]);
  });

  it("never throws and accounts for each entry, whatever it holds", () => {
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(-1, 1e308, "", "-3", "active", []));
    const entry = fc
      .tuple(
        fc.constantFrom(record, block),
        fc.dictionary(fc.constantFrom(...Object.keys(block), "Tags"), odd),
      )
      .map(([base, change]) => ({ ...base, ...change }));
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, odd), { maxLength: 8 }), (records) => {
        const { reservations, issues } = parse({ CapacityReservations: records });
        const withoutGpus = issues.find(({ code }) => code === "ReservationsWithoutGpus")?.message;
        const leftOut = issues.filter(({ code }) =>
          ["ReservationUnreadable", "UnknownInstanceType", "ReservationSizeUnknown"].includes(code),
        );
        const silent = Number.parseInt(withoutGpus ?? "0", 10);
        expect(reservations.length + leftOut.length + silent).toBe(records.length);
        for (const { count, used } of reservations) {
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
          expect(used === undefined || (used >= 0 && used <= count)).toBe(true);
        }
      }),
    );
  });
});
