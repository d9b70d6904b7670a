import { describe, expect, it } from "vitest";
import { createManualClock } from "../testing/manual-clock.ts";
import { coalesce } from "./coalesce.ts";

/** @param takes milliseconds of each run */
function aRun(takes = 0) {
  const clock = createManualClock(1_000_000);
  const runs: number[] = [];
  const start = clock.now();
  const coalesced = coalesce({
    run: () => {
      runs.push(clock.now() - start);
      if (takes > 0) clock.advance(takes);
    },
    wait: 50,
    gap: 250,
    clock,
  });
  return { clock, runs, coalesced };
}

describe("coalesce", () => {
  it("runs once for many triggers, 50 ms after the first", () => {
    const { clock, runs, coalesced } = aRun();
    coalesced.trigger();
    clock.advance(30);
    coalesced.trigger();
    clock.advance(1000);
    expect(runs).toEqual([50]);
  });

  it("runs at most four times a second in a storm, and once more after it", () => {
    const { clock, runs, coalesced } = aRun();
    for (let n = 0; n < 100; n++) {
      coalesced.trigger();
      clock.advance(10);
    }
    clock.advance(1000);
    expect(runs).toEqual([50, 300, 550, 800, 1050]);
  });

  it("takes no more than half of the time in a storm, however long a run is", () => {
    const { clock, runs, coalesced } = aRun(400);
    for (let n = 0; n < 200; n++) {
      coalesced.trigger();
      clock.advance(10);
    }
    expect(runs.slice(0, 3)).toEqual([50, 850, 1650]);
  });

  it("rests for no more than five seconds", () => {
    const { clock, runs, coalesced } = aRun(3_600_000);
    coalesced.trigger();
    clock.advance(50);
    coalesced.trigger();
    clock.advance(5_000);
    expect(runs).toHaveLength(2);
  });

  it("is quick again after a quiet time", () => {
    const { clock, runs, coalesced } = aRun();
    coalesced.trigger();
    clock.advance(2000);
    coalesced.trigger();
    clock.advance(1000);
    expect(runs).toEqual([50, 2050]);
  });

  it("does not hang where the clock is set back an hour", () => {
    const { clock, runs, coalesced } = aRun();
    coalesced.trigger();
    clock.advance(100);
    clock.advance(-3_600_000);
    coalesced.trigger();
    clock.advance(251);
    expect(runs).toHaveLength(2);
  });

  it("runs no more after stop", () => {
    const { clock, runs, coalesced } = aRun();
    coalesced.trigger();
    coalesced.stop();
    coalesced.trigger();
    clock.advance(1000);
    expect(runs).toEqual([]);
  });
});
