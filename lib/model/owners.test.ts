import { expect, it } from "vitest";
import { type OwnerRule, ownerOf } from "./owners.ts";

const rule = (team: string, parts: Partial<OwnerRule>): OwnerRule => {
  return { layer: undefined, pool: undefined, namespace: undefined, contact: undefined, team, ...parts };
};
const WHAT = { layer: "L4", pool: ["reservation/cr-1", "train"], namespace: "ml" } as const;

it.each<[string, OwnerRule[], string | undefined]>([
  ["nobody where no rule applies", [rule("a", { layer: "L1" }), rule("b", { namespace: "nlp" })], undefined],
  ["the layer's", [rule("a", { layer: "L4" })], "a"],
  ["the pool's by its id", [rule("a", { pool: "reservation/cr-1" })], "a"],
  ["the pool's by the id without its kind", [rule("a", { pool: "cr-1" })], "a"],
  ["the pool's by its name", [rule("a", { pool: "train" })], "a"],
  ["the one that says more", [rule("a", { namespace: "ml" }), rule("b", { layer: "L4", pool: "cr-1" })], "b"],
  [
    "the namespace's before the pool's before the layer's",
    [rule("a", { layer: "L4" }), rule("b", { pool: "cr-1" }), rule("c", { namespace: "ml" })],
    "c",
  ],
  ["the first of two that say the same", [rule("a", { layer: "L4" }), rule("b", { layer: "L4" })], "a"],
  ["not one of whose parts one fails", [rule("a", { layer: "L4", namespace: "nlp" })], undefined],
])("is %s", (_, rules, team) => {
  expect(ownerOf(rules, WHAT)?.team).toBe(team);
});
