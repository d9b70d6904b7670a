import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { FACT_KINDS } from "./kinds/fact-kinds.ts";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

function rulesOf(file: string): readonly Rule[] {
  return parse(readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), "utf8")).rules;
}

/** `GROUP/PLURAL`, with the names that it is limited to. */
function granted(rules: readonly Rule[]): string[] {
  return rules
    .flatMap(({ apiGroups, resources, resourceNames = [] }) =>
      apiGroups.flatMap((group) =>
        resources.map((resource) => [`${group}/${resource}`, ...resourceNames].join(" ")),
      ),
    )
    .sort();
}

it("the role grants what is read, and nothing else", () => {
  const rules = rulesOf("cluster-role.yaml");
  const read = FACT_KINDS.map(({ group, plural, fieldSelector = "" }) =>
    [`${group}/${plural}`, fieldSelector.replace("metadata.name=", "")].filter(Boolean).join(" "),
  );
  const wanted = new Set(["/nodes", "/pods", "/events", ...read]);
  expect(granted(rules)).toEqual([...wanted].sort());
  for (const { verbs } of rules) expect(verbs).toEqual(["get", "list", "watch"]);
});

it("the role for logs grants these and nothing else", () => {
  const rules = rulesOf("cluster-role-logs.yaml");
  expect(granted(rules)).toEqual(["/pods/log"]);
  expect(rules[0]?.verbs).toEqual(["get"]);
});
