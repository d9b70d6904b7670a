import { describe, expect, it } from "vitest";
import { issueCodes, parseDocument, parseSample, reservationRow } from "../../../testing/reservation-rows.ts";

const sample = (path: string) => parseSample(new URL(`../${path}.json`, import.meta.url));

describe("OCI", () => {
  const id = "ocid1.capacityreservation.oc1.phx.aaaa";
  const config = (instanceShape: string, fields: object = {}) => ({
    instanceShape,
    reservedCount: 2,
    usedCount: 1,
    ...fields,
  });
  const aReservation = (fields: object = {}) => ({
    id,
    displayName: "r",
    availabilityDomain: "Uocm:PHX-AD-1",
    lifecycleState: "ACTIVE",
    instanceReservationConfigs: [config("BM.GPU.H100.8")],
    ...fields,
  });

  it("reads the sample", () => {
    const { reservations, problems, issues } = sample("oci/samples/oci-capacity-reservations");
    expect([problems, issues]).toEqual([[], []]);
    expect(reservations.map(reservationRow)).toEqual([
      {
        name: "h100-res",
        instanceType: "BM.GPU.H100.8",
        slots: "8 × 8",
        broken: 0,
        used: 5,
        bought: "on-demand, targeted",
        state: "ACTIVE: active",
        billed: true,
        launchable: true,
        time: "2026-10-01 to -",
      },
      {
        name: "a10-default",
        instanceType: "VM.GPU.A10.1",
        slots: "4 × 1",
        broken: 0,
        used: 0,
        bought: "on-demand, open",
        state: "CREATING: scheduled",
        billed: false,
        launchable: false,
        time: "2026-12-01T08:00 to -",
      },
    ]);
    expect(reservations[0]).toMatchObject({
      zone: "PHX-AD-1",
      region: "phx",
      account: "ocid1.compartment.oc1..aaaaexample",
    });
  });

  it("reads the CLI's kebab-case keys and one reservation alone", () => {
    const kebab = {
      id,
      "display-name": "r",
      "lifecycle-state": "ACTIVE",
      "instance-reservation-configs": [{ "instance-shape": "BM.GPU.H100.8", "reserved-count": 2 }],
    };
    expect(parseDocument({ data: kebab }).reservations).toMatchObject([
      { name: "r", count: 2, used: undefined, gpusPerInstance: 8 },
    ]);
  });

  it("makes one of each shape, the first with the id that nodes name", () => {
    const configs = [
      config("VM.Standard.E5"),
      config("BM.GPU.H100.8"),
      config("VM.GPU.A10.2", { faultDomain: "FD-2" }),
    ];
    const parsed = parseDocument({ data: [aReservation({ instanceReservationConfigs: configs })] });
    expect(parsed.reservations.map((r) => [r.id, r.gpusPerInstance])).toEqual([
      [id, 8],
      [`VM.GPU.A10.2/FD-2/${id}`, 2],
    ]);
    expect(issueCodes(parsed)).toEqual(["info ReservationsWithoutGpus"]);
  });

  it.each([
    ["UPDATING", "active", true, true],
    ["MOVING", "active", true, true],
    ["DELETING", "active", true, false],
    ["DELETED", "ended", false, false],
    ["ODD", "unknown", undefined, undefined],
  ])("%s is %s", (lifecycleState, state, billed, launchable) => {
    const [reservation] = parseDocument({ data: [aReservation({ lifecycleState })] }).reservations;
    expect(reservation?.lifecycle).toMatchObject({ state, billed, launchable });
  });

  it("takes machines from an instance list, and tells of a list without shapes", () => {
    const instance = { id: "ocid1.instance.oc1.phx.AAAA", "capacity-reservation-id": id };
    expect(parseDocument({ data: [instance] }).supplements).toEqual([
      { provider: "oci", id, machines: ["ocid1.instance.oc1.phx.aaaa"] },
    ]);
    const parsed = parseDocument({
      data: [aReservation({ instanceReservationConfigs: undefined }), aReservation({ id: `${id}2` })],
    });
    expect(parsed.reservations).toHaveLength(1);
    expect(issueCodes(parsed)).toEqual(["error ReservationUnreadable"]);
  });
});

describe("Crusoe", () => {
  const anItem = (fields: object = {}) => ({
    id: "c",
    product_line: "h100-80gb-sxm-ib",
    quantity: 16,
    date_delivered: "2026-09-02T00:00:00Z",
    ...fields,
  });
  const only = (fields: object) => parseDocument({ items: [anItem(fields)] }).reservations[0];

  it("reads the sample with its price", () => {
    const { reservations, problems } = sample("crusoe/samples/crusoe-reservations");
    expect(problems).toEqual([]);
    expect(reservations).toMatchObject([
      {
        id: "2f000000-0000-4000-8000-000000000001",
        instanceType: "h100-80gb-sxm-ib.8x",
        gpuModel: "H100",
        count: 8,
        gpusPerInstance: 8,
        used: 6,
        zone: "us-east1-a",
        start: Date.UTC(2026, 8, 2),
        end: Date.UTC(2027, 2, 1),
        lifecycle: undefined,
        machines: ["4f000000-0000-4000-8000-000000000001"],
        rate: { perGpuHour: { currency: "USD", micros: 2_650_000 }, source: "provider", bound: "=" },
      },
    ]);
  });

  it.each<[string, object, object]>([
    ["no price is unknown", {}, { rate: { source: "unknown" } }],
    [
      "one machine's GPUs alone",
      { product_line: "l40s-48gb", quantity: 5 },
      { count: 5, gpusPerInstance: 1, instanceType: "l40s-48gb" },
    ],
    ["GPUs that are no whole machines", { quantity: 12 }, { count: 12, gpusPerInstance: 1 }],
    [
      "not delivered yet",
      { date_delivered: null, contract_start_date: "2026-12-05T00:00:00Z" },
      { start: Date.UTC(2026, 11, 5), lifecycle: { state: "scheduled", billed: false } },
    ],
  ])("%s", (_, fields, expected) => {
    expect(only(fields)).toMatchObject(expected);
  });

  it.each([{ quantity: -1 }, { price: "free" }, { contract_end_date: "never" }])(
    "leaves out and tells %j",
    (fields) => {
      const parsed = parseDocument({ items: [anItem({ ...fields, id: "bad" }), anItem()] });
      expect(parsed.reservations.map(({ id }) => id)).toEqual(["c"]);
      expect(parsed.issues[0]).toMatchObject({
        code: "ReservationUnreadable",
        message: expect.stringContaining("bad"),
      });
    },
  );
});

describe("Nebius", () => {
  const aGroup = (status: object = {}) => ({
    metadata: { id: "g", name: "g" },
    status: {
      resource_affinity: { compute_v1: { platform: "gpu-h200-sxm" } },
      state: "STATE_ACTIVE",
      current_limit: "16",
      usage: "9",
      ...status,
    },
  });
  const only = (status: object) => parseDocument({ items: [aGroup(status)] }).reservations[0];

  it("reads the sample", () => {
    const parsed = sample("nebius/samples/nebius-capacity-block-groups");
    expect(parsed.problems).toEqual([]);
    expect(parsed.reservations.map(reservationRow)).toEqual([
      {
        name: "h200-q4",
        instanceType: "gpu-h200-sxm",
        slots: "16 × 8",
        broken: 0,
        used: 12,
        bought: "block, undefined",
        state: "STATE_ACTIVE: active",
        billed: true,
        launchable: true,
        time: "2026-10-01 to 2027-01-01",
      },
      {
        name: "b200-jan",
        instanceType: "gpu-b200-sxm",
        slots: "8 × 8",
        broken: 0,
        used: 0,
        bought: "block, undefined",
        state: "STATE_INACTIVE: scheduled",
        billed: false,
        launchable: false,
        time: "2027-01-04 to -",
      },
    ]);
    expect(parsed.issues).toMatchObject([
      { code: "ReservationSizeChanges", message: expect.stringMatching(/128 to 64.*2026-12-15/) },
    ]);
  });

  it.each<[string, object, object]>([
    ["machines in part of use", {}, { used: 2 }],
    ["GPUs one by one", { current_limit: "3", usage: "1" }, { count: 3, gpusPerInstance: 1, used: 1 }],
    [
      "shutting",
      { state: "STATE_SHUTTING" },
      { lifecycle: { state: "active", billed: undefined, launchable: false } },
    ],
    [
      "inactive for good",
      { state: "STATE_INACTIVE", current_limit: "0" },
      { lifecycle: { state: "ended", billed: false } },
    ],
    ["an unknown state", { state: "STATE_ODD" }, { lifecycle: { state: "unknown", billed: undefined } }],
  ])("%s", (_, status, expected) => {
    expect(only(status)).toMatchObject(expected);
  });

  it("leaves out platforms without GPUs, and tells a negative limit", () => {
    const cpu = aGroup({ resource_affinity: { compute_v1: { platform: "cpu-d3" } } });
    const parsed = parseDocument({ items: [cpu, aGroup({ current_limit: "-8" }), aGroup()] });
    expect(parsed.reservations).toHaveLength(1);
    expect(issueCodes(parsed)).toEqual(["error ReservationUnreadable", "info ReservationsWithoutGpus"]);
  });
});

describe("what no provider prints", () => {
  it.each([
    [{ items: [1, 2] }],
    [[null, "x"]],
    [{ value: "x" }],
    [{ data: { id: 3 } }],
    ["text"],
    [{ items: { a: null } }],
  ])("%j is a problem", (document) => {
    expect(parseDocument(document).problems).toHaveLength(1);
  });
});
