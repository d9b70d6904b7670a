import { describe, expect, it } from "vitest";
import type { PoolView, ReservationView } from "@/lib/model/fleet-view.ts";
import { aFleetView, VIEW_NOW } from "@/lib/testing/view-fixture.ts";
import { poolWords } from "./pool-words.ts";

const [pool] = aFleetView([
  {
    name: "a",
    instanceType: "p5.48xlarge",
    model: "H100",
    place: "us-east-1a",
    provider: "aws",
    micros: 4_120_000,
    blocks: ["WWWWWWWW"],
  },
]).pools;

function words(overrides: Partial<PoolView> = {}) {
  if (!pool) throw new Error("no pool");
  return poolWords({ ...pool, ...overrides }, VIEW_NOW);
}

function term(overrides: Partial<ReservationView>) {
  if (!pool?.reservation) throw new Error("no reservation");
  return words({ reservation: { ...pool.reservation, ...overrides } });
}

const usd = (amount: number) => ({ currency: "USD", micros: amount * 1_000_000 });
const inHours = (hours: number) => new Date(VIEW_NOW + hours * 3_600_000).toISOString();

describe("poolWords", () => {
  it("names machine, size, rate and place", () =>
    expect(words()).toEqual({
      machine: "p5.48xlarge",
      size: "8 × H100 · $4.12",
      place: "AWS us-east-1a",
      term: { text: "", tone: "calm" },
    }));

  it("does not invent what is not known", () =>
    expect(
      words({
        instanceTypes: [],
        gpuModel: null,
        provider: null,
        zones: [],
        reservation: null,
        capacityType: "unknown",
        paid: { gpus: null, perHour: [], certainty: "?" },
        rate: { perGpuHour: null, min: null, max: null, source: "unknown", asOf: null },
      }),
    ).toEqual({
      machine: "unknown machine",
      size: "? × GPU · no price",
      place: "",
      term: { text: "no reservation", tone: "calm" },
    }));

  it("names the first of many, and the range of several rates", () => {
    const many = words({
      instanceTypes: ["a", "b", "c"],
      zones: ["z1", "z2"],
      provider: "onprem",
      rate: { perGpuHour: null, min: usd(2), max: usd(4), source: "mixed", asOf: null },
    });
    expect(many).toMatchObject({ machine: "a +2", place: "onprem z1 +1", size: "8 × H100 · $2.00 – $4.00" });
  });

  it.each<[Partial<ReservationView>, string, string]>([
    [{ end: inHours(9.5) }, "ends in 9 h 30 m", "warn"],
    [{ end: inHours(8 * 24) }, "ends in 8 d", "calm"],
    [{ state: "scheduled", start: inHours(30) }, "starts in 1 d 6 h", "note"],
    [{ state: "failed" }, "failed, not billed", "calm"],
  ])("says of the term %j: %s", (reservation, text, tone) =>
    expect(term(reservation)).toMatchObject({ term: { text, tone } }),
  );

  it("warns of an end within the notice time, however long that is", () =>
    expect(
      pool?.reservation &&
        poolWords({ ...pool, reservation: { ...pool.reservation, end: inHours(240) } }, VIEW_NOW, true).term,
    ).toEqual({ text: "ends in 10 d", tone: "warn" }));
});
