import { LAYERS } from "../model/stages.ts";
import { type CaseResult, caseResults, isLayerRight, isReasonRight } from "./case-results.ts";

/** Prints how the engine's verdicts on the cases at a path compare to what is right: by layer, then what differs. */
const path = process.argv[2] ?? "lib/testing/cases";

function matrix(results: readonly CaseResult[]): string[] {
  const said = [...LAYERS, null];
  const cells = LAYERS.map((layer) => [
    layer,
    ...said.map(
      (other) => results.filter((one) => one.expected.layer === layer && one.layer === other).length,
    ),
  ]);
  return [
    `| right \\ said | ${said.map((layer) => layer ?? "nothing").join(" | ")} |`,
    `| --- | ${said.map(() => "---:").join(" | ")} |`,
    ...cells.map((row) => `| ${row.join(" | ")} |`),
  ];
}

const results = await caseResults(path);
const layers = results.filter(isLayerRight).length;
const reasons = results.filter(isReasonRight).length;
console.log(matrix(results).join("\n"));
console.log(`\n${layers} of ${results.length} right on the layer, ${reasons} on the reason`);
for (const one of results.filter((result) => !isReasonRight(result))) {
  console.log(
    `${one.name}: right is ${one.expected.layer} ${one.expected.reason}, said is ${one.layer} ${one.reason}`,
  );
}
