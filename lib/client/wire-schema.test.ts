import { describe, expect, it } from "vitest";
import { deriveFleetView } from "../pipeline.ts";
import { aNode, aPod, aReservation, aSnapshot, NOW } from "../testing/builders.ts";
import { aFleetView } from "../testing/view-fixture.ts";
import { demoViewSchema, fleetViewSchema, trendViewSchema } from "./wire-schema.ts";

const overTheWire = (data: unknown): unknown => JSON.parse(JSON.stringify(data));

describe("fleetViewSchema", () => {
  it("lets a view through as it is, every field of it", () => {
    const labels = { pool: "res" };
    const view = deriveFleetView(
      aSnapshot({
        reservations: [
          aReservation({
            id: "res",
            count: 3,
            end: NOW + 86_400_000,
            usableUntil: NOW + 80_000_000,
            used: 4,
            broken: 1,
            region: "us-east-1",
            zone: "us-east-1a",
            account: "111122223333",
            market: "block",
            matching: "targeted",
            rawState: "active",
            lifecycle: { state: "active", billed: true, launchable: true, doc: "https://provider.example" },
          }),
        ],
        owners: [
          { layer: "L3", pool: undefined, namespace: undefined, team: "queue crew", contact: "#queue" },
        ],
        nodes: [
          aNode({ name: "busy", labels }),
          aNode({ name: "cordoned", labels, unschedulable: true }),
          aNode({ name: "other" }),
        ],
        pods: [
          aPod({ name: "runs", gpus: 8, nodeName: "busy" }),
          aPod({ name: "waits", gpus: 8 }),
          aPod({ name: "too-large", gpus: 16, owner: { kind: "Job", name: "too-large", uid: "u" } }),
        ],
        sources: [
          {
            id: "kubernetes/pods",
            kind: "kubernetes",
            state: "stale",
            asOf: NOW,
            error: { code: "unreachable", message: "no answer", hint: "" },
          },
        ],
        issues: [
          { code: "Odd", severity: "warning", message: "odd", object: { kind: "Node", name: "busy" } },
        ],
      }),
      NOW,
    );
    expect(view.stuck).toHaveLength(2);
    expect(view.losses.length).toBeGreaterThan(0);
    expect(view.findings.map(({ kind }) => kind)).toContain("ending-with-work");
    expect(view.stuck.map(({ contact }) => contact)).toContain("#queue");
    expect(view.lanes.find(({ layer }) => layer === "L3")?.owner).toBe("queue crew");
    expect(fleetViewSchema.parse(overTheWire(view))).toEqual(overTheWire(view));
  });

  it("accepts every stage", () => {
    const view = overTheWire(aFleetView());
    expect(fleetViewSchema.parse(view)).toEqual(view);
  });

  it("drops fields that it does not know", () =>
    expect(fleetViewSchema.parse({ ...aFleetView(), news: 1 })).not.toHaveProperty("news"));
});

describe("the views beside it", () => {
  it("lets a trend with gaps through", () => {
    const figure = { gpus: 8, perHour: [{ currency: "USD", micros: 1 }] };
    const trend = {
      since: NOW,
      interval: 10_000,
      points: [{ at: NOW, paid: figure, schedulable: figure, working: { gpus: null, perHour: [] } }],
    };
    expect(trendViewSchema.parse(trend)).toEqual(trend);
  });

  it("lets a demo through, and none", () => {
    const demo = {
      scenario: "layers",
      title: "Layers",
      scenarios: ["fleet", "layers"],
      steps: [{ title: "one", text: "first" }],
      step: 0,
      playing: true,
      loops: false,
      server: "http://127.0.0.1:1",
    };
    expect(demoViewSchema.parse(demo)).toEqual(demo);
    expect(demoViewSchema.parse(null)).toBeNull();
  });
});
