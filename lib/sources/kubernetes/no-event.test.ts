import { expect, test, vi } from "vitest";
import { NOW } from "../../testing/builders.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createClusterSource } from "./cluster-source.ts";
import type { Connection } from "./connection.ts";

const WELCOME = Buffer.from('{"message":"welcome"}\n');

async function* welcome() {
  yield WELCOME;
}

test("a server that sends no event is told as such at every attempt, and what to check", async () => {
  const connection: Connection = {
    name: "odd",
    server: "https://odd.example",
    open: async () => ({
      status: 200,
      contentType: "application/json",
      retryAfter: undefined,
      body: welcome(),
      follow: async (take) => take(WELCOME),
    }),
  };
  const clock = createManualClock(NOW);
  const source = createClusterSource({ connection, clock, random: () => 0.5 });
  const told: unknown[] = [];
  source.onChange(() => {
    const { error, state } = source.read().sources.find(({ id }) => id === "kubernetes/pods") ?? {};
    if (error && state === "unreachable" && !told.includes(error)) told.push(error);
  });
  source.start();
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await vi.waitFor(() => expect(told).toHaveLength(attempt), { interval: 2 });
    clock.advance(60_000);
  }
  const error = {
    code: "invalid",
    message: "The watch on /api/v1/pods sent what is no event: an event of type undefined",
    hint: expect.stringContaining("proxy"),
  };
  expect(told).toEqual([error, error, error, error]);
  await source.stop();
});
