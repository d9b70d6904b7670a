import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeProblem, parseReservationText } from "./parse-reservations.ts";

const parse = (text: string, file = "r.yaml") =>
  parseReservationText(text, file, { sourceId: "reservations/r" });

describe("parseReservationText", () => {
  it("says the same of a document in YAML and in JSON", () => {
    const document = { reservations: [{ id: "a", instanceType: "x", count: 1, gpusPerInstance: 8 }] };
    const json = parse(JSON.stringify(document), "r.json");
    expect(json.reservations.map(({ id, sourceId }) => [id, sourceId])).toEqual([["a", "reservations/r"]]);
    expect(parse(JSON.stringify(document))).toEqual(json);
  });

  it("takes a document whole or not at all, and never throws, whatever it holds", () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom("-1", 1e308, -1, 1.5, "2026-13-01", "", "nan"),
    );
    const keys = fc.constantFrom(
      "id",
      "count",
      "gpusPerInstance",
      "start",
      "end",
      "totalPrice",
      "currency",
      "selector",
    );
    const record = fc.oneof(odd, fc.dictionary(keys, odd), fc.constant({ instanceType: "x", id: "a" }));
    const document = fc.oneof(fc.jsonValue(), fc.record({ reservations: fc.oneof(odd, fc.array(record)) }));
    const text = fc.oneof(
      fc.string(),
      document.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(text, fc.constantFrom("r.yaml", "r.json"), (content, file) => {
        const { reservations, problems } = parse(content, file);
        if (problems.length > 0) expect(reservations).toEqual([]);
        for (const { count, gpusPerInstance } of reservations) {
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
          expect(Number.isSafeInteger(gpusPerInstance) && gpusPerInstance >= 0).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("reads the demos' reservations without a problem", async () => {
    for (const name of ["fleet", "layers"]) {
      const file = new URL(`../../demo/scenarios/${name}/reservations.yaml`, import.meta.url);
      const { reservations, problems } = parse(await readFile(file, "utf8"));
      expect(problems).toEqual([]);
      expect(reservations.length).toBeGreaterThan(0);
    }
  });
});

describe("describeProblem", () => {
  it.each([
    [
      { path: "reservations[0].count", expected: "a whole number", got: '"x"' },
      'f: reservations[0].count: expected a whole number, got "x"',
    ],
    [
      { path: "line 3", expected: "expected a YAML document: bad", got: "" },
      "f: line 3: expected a YAML document: bad",
    ],
    [{ path: "", expected: "a list", got: "3" }, "f: expected a list, got 3"],
  ])("%j", (problem, text) => {
    expect(describeProblem("f", problem)).toBe(text);
  });
});
