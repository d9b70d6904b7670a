import { expect, test } from "vitest";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createSilenceLimit } from "./silence.ts";

function setUp() {
  const clock = createManualClock(0);
  return { clock, limit: createSilenceLimit(clock, "https://api.example:6443") };
}

test("gives up 30 s after the request where nothing comes", () => {
  const { clock, limit } = setUp();
  clock.advance(29_999);
  expect(limit.signal.aborted).toBe(false);
  clock.advance(1);
  expect(limit.signal.reason).toMatchObject({
    code: "unreachable",
    message: "The API server https://api.example:6443 has sent nothing for 30 s",
  });
});

test("gives up after 70 s of silence, each byte starts them anew", () => {
  const { clock, limit } = setUp();
  for (let minute = 0; minute < 10; minute += 1) {
    limit.heard();
    clock.advance(60_000);
  }
  expect(limit.signal.aborted).toBe(false);
  clock.advance(10_000);
  expect(limit.signal.aborted).toBe(true);
});

test("has no say in what is over", () => {
  const { clock, limit } = setUp();
  limit.end();
  const { reason } = limit.signal;
  clock.advance(3_600_000);
  expect(limit.signal.reason).toBe(reason);
});
