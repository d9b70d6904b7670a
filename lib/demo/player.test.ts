import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { KubernetesObject, ObjectRef } from "../testing/api-server/kubernetes-object.ts";
import { Player } from "./player.ts";
import type { Scenario } from "./scenario.ts";

const WRITTEN = Date.parse("2026-12-01T12:00:00Z");
const START = Date.parse("2027-03-01T08:00:00Z");

function anObject(name: string, fields: Readonly<Record<string, unknown>> = {}): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "ml", creationTimestamp: "2026-12-01T11:59:00Z" },
    ...fields,
  };
}

function aScenario(loops: boolean): Scenario {
  return {
    name: "test",
    title: "Test",
    description: "For the test",
    now: WRITTEN,
    loops,
    objects: [anObject("a"), anObject("b", { since: "2026-12-01T11:00:00Z" })],
    reservations: {},
    providers: [],
    settingsFile: undefined,
    logs: {},
    steps: [
      { title: "one", text: "", duration: 5_000, apply: [], remove: [] },
      {
        title: "two",
        text: "",
        duration: 10_000,
        apply: [anObject("b", { since: "2026-12-01T12:00:00Z" }), anObject("c")],
        remove: [{ kind: "Pod", namespace: "ml", name: "a" }],
      },
      { title: "three", text: "", duration: 10_000, apply: [anObject("a")], remove: [] },
    ],
  };
}

/** Keeps what is shown and counts what it is told. */
function aTarget() {
  const objects = new Map<string, KubernetesObject>();
  const told = { applied: [] as string[], removed: [] as string[] };
  return {
    objects,
    told,
    names: () => [...objects.keys()].sort().join(" "),
    apply(added: readonly KubernetesObject[]) {
      for (const object of added) {
        objects.set(object.metadata.name, object);
        told.applied.push(object.metadata.name);
      }
    },
    remove(refs: readonly ObjectRef[]) {
      for (const { name } of refs) {
        objects.delete(name);
        told.removed.push(name);
      }
    },
  };
}

function play(loops = false) {
  const target = aTarget();
  const player = new Player(aScenario(loops), target, Date.now);
  return { target, player };
}

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("steps", () => {
  it("shows the base with the first step, its times as far from the start as they were from now", () => {
    const { target, player } = play();
    expect(target.names()).toBe("a b");
    expect(target.objects.get("b")?.since).toBe("2027-03-01T07:00:00Z");
    expect(player).toMatchObject({ step: 0, playing: true });
  });

  it("goes on after each step's time, with the times of that moment", () => {
    const { target, player } = play();
    vi.advanceTimersByTime(4_999);
    expect(player.step).toBe(0);
    vi.advanceTimersByTime(1);
    expect(player.step).toBe(1);
    expect(target.names()).toBe("b c");
    expect(target.objects.get("b")?.since).toBe("2027-03-01T08:00:05Z");
    expect(target.objects.get("c")?.metadata.creationTimestamp).toBe("2027-03-01T07:59:05Z");
  });

  it("leaves an object's creationTimestamp when a step replaces it", () => {
    const { target } = play();
    vi.advanceTimersByTime(5_000);
    expect(target.objects.get("b")?.metadata.creationTimestamp).toBe("2027-03-01T07:59:00Z");
  });

  it("tells its target only what has changed", () => {
    const { target, player } = play();
    expect(target.told).toEqual({ applied: ["a", "b"], removed: [] });
    vi.advanceTimersByTime(5_000);
    expect(target.told).toEqual({ applied: ["a", "b", "b", "c"], removed: ["a"] });
    player.goTo(0);
    expect(target.told).toEqual({ applied: ["a", "b", "b", "c", "a", "b"], removed: ["a", "c"] });
  });

  it("starts a walk-through over from its base", () => {
    const { target, player } = play(false);
    vi.advanceTimersByTime(25_000);
    expect(player.step).toBe(0);
    expect(target.names()).toBe("a b");
    expect(target.objects.get("b")?.since).toBe("2027-03-01T07:00:00Z");
  });

  it("repeats the steps of a loop upon what is there", () => {
    const { target, player } = play(true);
    vi.advanceTimersByTime(25_000);
    expect(player.step).toBe(0);
    expect(target.names()).toBe("a b c");
    vi.advanceTimersByTime(5_000);
    expect(target.names()).toBe("b c");
    expect(target.objects.get("b")?.since).toBe("2027-03-01T08:00:30Z");
  });
});

describe("control", () => {
  it.each([
    [0, "a b"],
    [1, "b c"],
    [2, "a b c"],
  ])("jumps to step %d from every other", (step, names) => {
    for (const from of [0, 1, 2]) {
      const { target, player } = play();
      player.goTo(from);
      player.goTo(step);
      expect(player.step).toBe(step);
      expect(target.names()).toBe(names);
    }
  });

  it.each([-1, 3, 0.5, Number.NaN])("refuses step %d", (step) => {
    const { target, player } = play();
    expect(() => player.goTo(step)).toThrow(RangeError);
    expect(target.names()).toBe("a b");
  });

  it("gives a step its whole time after a jump", () => {
    const { player } = play();
    vi.advanceTimersByTime(4_000);
    player.goTo(1);
    vi.advanceTimersByTime(9_999);
    expect(player.step).toBe(1);
    vi.advanceTimersByTime(1);
    expect(player.step).toBe(2);
  });

  it("stays where it is while it does not play, also after a jump", () => {
    const { player } = play();
    player.setPlaying(false);
    player.goTo(1);
    vi.advanceTimersByTime(60_000);
    expect(player).toMatchObject({ step: 1, playing: false });
    player.setPlaying(true);
    vi.advanceTimersByTime(10_000);
    expect(player).toMatchObject({ step: 2, playing: true });
  });

  it("tells its listeners until they have left", () => {
    const { player } = play();
    const seen: string[] = [];
    const leave = player.onChange(() => seen.push(`${player.step} ${player.playing}`));
    vi.advanceTimersByTime(5_000);
    player.setPlaying(false);
    player.goTo(2);
    leave();
    player.goTo(0);
    expect(seen).toEqual(["1 true", "1 false", "2 false"]);
  });

  it("leaves no timer when it is closed", () => {
    const { player } = play();
    player.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
