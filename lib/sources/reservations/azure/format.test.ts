import { describe, expect, it } from "vitest";
import { issueCodes, parseDocument, parseSample, reservationRow } from "../../../testing/reservation-rows.ts";
import { combineReservations } from "../combine.ts";

const sample = (name: string) => parseSample(new URL(`./samples/azure-${name}.json`, import.meta.url));

const GROUP =
  "/subscriptions/S-1/resourceGroups/rg/providers/Microsoft.Compute/capacityReservationGroups/crg";
const vm = (index: number) => ({
  id: `/subscriptions/S-1/resourceGroups/MC_rg/providers/Microsoft.Compute/virtualMachineScaleSets/Pool-VMSS/virtualMachines/${index}`,
});

const aReservation = (fields: object = {}, properties: object = {}) => ({
  id: `${GROUP}/capacityReservations/cr`,
  name: "cr",
  location: "eastus2",
  zones: ["1"],
  sku: { name: "Standard_NC96ads_A100_v4", capacity: 4 },
  properties: {
    provisioningState: "Succeeded",
    instanceView: { utilizationInfo: { currentCapacity: 4, virtualMachinesAllocated: [vm(0)] } },
    ...properties,
  },
  ...fields,
});

/** As the az CLI and the SDK give it. */
const flat = ({ properties, ...rest }: ReturnType<typeof aReservation>) => ({ ...rest, ...properties });

const only = (fields?: object, properties?: object) =>
  parseDocument({ value: [aReservation(fields, properties)] }).reservations[0];

describe("capacity reservations", () => {
  it("give slots, use, state and dates in the REST shape", () => {
    const { reservations, problems, issues } = sample("capacity-reservations-rest");
    expect([problems, issues]).toEqual([[], []]);
    const active = { broken: 0, billed: true, launchable: true, state: "Succeeded: active" };
    const none = { broken: 0, billed: false, launchable: false };
    const since = "2026-11-20T09:59 to -";
    expect(reservations.map(reservationRow)).toEqual([
      {
        name: "cr-nc96-z1",
        instanceType: "Standard_NC96ads_A100_v4",
        slots: "4 × 4",
        used: 3,
        bought: "on-demand, targeted",
        ...active,
        time: since,
      },
      {
        name: "cr-t4",
        instanceType: "Standard_NC64as_T4_v3",
        slots: "4 × 4",
        used: 6,
        bought: "on-demand, targeted",
        ...active,
        time: since,
      },
      {
        name: "cr-h100-block",
        instanceType: "Standard_ND96isr_H100_v5",
        slots: "8 × 8",
        used: 0,
        bought: "block, targeted",
        ...active,
        time: "2026-12-08 to 2026-12-15",
      },
      {
        name: "cr-future",
        instanceType: "Standard_ND96isr_H200_v5",
        slots: "4 × 8",
        used: 0,
        bought: "future, targeted",
        ...none,
        state: "Approved: scheduled",
        time: "2027-01-10 to -",
      },
      {
        name: "cr-open-a10",
        instanceType: "Standard_NV36ads_A10_v5",
        slots: "10 × 1",
        used: 7,
        bought: "on-demand, open",
        ...active,
        time: since,
      },
      {
        name: "cr-fail",
        instanceType: "Standard_NC48ads_A100_v4",
        slots: "2 × 2",
        used: 0,
        bought: "on-demand, targeted",
        ...none,
        state: "Failed: failed",
        time: since,
      },
    ]);
  });

  it("say the same in the flat shape of the az CLI", () => {
    const rest = sample("capacity-reservations-rest").reservations.slice(0, 2);
    expect(sample("cli-capacity-reservation-list").reservations).toEqual(rest);
  });

  it("give ids in lower case, the place as nodes have it, and whole machine ids", () => {
    expect(only()).toMatchObject({
      id: "subscriptions/s-1/resourcegroups/rg/providers/microsoft.compute/capacityreservationgroups/crg/capacityreservations/cr",
      provider: "azure",
      account: "s-1",
      region: "eastus2",
      zone: "eastus2-1",
      machines: [
        "subscriptions/s-1/resourcegroups/mc_rg/providers/microsoft.compute/virtualmachinescalesets/pool-vmss/virtualmachines/0",
      ],
      lifecycle: { doc: expect.stringContaining("https://learn.microsoft.com/") },
    });
    const upper = only({ id: aReservation().id.toUpperCase().replace("/SUBSCRIPTIONS", "/subscriptions") });
    expect(upper?.id).toBe(only()?.id);
  });

  it.each<[string, string | undefined, number, string, boolean | undefined]>([
    ["Creating", undefined, 0, "scheduled", false],
    ["Succeeded", undefined, 4, "active", true],
    ["Updating", undefined, 4, "active", true],
    ["Deleting", undefined, 4, "active", true],
    ["Failed", undefined, 0, "failed", false],
    ["Failed", undefined, 3, "active", true],
    ["Odd", undefined, 4, "unknown", undefined],
    ["Succeeded", "Pending", 0, "scheduled", false],
    ["Succeeded", "Approved", 0, "scheduled", false],
    ["Succeeded", "Committed", 0, "scheduled", false],
    ["Succeeded", "Declined", 0, "failed", false],
    ["Succeeded", "FulfillmentFailed", 0, "failed", false],
    ["Succeeded", "Live", 4, "active", true],
    ["Succeeded", "PartiallyFulfilled", 2, "active", true],
    ["Succeeded", "Odd", 4, "unknown", undefined],
  ])(
    "%s, %s, holding %d: %s, billed %s",
    (provisioningState, reservationState, currentCapacity, state, billed) => {
      const instanceView = {
        utilizationInfo: { currentCapacity },
        ...(reservationState && { reservationStateInfo: { reservationState } }),
      };
      const parsed = only({}, { provisioningState, instanceView });
      expect(parsed?.lifecycle).toMatchObject({ state, billed });
      expect(parsed?.count).toBe(state === "active" ? currentCapacity : 4);
    },
  );

  it.each<[string, object, object]>([
    ["several zones", { zones: ["1", "2"] }, { zone: undefined }],
    ["no zone", { zones: null }, { zone: undefined, region: "eastus2" }],
    ["a part of a GPU", { sku: { name: "Standard_NV6ads_A10_v5", capacity: 3 } }, { gpusPerInstance: 1 }],
    ["times of the SDK", { timeCreated: new Date(5000) }, { start: 5000 }],
  ])("read %s", (_, fields, expected) => {
    expect(only(fields)).toMatchObject(expected);
  });

  it.each<[object, number | undefined, string]>([
    [{ virtualMachinesAllocated: [vm(0)], usedReservedCountBySubscription: {} }, 1, "targeted"],
    [{ virtualMachinesAllocated: [], usedReservedCountBySubscription: { s: 2 } }, 2, "open"],
    [{ usedReservedCountBySubscription: {} }, 0, "open"],
    [{ virtualMachinesAllocated: null, usedReservedCountBySubscription: null }, undefined, "targeted"],
  ])("count use in %j", (utilization, used, matching) => {
    const instanceView = { utilizationInfo: { currentCapacity: 4, ...utilization } };
    expect(only({}, { instanceView })).toMatchObject({ used, matching });
  });

  it("without an instance view say that use is unknown", () => {
    const parsed = parseDocument([flat(aReservation({}, { instanceView: undefined }))]);
    expect(parsed.reservations[0]).toMatchObject({ count: 4, used: undefined, machines: [] });
    expect(issueCodes(parsed)).toEqual(["info InstanceViewMissing"]);
  });

  it("say where only a part of what was asked for is held", () => {
    const instanceView = { utilizationInfo: { currentCapacity: 2 } };
    const parsed = parseDocument([aReservation({}, { provisioningState: "Failed", instanceView })]);
    expect(issueCodes(parsed)).toEqual(["warning ReservationChangeFailed"]);
  });

  it("leave out sizes without GPUs in one line, and unknown ones one by one", () => {
    const sized = (name: string) => aReservation({ sku: { name, capacity: 1 } });
    const parsed = parseDocument([sized("Standard_D4s_v5"), sized("Standard_NX99_new_v9"), aReservation()]);
    expect(parsed.reservations).toHaveLength(1);
    expect(issueCodes(parsed)).toEqual(["warning UnknownInstanceType", "info ReservationsWithoutGpus"]);
  });

  it.each<[string, object]>([
    ["a negative capacity", { sku: { name: "Standard_NC96ads_A100_v4", capacity: -1 } }],
    ["no size", { sku: undefined }],
    ["the id of something else", { id: "/subscriptions/s/resourceGroups/rg" }],
    ["no date", { timeCreated: "later" }],
  ])("with %s are told and take no other away", (_, fields) => {
    const parsed = parseDocument([aReservation({ ...fields, name: "bad" }), aReservation()]);
    expect(parsed.reservations.map(({ name }) => name)).toEqual(["cr"]);
    expect(parsed.issues).toMatchObject([
      { code: "ReservationUnreadable", severity: "error", message: expect.stringContaining("bad") },
    ]);
  });

  it("name further pages", () => {
    expect(issueCodes(parseDocument({ value: [aReservation()], nextLink: "https://x" }))).toEqual([
      "warning ReservationsIncomplete",
    ]);
  });

  it.each(["errors", "agent-pool"])("are not what %s is", (name) => {
    expect(sample(name).problems).toHaveLength(1);
  });
});

describe("capacity reservation groups", () => {
  const parsed = sample("capacity-reservation-groups-rest");
  const known = (name: string) => parsed.supplements?.find(({ id }) => id.endsWith(`/${name}`));

  it("tell type, use and machines of reservations that only the other list describes", () => {
    expect([parsed.problems, parsed.issues, parsed.reservations]).toEqual([[], [], []]);
    expect(known("cr-nc96-z1")).toMatchObject({ matching: "targeted", count: 4, used: 3 });
    expect(known("cr-t4")).toMatchObject({
      count: 4,
      used: 6,
      machines: expect.objectContaining({ length: 6 }),
    });
    expect(known("cr-h100-block")).toMatchObject({ market: "block", matching: "targeted" });
    expect(known("cr-open-a10")).toMatchObject({ matching: "open", used: 7 });
    expect(known("cr-future")).not.toHaveProperty("count");
  });

  it("complete a list without instance views, though ids differ in case", () => {
    const bare = parseDocument([flat(aReservation({}, { instanceView: undefined }))]);
    const view = {
      name: "CR",
      utilizationInfo: { currentCapacity: 3, virtualMachinesAllocated: [vm(0), vm(1)] },
    };
    const group = parseDocument([
      {
        id: GROUP.replace("/rg/", "/RG/"),
        name: "crg",
        reservationType: "Targeted",
        instanceView: { capacityReservations: [view] },
      },
    ]);
    const states = [bare, group].map(({ reservations, supplements = [] }) => ({
      reservations: { known: true, items: reservations },
      supplements,
      status: { id: "s", kind: "reservations", state: "live", asOf: 0, error: undefined } as const,
      issues: [],
    }));
    const combined = combineReservations(states, 0);
    expect(combined.reservations.items).toMatchObject([{ count: 3, used: 2, machines: { length: 2 } }]);
    expect(combined.issues).toEqual([]);
  });

  it("of a type that is not known are told", () => {
    const group = {
      id: GROUP,
      name: "crg",
      reservationType: "Odd",
      capacityReservations: [{ id: `${GROUP}/capacityReservations/cr` }],
    };
    expect(issueCodes(parseDocument([group]))).toEqual(["warning UnknownReservationType"]);
  });
});
