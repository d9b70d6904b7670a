import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../../../testing/reservation-rows.ts";

const PROVIDERS = ["gcp", "azure", "oci", "crusoe", "nebius"];

const SAMPLES: readonly unknown[] = PROVIDERS.flatMap((provider) => {
  const folder = new URL(`../${provider}/samples/`, import.meta.url);
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));
});

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    -1,
    "-7",
    1.5,
    1e300,
    "1e9",
    "NaN",
    true,
    [],
    {},
    "2026-13-40",
    [null],
    "__proto__",
  ),
  fc.jsonValue({ maxDepth: 1 }),
);

/** `value` with what lies at the `steps`-th turns replaced, removed or repeated. */
function damaged(value: unknown, steps: readonly number[], replacement: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return replacement;
  if (Array.isArray(value)) {
    if (value.length === 0) return [replacement];
    return value.map((item, index) =>
      index === step % value.length ? damaged(item, rest, replacement) : item,
    );
  }
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, item], index) => [
      key,
      index === step % entries.length ? damaged(item, rest, replacement) : item,
    ]),
  );
}

describe("damaged documents of providers", () => {
  it("are never thrown on and never counted oddly, and what is left out is told", () => {
    const document = fc
      .tuple(fc.constantFrom(...SAMPLES), fc.array(fc.nat(40), { minLength: 1, maxLength: 7 }), odd)
      .map(([sample, steps, replacement]) => damaged(sample, steps, replacement));
    fc.assert(
      fc.property(document, (value) => {
        const { reservations, problems, issues } = parseDocument(value);
        if (problems.length > 0) expect(reservations).toEqual([]);
        for (const { count, broken, gpusPerInstance, used = 0, start = 0, end = 0 } of reservations) {
          for (const number of [count, broken, gpusPerInstance, used]) {
            expect(Number.isSafeInteger(number) && number >= 0).toBe(true);
          }
          expect(broken).toBeLessThanOrEqual(count);
          expect(Number.isFinite(start) && Number.isFinite(end)).toBe(true);
        }
        for (const { message } of issues) expect(message.length).toBeLessThan(400);
      }),
      { numRuns: 3_000 },
    );
  });
});
