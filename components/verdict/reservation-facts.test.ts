import { describe, expect, it } from "vitest";
import { aRow, inDays, VIEW_NOW } from "@/components/capacity/row-fixture.ts";
import type { ReservationView } from "@/lib/model/fleet-view.ts";
import { reservationFacts } from "./reservation-facts.ts";

const fact = (name: string, reservation: Partial<ReservationView>) =>
  new Map(reservationFacts(aRow("a", reservation).reservation, VIEW_NOW)).get(name);

describe("reservationFacts", () => {
  it.each<[string, Partial<ReservationView>, string | null]>([
    ["state", { rawState: null }, "active (by its dates), billed now, machines can be launched"],
    [
      "state",
      { state: "unknown", rawState: "REMODELLING", billed: null, launchable: null },
      "unknown (the provider says REMODELLING), not known whether it is billed, not known whether machines can be launched",
    ],
    ["slots", { used: 2, broken: 1 }, "2 × 8 GPUs: 2 used, 1 free, 1 broken, 1 with a node"],
    [
      "slots",
      { used: null },
      "2 × 8 GPUs: the provider does not say how many are used, 1 free, 0 broken, 1 with a node",
    ],
    ["end", { end: null }, "no end date"],
    ["end", { end: inDays(2) }, "ends in 2 d (2026-12-03 12:00:00 UTC)"],
    ["end", { end: inDays(-2) }, "ended 2 d ago (2026-11-29 12:00:00 UTC)"],
    ["usable until", { usableUntil: inDays(1) }, "in 1 d (2026-12-02 12:00:00 UTC)"],
    [
      "next",
      { nextChange: { at: inDays(1), what: "its machines are taken back" } },
      "its machines are taken back in 1 d",
    ],
    ["next", { nextChange: null }, null],
    ["place", { region: "us-east-1", zone: "us-east-1a" }, "us-east-1, us-east-1a"],
    ["place", { region: null, zone: null }, null],
    ["account", { account: "123456789012" }, "123456789012"],
    ["matching", { matching: null }, null],
  ])("says of %s in %j", (name, reservation, text) => expect(fact(name, reservation)).toBe(text));
});
