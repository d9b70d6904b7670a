import { expect, test } from "vitest";
import { Pool } from "./pool.ts";

test("gives the first of equal values", () => {
  const pool = new Pool<object>(JSON.stringify);
  const first = { a: 1 };
  expect(pool.share(first)).toBe(first);
  expect(pool.share({ a: 1 })).toBe(first);
  expect(pool.share({ a: 2 })).not.toBe(first);
});

test("forgets before it grows without end", () => {
  const pool = new Pool<object>(JSON.stringify);
  const first = { a: -1 };
  pool.share(first);
  for (let a = 0; a < 50_000; a += 1) pool.share({ a });
  expect(pool.share({ a: -1 })).not.toBe(first);
});
