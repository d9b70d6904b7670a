import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import type { FleetView } from "../model/fleet-view.ts";
import { aFleetView, at, FLEET } from "../testing/view-fixture.ts";
import { takeFrame } from "./fleet-cache.ts";

const view = aFleetView();
const frame = (data: unknown): string => JSON.stringify(data);
const cached = (client: QueryClient) => client.getQueryData<FleetView>(["view"]);

describe("takeFrame", () => {
  it("keeps what did not change the identical object", () => {
    const client = new QueryClient();
    takeFrame(client, "view", frame(view));
    const before = cached(client);
    const changed = FLEET.map((spec) => (spec.name === "spot" ? { ...spec, blocks: ["W", "R"] } : spec));
    expect(takeFrame(client, "view", frame(aFleetView(changed, { generatedAt: at(-1) })))).toBeUndefined();
    const after = cached(client);
    expect(after?.generatedAt).toBe(at(-1));
    const same = after?.pools.map((pool, index) => pool === before?.pools[index]);
    expect(same).toEqual([true, true, true, true, true, false]);
    expect(after?.sources).toBe(before?.sources);
  });

  it.each([
    ["no JSON", "{", "view: Invalid input: expected object, received undefined"],
    ["another version", frame({ ...view, apiVersion: "seamline.dev/v9" }), "view.apiVersion: "],
    [
      "a count that is none",
      frame({ ...view, counts: { ...view.counts, nodes: -1 } }),
      "view.counts.nodes: ",
    ],
    ["a missing part", frame({ ...view, pools: undefined }), "view.pools: "],
  ])("says what is wrong with %s, and keeps what it has", (_, data, problem) => {
    const client = new QueryClient();
    takeFrame(client, "view", frame(view));
    expect(takeFrame(client, "view", data)).toContain(problem);
    expect(cached(client)).toEqual(view);
  });

  it("takes the end of a demo", () => {
    const client = new QueryClient();
    expect(takeFrame(client, "demo", "null")).toBeUndefined();
    expect(client.getQueryData(["demo"])).toBeNull();
  });

  it("leaves alone what it does not know", () => {
    const client = new QueryClient();
    expect(takeFrame(client, "weather", "{}")).toBeUndefined();
    expect(client.getQueryCache().getAll()).toEqual([]);
  });
});
