import { describe, expect, test } from "vitest";
import type { EventRecord } from "../../model/kubernetes.ts";
import { normalizeEvent } from "./normalize-event.ts";

const at = (minute: number) => Date.UTC(2026, 11, 1, 8, minute);
const iso = (minute: number) => new Date(at(minute)).toISOString().replace(".000", "");
const micro = (minute: number) => new Date(at(minute)).toISOString().replace("Z", "000Z");

const metadata = { name: "e", namespace: "ml", uid: "u1" };

const BARE: EventRecord = {
  name: "e",
  namespace: "ml",
  uid: "u1",
  about: { kind: "", namespace: "", name: "", uid: "" },
  type: "Normal",
  reason: "",
  message: "",
  component: "",
  count: 1,
  firstAt: undefined,
  lastAt: undefined,
};

describe("normalizeEvent", () => {
  test.each<[string, object, Partial<EventRecord>]>([
    ["nothing but a name", {}, {}],
    [
      "what it is about",
      { involvedObject: { kind: "Pod", namespace: "ml", name: "p", uid: "u2", fieldPath: "spec" } },
      { about: { kind: "Pod", namespace: "ml", name: "p", uid: "u2" } },
    ],
    [
      "type, reason and message",
      { type: "Warning", reason: "FailedScheduling", message: "0/1 nodes are available" },
      { type: "Warning", reason: "FailedScheduling", message: "0/1 nodes are available" },
    ],
    ["a type of its own", { type: "Odd" }, {}],
    [
      "the old source",
      { source: { component: "kubelet" }, reportingComponent: "other" },
      { component: "kubelet" },
    ],
    [
      "the new source",
      { source: {}, reportingComponent: "default-scheduler" },
      { component: "default-scheduler" },
    ],
    [
      "the old times",
      { firstTimestamp: iso(1), lastTimestamp: iso(5), count: 4 },
      { firstAt: at(1), lastAt: at(5), count: 4 },
    ],
    [
      "the new time",
      { eventTime: micro(2), firstTimestamp: null, lastTimestamp: null },
      { firstAt: at(2), lastAt: at(2) },
    ],
    [
      "a series",
      { eventTime: micro(2), series: { count: 9, lastObservedTime: micro(7) } },
      { firstAt: at(2), lastAt: at(7), count: 9 },
    ],
    [
      "its creation, where it has no other time",
      { metadata: { ...metadata, creationTimestamp: iso(3) } },
      { firstAt: at(3), lastAt: at(3) },
    ],
    ["a count that is none", { count: "many" }, {}],
    ["a count below one", { count: 0 }, {}],
  ])("reads %s", (_, fields, expected) => {
    expect(normalizeEvent({ metadata, ...fields })).toEqual({ ...BARE, ...expected });
  });

  test("cuts a long message", () => {
    expect(normalizeEvent({ metadata, message: "x".repeat(5_000) }).message).toBe(`${"x".repeat(999)}…`);
  });
});
