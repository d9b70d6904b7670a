import { describe, expect, it } from "vitest";
import type { SourceView } from "@/lib/model/fleet-view.ts";
import { sourceChip } from "./source-words.ts";

const asOf = "2026-12-01T11:54:00Z";
const source = (overrides: Partial<SourceView>): SourceView => ({
  id: "kubernetes/nodes",
  kind: "kubernetes",
  state: "live",
  asOf,
  error: null,
  ...overrides,
});

describe("sourceChip", () => {
  it("needs no age for what is watched live", () =>
    expect(sourceChip(source({}), true)).toEqual({
      id: "kubernetes/nodes",
      name: "Nodes",
      dot: "live",
      word: "live",
      since: null,
      trouble: false,
      detail: "",
    }));

  it("does not call live what the server no longer tells", () =>
    expect(sourceChip(source({}), false)).toMatchObject({ dot: "old", word: "read", since: asOf }));

  it("says when a file was read", () =>
    expect(sourceChip(source({ id: "reservations/prod.yaml", kind: "reservations" }), true)).toMatchObject({
      name: "Reservations prod.yaml",
      word: "read",
      since: asOf,
      trouble: false,
    }));

  it.each([
    ["stale", "old", "stale", asOf, true],
    ["unreachable", "none", "unreachable", asOf, true],
    ["forbidden", "none", "forbidden", asOf, true],
    ["absent", "none", "absent", asOf, true],
    ["loading", "none", "loading", null, false],
    ["not-configured", "none", "not set", null, false],
  ] as const)("%s has a %s dot", (state, dot, word, since, trouble) =>
    expect(sourceChip(source({ state }), true)).toMatchObject({ dot, word, since, trouble }),
  );

  it("has its problem and the way out in the detail, and is trouble even while its last data is live", () =>
    expect(
      sourceChip(
        source({ error: { code: "invalid", message: "prices.yaml: no count.", hint: "Add it." } }),
        true,
      ),
    ).toMatchObject({ trouble: true, detail: "prices.yaml: no count. Add it." }));
});
