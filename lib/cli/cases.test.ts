import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { caseResults, isLayerRight, isReasonRight } from "./case-results.ts";

/** Public reports of stuck GPU workloads, rebuilt as clusters, with the layer and reason that people found in the end. */
const results = await caseResults(join(import.meta.dirname, "../testing/cases"));

describe("real reports", () => {
  it("are all read", () => expect(results.length).toBeGreaterThanOrEqual(51));

  it.each(results.map((result) => [result.name, result] as const))("%s", (_, result) => {
    const { layer, reason, expected } = result;
    const said = `${layer} ${reason}`;
    expect(
      isLayerRight(result) && isReasonRight(result) ? `${expected.layer} ${expected.reason}` : said,
    ).toBe(`${expected.layer} ${expected.reason}`);
  });
});
