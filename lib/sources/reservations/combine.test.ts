import { describe, expect, it } from "vitest";
import { UNKNOWN_RATE } from "../../model/money.ts";
import type { Reservation } from "../../model/reservation.ts";
import { aReservation, NOW } from "../../testing/builders.ts";
import { combineReservations } from "./combine.ts";
import type { ReservationFee, ReservationSupplement } from "./format.ts";
import type { ReservationState } from "./reservation-source.ts";

const HOUR = 3_600_000;

function says(
  sourceId: string,
  parts: { reservations?: Partial<Reservation>[]; supplements?: Omit<ReservationSupplement, "provider">[] },
  rest: Partial<ReservationState> = {},
): ReservationState {
  const items = (parts.reservations ?? []).map((one) =>
    aReservation({ rate: UNKNOWN_RATE, ...one, sourceId }),
  );
  return {
    reservations: { known: true, items },
    supplements: (parts.supplements ?? []).map((one) => ({ provider: "aws", ...one })),
    status: { id: sourceId, kind: "reservations", state: "live", asOf: NOW, error: undefined },
    issues: [],
    ...rest,
  };
}

const combine = (...states: ReservationState[]) => combineReservations(states, NOW);
const first = (...states: ReservationState[]) => combine(...states).reservations.items[0];
const codes = (...states: ReservationState[]) => combine(...states).issues.map((issue) => issue.code);

describe("a reservation that several sources tell of", () => {
  const twice = { reservations: [{ id: "cr-1", count: 2 }] };
  const other = { reservations: [{ id: "CR-1", count: 9 }] };

  it("is one, the first, and both are named", () => {
    const { reservations, issues } = combine(says("a", twice), says("b", other));
    expect(reservations.items).toMatchObject([{ count: 2, sourceId: "a" }]);
    expect(issues).toMatchObject([
      {
        code: "DuplicateReservation",
        severity: "error",
        source: "b",
        message: expect.stringContaining("in a and b"),
      },
    ]);
  });

  it("is what the provider itself says, whatever comes first", () => {
    expect(first(says("file", twice), says("live", other, { isLive: true }))).toMatchObject({ count: 9 });
  });

  it("is named where one file has it twice", () => {
    const { reservations } = twice;
    const { issues } = combine(says("a", { reservations: [...reservations, ...reservations] }));
    expect(issues).toMatchObject([{ message: expect.stringContaining("twice in a") }]);
  });

  it("is unknown as a whole while one source is", () => {
    const unread = says("b", {}, { reservations: { known: false, items: [] } });
    expect(combine(says("a", twice), unread).reservations).toMatchObject({ known: false, items: [{}] });
  });
});

describe("what other documents say of a reservation", () => {
  const listed = says("a", { reservations: [{ id: "cr-1", count: 4, broken: 1, machines: ["i-1"] }] });

  it("is joined to it, whatever the case of its id", () => {
    const more = says("b", { supplements: [{ id: "CR-1", broken: 2, machines: ["i-2", "i-1"] }] });
    expect(first(listed, more)).toMatchObject({ broken: 2, machines: ["i-1", "i-2"] });
  });

  it("never breaks more slots than there are", () => {
    expect(first(listed, says("b", { supplements: [{ id: "cr-1", broken: 9 }] }))).toMatchObject({
      broken: 4,
    });
  });

  it("tells how it was bought, and goes before its own record there", () => {
    const more = says("b", {
      supplements: [{ id: "cr-1", market: "block", matching: "targeted", start: 7 }],
    });
    const bare = says("a", { reservations: [{ id: "cr-1", start: undefined }] });
    expect(first(bare, more)).toMatchObject({ market: "block", matching: "targeted", start: 7 });
    expect(first(listed, more)?.start).toBe(7);
  });

  it("is counted where no source lists the reservation", () => {
    const stray = says("b", {
      supplements: [{ id: "cr-9", broken: 1 }, { id: "CR-9", machines: ["i"] }, { id: "x" }],
    });
    expect(codes(listed, stray)).toEqual([
      "SupplementOfUnknownReservation",
      "SupplementOfUnknownReservation",
    ]);
  });
});

describe("a future reservation that was fulfilled", () => {
  const future = says("a", {
    reservations: [{ id: "future-1" }],
    supplements: [{ id: "future-1", fulfilledBy: ["made-1", "made-2"] }],
  });

  it("is not counted beside the reservations that were made of it", () => {
    const made = says("b", { reservations: [{ id: "MADE-2" }] });
    expect(combine(future, made).reservations.items.map(({ id }) => id)).toEqual(["MADE-2"]);
  });

  it("stands for them where no source lists them", () => {
    expect(first(future)).toMatchObject({ id: "future-1" });
  });
});

describe("a fee", () => {
  const fee = (micros: number, from: number, until: number): ReservationFee => {
    return { total: { currency: "USD", micros }, from: NOW + from * HOUR, until: NOW + until * HOUR };
  };
  const rateOf = (fees: ReservationFee[], rest: Partial<Reservation> = {}) =>
    first(
      says("a", { reservations: [{ id: "cr-1", count: 2, gpusPerInstance: 8, ...rest }] }),
      says("b", { supplements: fees.map((one) => ({ id: "cr-1", fee: one })) }),
    )?.rate;
  const usd = (micros: number) => ({ perGpuHour: { currency: "USD", micros }, source: "fee", bound: "=" });

  it.each<[string, ReservationFee[], unknown]>([
    // 2 slots of 8 GPUs for 24 h: 384 GPU-hours.
    ["is spread over all slots, GPUs and hours", [fee(384e6, -12, 12)], usd(1e6)],
    ["has its own time: now the extension's", [fee(768e6, -48, 0), fee(384e6, 0, 24)], usd(1e6)],
    ["whatever the order", [fee(384e6, 0, 24), fee(768e6, -48, 0)], usd(1e6)],
    ["before its start is the first", [fee(384e6, 24, 48), fee(768e6, 48, 72)], usd(1e6)],
    ["after its end is the last", [fee(768e6, -72, -48), fee(384e6, -48, -24)], usd(1e6)],
    ["for no time at all says nothing", [fee(384e6, 1, 1)], UNKNOWN_RATE],
  ])("%s", (_, fees, expected) => {
    expect(rateOf(fees)).toEqual(expected);
  });

  it("does not overrule the price that the record has", () => {
    const rate = { perGpuHour: { currency: "EUR", micros: 1 }, source: "provider", bound: "=" } as const;
    expect(rateOf([fee(384e6, -12, 12)], { rate })).toEqual(rate);
  });

  it("for no slots says nothing", () => {
    expect(rateOf([fee(384e6, -12, 12)], { count: 0 })).toEqual(UNKNOWN_RATE);
  });
});
