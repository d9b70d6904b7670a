import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { aReservation, NOW } from "../../../testing/builders.ts";
import { createManualClock } from "../../../testing/manual-clock.ts";
import { SourceError } from "../../source-error.ts";
import type { ParsedReservations } from "../format.ts";
import { createPolledSource } from "./polled-source.ts";

const MINUTE = 60_000;
const answer = (id: string): ParsedReservations => ({
  reservations: [aReservation({ id })],
  supplements: [{ provider: "aws", id, broken: 1 }],
  problems: [],
  issues: [],
});

/** A source whose readings are answered by the test, one after the other. */
function startPolled({ random = () => 0.5 }: { random?: () => number } = {}) {
  const clock = createManualClock(NOW);
  const polls: {
    at: number;
    signal: AbortSignal;
    resolve(a: ParsedReservations): void;
    reject(e: unknown): void;
  }[] = [];
  const source = createPolledSource({
    id: "reservations/test",
    clock,
    random,
    poll: (signal) =>
      new Promise((resolve, reject) => polls.push({ at: clock.now(), signal, resolve, reject })),
  });
  let changes = 0;
  source.onChange(() => {
    changes += 1;
  });
  const started = source.start();
  const latest = () => {
    const poll = polls.at(-1);
    if (!poll) throw new Error("nothing was polled");
    return poll;
  };
  return {
    source,
    clock,
    polls,
    started,
    changes: () => changes,
    latest,
    status: () => source.read().status,
    ids: () => source.read().reservations.items.map(({ id }) => id),
    async succeed(id = "a") {
      latest().resolve(answer(id));
      await turn();
    },
    async fail(error: unknown) {
      latest().reject(error);
      await turn();
    },
    async pass(ms: number) {
      clock.advance(ms);
      await turn();
    },
  };
}

describe("createPolledSource", () => {
  it("is loading, then live with what was read, and tells of it", async () => {
    const polled = startPolled();
    expect(polled.status()).toMatchObject({ state: "loading", asOf: undefined });
    expect(polled.source.read().reservations).toEqual({ known: false, items: [] });
    await polled.pass(2_000);
    await polled.succeed("a");
    await polled.started;
    expect(polled.status()).toMatchObject({ state: "live", asOf: NOW + 2_000, error: undefined });
    expect(polled.source.read().reservations.known).toBe(true);
    expect(polled.source.read().supplements).toEqual([{ provider: "aws", id: "a", broken: 1 }]);
    expect(polled.ids()).toEqual(["a"]);
    expect(polled.changes()).toBe(1);
  });

  it.each([
    [0, 54_000],
    [0.5, 60_000],
    [0.999, 65_988],
  ])(
    "reads again a minute after the last reading ended, give or take a tenth (%d: %d ms)",
    async (random, ms) => {
      const polled = startPolled({ random: () => random });
      await polled.pass(5_000);
      await polled.succeed("a");
      await polled.pass(ms - 1);
      expect(polled.polls).toHaveLength(1);
      await polled.pass(1);
      expect(polled.polls).toHaveLength(2);
      await polled.succeed("b");
      expect(polled.ids()).toEqual(["b"]);
    },
  );

  it("does not abort a reading that is over", async () => {
    const polled = startPolled();
    await polled.succeed();
    await polled.pass(10 * MINUTE);
    expect(polled.polls[0]?.signal.aborted).toBe(false);
  });

  it("never has two readings at once", async () => {
    const polled = startPolled();
    await polled.pass(119_000);
    expect(polled.polls).toHaveLength(1);
  });

  it("keeps the last good answer as stale, with its age, and is live again after the next", async () => {
    const polled = startPolled();
    await polled.succeed("a");
    await polled.pass(MINUTE);
    await polled.fail(new SourceError("unreachable", "down", { hint: "wait" }));
    expect(polled.status()).toEqual({
      id: "reservations/test",
      kind: "reservations",
      state: "stale",
      asOf: NOW,
      error: { code: "unreachable", message: "down", hint: "wait" },
    });
    expect(polled.ids()).toEqual(["a"]);
    await polled.pass(5_000);
    await polled.succeed("b");
    expect(polled.status()).toMatchObject({ state: "live", asOf: NOW + MINUTE + 5_000, error: undefined });
  });

  it.each([
    ["unreachable", "unreachable"],
    ["unauthorized", "unreachable"],
    ["rate-limited", "unreachable"],
    ["invalid", "unreachable"],
    ["forbidden", "forbidden"],
  ] as const)("that was never read and fails as %s is %s", async (code, state) => {
    const polled = startPolled();
    await polled.fail(new SourceError(code, "no"));
    await polled.started;
    expect(polled.status()).toMatchObject({ state, asOf: undefined, error: { code } });
    expect(polled.source.read().reservations.known).toBe(false);
  });

  it("slows down while it fails, and starts over after a success", async () => {
    const polled = startPolled();
    const waits: number[] = [];
    const failAndWait = async () => {
      const failedAt = polled.clock.now();
      const before = polled.polls.length;
      await polled.fail(new SourceError("unreachable", "down"));
      while (polled.polls.length === before) await polled.pass(1_000);
      waits.push((polled.clock.now() - failedAt) / 1_000);
    };
    for (let failures = 0; failures < 8; failures += 1) await failAndWait();
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    await polled.succeed();
    await polled.pass(MINUTE);
    await failAndWait();
    expect(waits.at(-1)).toBe(5);
  });

  it.each(["forbidden", "unauthorized", "rate-limited", "invalid"] as const)(
    "tries again after %s no earlier than after the usual interval",
    async (code) => {
      const polled = startPolled();
      await polled.fail(new SourceError(code, "no"));
      await polled.pass(MINUTE - 1);
      expect(polled.polls).toHaveLength(1);
      await polled.pass(1);
      expect(polled.polls).toHaveLength(2);
    },
  );

  it("waits as long as it is asked to", async () => {
    const polled = startPolled({ random: () => 0 });
    await polled.fail(new SourceError("rate-limited", "slow down", { retryAfterMs: 200_000 }));
    await polled.pass(199_999);
    expect(polled.polls).toHaveLength(1);
    await polled.pass(1);
    expect(polled.polls).toHaveLength(2);
  });

  it("counts an answer that cannot be read as a failure, and keeps the last good one", async () => {
    const polled = startPolled();
    await polled.succeed("a");
    await polled.pass(MINUTE);
    const problem = { path: "items", expected: "a list", got: "3" };
    polled.latest().resolve({ reservations: [], problems: [problem], issues: [] });
    await turn();
    expect(polled.status()).toMatchObject({
      state: "stale",
      error: { code: "invalid", message: expect.stringContaining("items: expected a list, got 3") },
    });
    expect(polled.ids()).toEqual(["a"]);
  });

  it("survives a poll that throws whatever, at once or later", async () => {
    const polled = startPolled();
    await polled.fail(new TypeError("x is not a function"));
    expect(polled.status().error).toMatchObject({
      code: "invalid",
      message: expect.stringContaining("x is not"),
    });
    const thrown = createPolledSource({
      id: "reservations/test",
      clock: polled.clock,
      random: () => 0.5,
      poll: () => {
        throw "nothing";
      },
    });
    await thrown.start();
    expect(thrown.read().status).toMatchObject({ state: "unreachable", error: { message: "nothing" } });
  });

  it("gives up a reading that takes too long, and begins the next only once it is over", async () => {
    const polled = startPolled();
    await polled.pass(2 * MINUTE);
    await polled.started;
    expect(polled.latest().signal.aborted).toBe(true);
    expect(polled.status()).toMatchObject({ state: "unreachable", error: { code: "unreachable" } });
    await polled.pass(10 * MINUTE);
    expect(polled.polls).toHaveLength(1);
    await polled.succeed("late");
    expect(polled.ids()).toEqual([]);
    await polled.pass(5_000);
    expect(polled.polls).toHaveLength(2);
    await polled.succeed("b");
    expect(polled.ids()).toEqual(["b"]);
  });

  it("stops: aborts what runs, reads no more and says no more", async () => {
    const polled = startPolled();
    polled.source.stop();
    await polled.started;
    expect(polled.latest().signal.aborted).toBe(true);
    await polled.succeed("a");
    await polled.pass(10 * MINUTE);
    expect(polled.polls).toHaveLength(1);
    expect(polled.changes()).toBe(0);
    expect(polled.ids()).toEqual([]);
  });

  it("stops between two readings", async () => {
    const polled = startPolled();
    await polled.succeed("a");
    polled.source.stop();
    await polled.pass(10 * MINUTE);
    expect(polled.polls).toHaveLength(1);
    expect(polled.ids()).toEqual(["a"]);
  });

  it("tells a listener nothing any more once it has ended that", async () => {
    const polled = startPolled();
    let calls = 0;
    const end = polled.source.onChange(() => {
      calls += 1;
    });
    await polled.succeed("a");
    end();
    await polled.pass(MINUTE);
    await polled.succeed("b");
    expect([calls, polled.changes()]).toEqual([1, 2]);
  });
});
