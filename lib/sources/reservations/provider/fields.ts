import { z } from "zod";

/** Fields as providers write them in JSON; absent and null are both undefined. */

export const optional = <T extends z.ZodType>(type: T) =>
  type.nullish().transform((value) => value ?? undefined);

/** More would be a mistake in the document, and would not be counted exactly. */
const MOST = 10_000_000;

/** 64-bit integers are strings in JSON: https://protobuf.dev/programming-guides/json/ */
function wholeUpTo(most: number) {
  const whole = z.int().nonnegative().max(most);
  const written = z
    .string()
    .regex(/^\d{1,18}$/)
    .transform(Number)
    .pipe(whole);
  return z.union([whole, written], { error: "a whole number of 0 or more" });
}

/** A number of things. */
export const count = wholeUpTo(MOST);

/** The seconds of a duration, of a hundred years at most. */
export const seconds = wholeUpTo(100 * 366 * 86_400);

/** RFC 3339, a bare date being midnight UTC, or what an SDK has already made of it; in epoch milliseconds. */
export const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date(), z.date()], {
    error: "a time such as 2026-12-01T00:00:00Z",
  })
  .transform((value) => new Date(value).getTime());

export const text = z.string({ error: "a text" }).min(1, { error: "a text that is not empty" });
