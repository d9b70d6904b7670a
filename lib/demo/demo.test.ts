import { afterEach, describe, expect, it } from "vitest";
import { type Demo, demoScenarios, startDemo } from "./demo.ts";

let demo: Demo | undefined;

afterEach(async () => {
  await demo?.close();
  demo = undefined;
});

async function start(name: string, now?: number): Promise<Demo> {
  demo = await startDemo(name, now === undefined ? {} : { now });
  demo.setPlaying(false);
  return demo;
}

async function list(url: string, plural: string) {
  const response = await fetch(`${url}/api/v1/${plural}`, { headers: { accept: "application/json" } });
  expect(response.status).toBe(200);
  const { items }: { items: { metadata: { name: string; creationTimestamp: string } }[] } =
    await response.json();
  return items;
}

describe("startDemo", () => {
  it("knows its scenarios, the default one first", () => {
    expect(demoScenarios()).toEqual(["fleet", "layers"]);
  });

  it("refuses a scenario that is not there", async () => {
    await expect(startDemo("../layers")).rejects.toThrow(
      'expected a demo scenario (fleet, layers), found "../layers"',
    );
  });

  it("serves the scenario as a Kubernetes API", async () => {
    const { url } = await start("layers");
    const names = (await list(url, "nodes")).map(({ metadata }) => metadata.name);
    expect(names).toEqual(["layers-control-plane", "layers-worker", "layers-worker2"]);
  });

  it("moves all times to its clock", async () => {
    const now = Date.parse("2030-01-01T00:00:00Z");
    const { url, reservations } = await start("layers", now);
    const [controlPlane] = await list(url, "nodes");
    const age = now - Date.parse(controlPlane?.metadata.creationTimestamp ?? "");
    expect(age / 60_000).toBeCloseTo(122, 0);
    expect(JSON.stringify(reservations)).toContain('"start":"2029-12-');
  });

  it("shows what each step says", async () => {
    const { url, goTo, view } = await start("layers");
    const trainers = async () =>
      (await list(url, "pods"))
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.startsWith("trainer"));
    expect(await trainers()).toEqual([]);
    goTo(3);
    expect(await trainers()).toEqual(["trainer-a", "trainer-b", "trainer-c"]);
    expect(view()).toMatchObject({ scenario: "layers", step: 3, playing: false, loops: false, server: url });
    goTo(0);
    expect(await trainers()).toEqual([]);
  });

  it("tells of changes", async () => {
    const { goTo, onChange, view } = await start("layers");
    const steps: number[] = [];
    const leave = onChange(() => steps.push(view().step));
    goTo(2);
    leave();
    goTo(1);
    expect(steps).toEqual([2]);
  });

  it("leaves nothing behind when it is closed", async () => {
    const { url, close } = await start("layers");
    await close();
    await expect(fetch(`${url}/api/v1/nodes`)).rejects.toThrow();
  });
});
