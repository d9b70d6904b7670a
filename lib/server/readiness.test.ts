import { describe, expect, it } from "vitest";
import type { SourceView } from "../model/fleet-view.ts";
import { readinessOf } from "./readiness.ts";

type State = SourceView["state"];

function sources(nodes: State, pods: State, rest: State = "live"): SourceView[] {
  const error = { code: "unreachable", message: "connect ECONNREFUSED", hint: "" } as const;
  const source = (id: string, kind: SourceView["kind"], state: State): SourceView => {
    return { id, kind, state, asOf: null, error: state === "unreachable" ? error : null };
  };
  return [
    source("kubernetes/nodes", "kubernetes", nodes),
    source("kubernetes/pods", "kubernetes", pods),
    source("kubernetes/events", "kubernetes", rest),
    source("reservations/a", "reservations", rest),
  ];
}

const FURTHER = {
  id: "kubernetes/nodepools.karpenter.sh",
  kind: "kubernetes",
  asOf: null,
  error: null,
} as const;

describe("readinessOf", () => {
  it.each<[SourceView[], boolean, string]>([
    [sources("live", "live"), true, ""],
    [sources("live", "live", "unreachable"), true, ""],
    [sources("stale", "stale"), true, ""],
    [sources("live", "forbidden"), true, ""],
    [sources("loading", "live"), false, "kubernetes/nodes is loading"],
    [sources("live", "unreachable"), false, "kubernetes/pods is unreachable: connect ECONNREFUSED"],
    [
      sources("loading", "unreachable"),
      false,
      "kubernetes/nodes is loading; kubernetes/pods is unreachable: connect ECONNREFUSED",
    ],
    [[...sources("live", "live"), { ...FURTHER, state: "loading" }], true, ""],
    [[...sources("live", "live"), { ...FURTHER, state: "unreachable" }], true, ""],
  ])("%#: %j", (given, ready, why) => {
    expect(readinessOf(given)).toEqual({ ready, why });
  });
});
