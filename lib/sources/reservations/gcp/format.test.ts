import { describe, expect, it } from "vitest";
import { issueCodes, parseDocument, parseSample, reservationRow } from "../../../testing/reservation-rows.ts";
import { combineReservations } from "../combine.ts";
import type { ReservationState } from "../reservation-source.ts";

const sample = (name: string) => parseSample(new URL(`./samples/gcp-${name}.json`, import.meta.url));

const PLACE = "projects/demo-ml-prod/zones/us-central1-a";
const zone = `https://www.googleapis.com/compute/v1/${PLACE}`;

/** A reservation as gcloud prints it. */
const aReservation = (name: string, fields: object = {}, machines: object = {}) => ({
  kind: "compute#reservation",
  name,
  selfLink: `${zone}/reservations/${name}`,
  zone,
  status: "READY",
  specificReservationRequired: true,
  specificReservation: {
    instanceProperties: { machineType: "a4-highgpu-8g" },
    count: "4",
    inUseCount: "1",
    assuredCount: "4",
    ...machines,
  },
  ...fields,
});

const aFuture = (fields: object = {}, status: object = {}) => ({
  kind: "compute#futureReservation",
  name: "f",
  selfLink: `${zone}/futureReservations/f`,
  zone,
  specificSkuProperties: { totalCount: "6", instanceProperties: { machineType: "a4-highgpu-8g" } },
  timeWindow: { startTime: "2026-11-01T00:00:00Z", endTime: "2026-12-31T00:00:00Z" },
  status: { procurementStatus: "FULFILLED", fulfilledCount: "6", ...status },
  ...fields,
});

const only = (document: unknown) => parseDocument(document).reservations[0];

describe("gcloud compute reservations list", () => {
  it("gives slots, use, state and dates", () => {
    const { reservations, problems, issues } = sample("reservations-list");
    expect([problems, issues]).toEqual([[], []]);
    const active = { billed: true, launchable: true, state: "READY: active" };
    const since = "2026-11-03T09:11 to -";
    expect(reservations.map(reservationRow)).toEqual([
      {
        name: "h100-train",
        instanceType: "a3-highgpu-8g",
        slots: "16 × 8",
        broken: 0,
        used: 13,
        bought: "on-demand, targeted",
        ...active,
        time: since,
      },
      {
        name: "b200-dense",
        instanceType: "a4-highgpu-8g",
        slots: "18 × 8",
        broken: 1,
        used: 16,
        bought: "on-demand, targeted",
        ...active,
        time: since,
      },
      {
        name: "cal-h200-20261202",
        instanceType: "a3-ultragpu-8g",
        slots: "4 × 8",
        broken: 0,
        used: 0,
        bought: "on-demand, targeted",
        ...active,
        time: "2026-11-03T09:11 to 2026-12-16T08:00",
      },
      {
        name: "l4-any",
        instanceType: "g2-standard-48",
        slots: "6 × 4",
        broken: 0,
        used: 6,
        bought: "on-demand, open",
        ...active,
        time: since,
      },
      {
        name: "new-h100",
        instanceType: "a3-megagpu-8g",
        slots: "2 × 8",
        broken: 0,
        used: 0,
        bought: "on-demand, targeted",
        billed: false,
        launchable: false,
        state: "CREATING: scheduled",
        time: since,
      },
      {
        name: "tpu-v6e-agg",
        instanceType: "ct6e-standard-4t",
        slots: "16 × 4",
        broken: 0,
        used: 8,
        bought: "on-demand, targeted",
        ...active,
        time: since,
      },
    ]);
  });

  it("gives id, place and what no API says", () => {
    expect(sample("reservations-list").reservations[0]).toMatchObject({
      id: `${PLACE}/reservations/h100-train`,
      provider: "gcp",
      gpuModel: expect.stringMatching(/h100/i),
      region: "us-central1",
      zone: "us-central1-a",
      account: "demo-ml-prod",
      rate: { perGpuHour: undefined, source: "unknown" },
      lifecycle: { doc: expect.stringContaining("https://cloud.google.com/") },
      sourceId: "s",
    });
  });

  it.each<[string, boolean | undefined, boolean | undefined]>([
    ["READY", true, true],
    ["UPDATING", true, true],
    ["DELETING", true, false],
    ["CREATING", false, false],
    ["INVALID", undefined, undefined],
    ["SOMETHING_NEW", undefined, undefined],
  ])("%s: billed %s, launchable %s", (status, billed, launchable) => {
    const parsed = parseDocument([aReservation("a", { status })]);
    expect(parsed.reservations[0]?.lifecycle).toMatchObject({ billed, launchable });
    expect(issueCodes(parsed)).toEqual(billed === undefined ? ["warning UnknownReservationState"] : []);
  });

  it.each<[string, object, object]>([
    ["counts as numbers", { count: 4, inUseCount: 1, assuredCount: 3 }, { count: 4, used: 1, broken: 1 }],
    ["no use and no health", { inUseCount: undefined, assuredCount: null }, { used: undefined, broken: 0 }],
    ["more usable than there are", { assuredCount: "9" }, { broken: 0 }],
    [
      "chosen GPUs",
      {
        instanceProperties: {
          machineType: "n1-standard-8",
          guestAccelerators: [
            { acceleratorType: `${zone}/acceleratorTypes/nvidia-tesla-t4`, acceleratorCount: 2 },
          ],
        },
      },
      { gpusPerInstance: 2, gpuModel: "nvidia-tesla-t4" },
    ],
    ["a part of a GPU", { instanceProperties: { machineType: "g4-standard-6" } }, { gpusPerInstance: 1 }],
    [
      "a type that only its name tells",
      { instanceProperties: { machineType: "a9-ultragpu-16g" } },
      { gpusPerInstance: 16, gpuModel: undefined },
    ],
    [
      "a TPU machine",
      { instanceProperties: { machineType: "ct5p-hightpu-4t" } },
      { gpusPerInstance: 4, gpuModel: "tpu-v5p-slice" },
    ],
  ])("reads %s", (_, machines, expected) => {
    expect(only([aReservation("a", {}, machines)])).toMatchObject(expected);
  });

  it("counts chips one by one where they are not whole machines", () => {
    const aggregateReservation = {
      vmFamily: "VM_FAMILY_CLOUD_TPU_LITE_POD_SLICE_CT5LP",
      reservedResources: [{ accelerator: { acceleratorCount: 6 } }],
    };
    const tpu = { specificReservation: undefined, aggregateReservation };
    expect(only([aReservation("a", tpu)])).toMatchObject({
      instanceType: "ct5lp-hightpu-1t",
      count: 6,
      gpusPerInstance: 1,
      used: 0,
    });
  });

  it("says of more use than there is, and keeps both numbers", () => {
    const parsed = parseDocument([aReservation("a", {}, { inUseCount: "5" })]);
    expect(parsed.reservations[0]).toMatchObject({ count: 4, used: 5 });
    expect(issueCodes(parsed)).toEqual(["warning MoreUsedThanReserved"]);
  });

  it("leaves out what has no GPUs in one line, and unknown types one by one", () => {
    const type = (machineType: string) => ({ instanceProperties: { machineType } });
    const parsed = parseDocument([
      aReservation("cpu-1", {}, type("n2-standard-8")),
      aReservation("cpu-2", {}, type("c4-highmem-96")),
      aReservation("odd", {}, type("q7-strange-3")),
      aReservation("template", {}, { instanceProperties: undefined }),
      aReservation("good"),
    ]);
    expect(parsed.reservations.map(({ name }) => name)).toEqual(["good"]);
    expect(parsed.issues.map(({ code, severity, message }) => [code, severity, message])).toEqual([
      ["UnknownInstanceType", "warning", expect.stringContaining("odd")],
      ["UnknownInstanceType", "warning", expect.stringContaining("template")],
      ["ReservationsWithoutGpus", "info", expect.stringMatching(/^2 .*c4-highmem-96, n2-standard-8/)],
    ]);
  });

  it.each<[string, object]>([
    ["a negative count", aReservation("bad", {}, { count: "-4" })],
    ["a count in words", aReservation("bad", {}, { count: "four" })],
    ["no count", aReservation("bad", {}, { count: undefined })],
    ["a date that is none", aReservation("bad", { deleteAtTime: "soon" })],
    ["nothing reserved", aReservation("bad", { specificReservation: undefined })],
    ["no name", { ...aReservation("bad"), name: undefined, id: "bad" }],
  ])("one with %s is told and takes no other away", (_, bad) => {
    const parsed = parseDocument([bad, aReservation("good")]);
    expect(parsed.problems).toEqual([]);
    expect(parsed.reservations.map(({ name }) => name)).toEqual(["good"]);
    expect(parsed.issues).toMatchObject([
      {
        code: "ReservationUnreadable",
        severity: "error",
        message: expect.stringContaining("bad"),
        source: "s",
      },
    ]);
  });
});

describe("lists of the REST API", () => {
  const aggregated = {
    kind: "compute#reservationAggregatedList",
    items: {
      "zones/us-central1-a": { reservations: [aReservation("a")] },
      "zones/us-central1-b": { warning: { code: "NO_RESULTS_ON_PAGE" } },
      "zones/us-central1-c": { warning: { code: "UNREACHABLE" } },
    },
    unreachables: ["zones/us-central1-d"],
  };

  it.each<[string, unknown, number]>([
    ["a list", { kind: "compute#reservationList", items: [aReservation("a"), aReservation("b")] }, 2],
    ["an empty list", { kind: "compute#reservationList", id: "x" }, 0],
    ["an aggregated list", aggregated, 1],
    ["one resource", aReservation("a"), 1],
    ["records without kind", [{ ...aReservation("a"), kind: undefined }], 1],
    ["nothing at all", [], 0],
  ])("%s is read", (_, document, count) => {
    const parsed = parseDocument(document);
    expect(parsed.problems).toEqual([]);
    expect(parsed.reservations).toHaveLength(count);
  });

  it("names zones that did not answer, and further pages", () => {
    const messages = parseDocument({ ...aggregated, nextPageToken: "t" }).issues.map(
      ({ message }) => message,
    );
    expect(messages).toEqual([
      expect.stringContaining("zones/us-central1-c"),
      expect.stringContaining("zones/us-central1-d"),
      expect.stringContaining("goes on"),
    ]);
  });

  it("is a problem where it is something else", () => {
    expect(sample("operation-error").problems).toHaveLength(1);
    expect(parseDocument([{ kind: "compute#disk", name: "d" }]).problems).toHaveLength(1);
  });
});

describe("gcloud compute future-reservations list", () => {
  it("gives what was asked for or delivered, when, and what became of it", () => {
    const parsed = sample("future-reservations-list");
    const waiting = { broken: 0, used: undefined, billed: false, launchable: false };
    const delivered = { broken: 0, used: undefined, billed: true, launchable: true };
    expect(parsed.reservations.map(reservationRow)).toEqual([
      {
        name: "q1-b200",
        instanceType: "a4-highgpu-8g",
        slots: "32 × 8",
        bought: "future, targeted",
        ...waiting,
        state: "APPROVED: scheduled",
        time: "2027-01-04 to 2027-04-04",
      },
      {
        name: "cal-h200",
        instanceType: "a3-ultragpu-8g",
        slots: "4 × 8",
        bought: "block, targeted",
        ...delivered,
        state: "FULFILLED: active",
        time: "2026-12-02T08:00 to 2026-12-16T08:00",
      },
      {
        name: "xmas-h100",
        instanceType: "a3-highgpu-8g",
        slots: "8 × 8",
        bought: "future, targeted",
        ...waiting,
        state: "PENDING_APPROVAL: scheduled",
        time: "2026-12-20 to -",
      },
      {
        name: "draft-g4",
        instanceType: "g4-standard-384",
        slots: "10 × 8",
        bought: "future, targeted",
        ...waiting,
        state: "DRAFTING: scheduled",
        time: "2027-02-01 to -",
      },
      {
        name: "nov-a4",
        instanceType: "a4-highgpu-8g",
        slots: "18 × 8",
        bought: "future, targeted",
        ...delivered,
        state: "FAILED_PARTIALLY_FULFILLED: active",
        time: "2026-11-20 to -",
      },
      {
        name: "no-luck",
        instanceType: "a4-highgpu-8g",
        slots: "16 × 8",
        bought: "block, targeted",
        ...waiting,
        state: "DECLINED: failed",
        time: "2026-12-05T08:00 to 2026-12-07T08:00",
      },
    ]);
    expect(parsed.issues).toMatchObject([
      {
        code: "FutureReservationPartlyFulfilled",
        severity: "info",
        message: expect.stringContaining("18 of 20"),
      },
    ]);
  });

  it("counts slots once, whichever lists are there, and in whatever order and files", () => {
    const state = (parsed: ReturnType<typeof sample>): ReservationState => ({
      reservations: { known: true, items: parsed.reservations },
      supplements: parsed.supplements ?? [],
      status: { id: "s", kind: "reservations", state: "live", asOf: 0, error: undefined },
      issues: [],
    });
    const [made, future] = [state(sample("reservations-list")), state(sample("future-reservations-list"))];
    const names = (states: readonly ReservationState[]) =>
      combineReservations(states, 0).reservations.items.map(({ name }) => name);
    const waiting = ["q1-b200", "xmas-h100", "draft-g4", "no-luck"];
    const listed = ["h100-train", "b200-dense", "cal-h200-20261202", "l4-any", "new-h100", "tpu-v6e-agg"];
    expect(names([made, future]).sort()).toEqual([...listed, ...waiting].sort());
    expect(names([future, made]).sort()).toEqual([...listed, ...waiting].sort());
    expect(names([future]).sort()).toEqual([...waiting, "cal-h200", "nov-a4"].sort());
    const calendar = combineReservations([made, future], 0).reservations.items.find((r) =>
      r.name.startsWith("cal-"),
    );
    expect(calendar).toMatchObject({ market: "block", start: Date.UTC(2026, 11, 2, 8), count: 4 });
  });

  it.each<[string, string]>([
    ["DRAFTING", "scheduled"],
    ["PENDING_APPROVAL", "scheduled"],
    ["PENDING_AMENDMENT_APPROVAL", "scheduled"],
    ["APPROVED", "scheduled"],
    ["COMMITTED", "scheduled"],
    ["PROCURING", "scheduled"],
    ["PROVISIONING", "scheduled"],
    ["FULFILLED", "active"],
    ["FAILED_PARTIALLY_FULFILLED", "active"],
    ["FAILED", "failed"],
    ["DECLINED", "failed"],
    ["CANCELLED", "ended"],
    ["PROCUREMENT_STATUS_UNSPECIFIED", "unknown"],
  ])("%s is %s", (procurementStatus, state) => {
    const lifecycle = only([aFuture({}, { procurementStatus })])?.lifecycle;
    const billed = state === "unknown" ? undefined : state === "active";
    expect(lifecycle).toMatchObject({ state, billed, launchable: billed });
  });

  it.each<[string, object, string | undefined]>([
    ["stays after the window", {}, undefined],
    ["is deleted at the window's end", { autoDeleteAutoCreatedReservations: true }, "2026-12-31"],
    [
      "is deleted at a time",
      { autoDeleteAutoCreatedReservations: true, autoCreatedReservationsDeleteTime: "2026-12-24T00:00:00Z" },
      "2026-12-24",
    ],
    [
      "is deleted after a time",
      { autoDeleteAutoCreatedReservations: true, autoCreatedReservationsDuration: { seconds: "864000" } },
      "2026-11-11",
    ],
    [
      "is deleted after a year",
      {
        autoDeleteAutoCreatedReservations: true,
        autoCreatedReservationsDuration: { seconds: "31536000" },
      },
      "2027-11-01",
    ],
    [
      "ends with its calendar",
      {
        reservationMode: "CALENDAR",
        timeWindow: { startTime: "2026-11-01T00:00:00Z", duration: { seconds: "86400" } },
      },
      "2026-11-02",
    ],
  ])("%s", (_, fields, end) => {
    expect(only([aFuture(fields)])?.end).toBe(end === undefined ? undefined : Date.parse(end));
  });
});

describe("blocks, sub-blocks and instances", () => {
  it("say which hosts are broken and which machines run where", () => {
    const id = `${PLACE}/reservations/b200-dense`;
    expect(sample("reservation-sub-blocks-list").supplements).toEqual([{ provider: "gcp", id, broken: 1 }]);
    expect(sample("instances-list").supplements).toEqual([
      { provider: "gcp", id, machines: ["gke-train-b200-pool-1a2b3c4d-x1y2"] },
    ]);
    expect(sample("reservation-blocks-list").issues).toMatchObject([
      { code: "ReservationBlockDegraded", message: expect.stringContaining("b200-dense-block-0002") },
    ]);
  });

  it("are read beside reservations in one array", () => {
    const instance = {
      kind: "compute#instance",
      name: "VM-1",
      resourceStatus: { reservationConsumptionInfo: { consumedReservation: `${PLACE}/reservations/a` } },
    };
    const parsed = parseDocument([instance, aReservation("a"), { kind: "compute#disk", name: "d" }]);
    expect(parsed.reservations).toHaveLength(1);
    expect(parsed.supplements).toEqual([
      { provider: "gcp", id: `${PLACE}/reservations/a`, machines: ["vm-1"] },
    ]);
    expect(issueCodes(parsed)).toEqual(["error ReservationUnreadable"]);
  });
});
