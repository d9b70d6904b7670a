import { describe, expect, it } from "vitest";
import { buildFleet } from "../layers/build-fleet.ts";
import type { ReservationView } from "../model/fleet-view.ts";
import type { Reservation } from "../model/reservation.ts";
import { aNode, aReservation, aSnapshot, NOW } from "../testing/builders.ts";
import { classifyPool } from "./classify.ts";
import { buildPoolView } from "./pool-view.ts";

function viewOf(
  rest: Partial<Reservation>,
  nodes = [aNode({ labels: { pool: "r" } })],
): ReservationView | null {
  const fleet = buildFleet(aSnapshot({ nodes, reservations: [aReservation({ id: "r", ...rest })] }), NOW);
  const pool = fleet.pools.find(({ id }) => id === "reservation/r");
  return pool ? buildPoolView(pool, classifyPool(pool, fleet)).reservation : null;
}

const at = (time: number) => new Date(time).toISOString();

describe("a reservation on the wire", () => {
  it("counts its slots", () => {
    expect(viewOf({ count: 7, broken: 1, used: 3 })).toMatchObject({
      slots: 7,
      launched: 1,
      used: 3,
      broken: 1,
      // 6 without a node of ours: 1 broken, 2 elsewhere.
      free: 3,
    });
  });

  it("has no free slots where none can be launched", () => {
    const lifecycle = { state: "active", billed: true, launchable: false, doc: "https://a.example" } as const;
    expect(viewOf({ count: 7, lifecycle })).toMatchObject({
      billed: true,
      launchable: false,
      free: 0,
      doc: "https://a.example",
    });
  });

  it("says null where it cannot be told", () => {
    expect(viewOf({ rawState: "galactic" })).toMatchObject({
      state: "unknown",
      rawState: "galactic",
      billed: null,
      launchable: null,
      used: null,
      doc: null,
      matching: null,
      region: null,
      nextChange: null,
    });
  });

  it.each<[string, Partial<Reservation>, ReservationView["nextChange"]]>([
    ["it starts", { start: NOW + 1 }, { at: at(NOW + 1), what: "starts" }],
    ["it ends", { end: NOW + 2 }, { at: at(NOW + 2), what: "ends" }],
    [
      "its machines are taken back before it ends",
      { end: NOW + 2, usableUntil: NOW + 1 },
      { at: at(NOW + 1), what: "its machines are taken back" },
    ],
    ["it ends, in its last minutes", { end: NOW + 2, usableUntil: NOW }, { at: at(NOW + 2), what: "ends" }],
    ["nothing, with an open end", {}, null],
    ["nothing, once it has ended", { end: NOW - 1 }, null],
  ])("says what comes next: %s", (_, rest, nextChange) => {
    expect(viewOf(rest)?.nextChange).toEqual(nextChange);
  });
});
