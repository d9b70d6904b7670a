import { expect, test } from "vitest";
import type { EventRecord } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import { aCondition, aNodeClaim, aNodePool } from "../../testing/autoscaler-builders.ts";
import { NOW } from "../../testing/builders.ts";
import { eventOf, launchFleet, STUCK } from "../../testing/launch-cluster.ts";
import { diagnose } from "../diagnose.ts";

const nominated = (claim: string, minutes: number) =>
  eventOf(STUCK, "Nominated", `Pod should schedule on: nodeclaim/${claim}`, minutes);
const onClaim = (claim: string, reason: string, message: string, minutes: number): EventRecord =>
  eventOf({ kind: "NodeClaim", namespace: "", name: claim, uid: "" }, reason, message, minutes);
const emptied = (claim: string, minutes: number) =>
  onClaim(claim, "DisruptionTerminating", "Disrupting NodeClaim: Empty", minutes);
const running = aNodeClaim({
  name: "gpu-zzzz9",
  createdAt: NOW - 4 * 60_000,
  conditions: [aCondition("Launched", "True", 4), aCondition("Registered", "Unknown", 4)],
});

interface Row {
  readonly title: string;
  readonly events: readonly EventRecord[];
  readonly reason: Reason;
  readonly says?: RegExp;
}

const ROWS: readonly Row[] = [
  {
    title: "claim after claim never joins, and one more is launched",
    events: [nominated("gpu-aaaa1", 36), nominated("gpu-bbbb2", 20), nominated(running.name, 4)],
    reason: "NodeNotRegistered",
    says: /gpu-bbbb2 of gpu, the last of 2 in a row,/,
  },
  {
    title: "one claim was given up: the next may do better",
    events: [nominated("gpu-bbbb2", 20), nominated(running.name, 4)],
    reason: "NodeLaunching",
  },
  {
    title: "claims that were over within minutes",
    events: [nominated("gpu-aaaa1", 12), nominated("gpu-bbbb2", 8), nominated(running.name, 4)],
    reason: "NodeLaunching",
  },
  {
    title: "claims of another pool",
    events: [nominated("cpu-aaaa1", 36), nominated("cpu-bbbb2", 20), nominated(running.name, 4)],
    reason: "NodeLaunching",
  },
  {
    title: "node after node is taken away as empty",
    events: [
      nominated("gpu-aaaa1", 36),
      emptied("gpu-aaaa1", 33),
      nominated("gpu-bbbb2", 20),
      emptied("gpu-bbbb2", 17),
      nominated(running.name, 4),
    ],
    reason: "AutoscalerNotActing",
    says: /2 nodes for it in gpu .* taken each away/,
  },
];

test.each(ROWS)("$title: $reason", ({ events, reason, says }) => {
  const pod = { createdAt: NOW - 40 * 60_000 };
  const fleet = launchFleet({ pools: [aNodePool({ name: "gpu" })], claims: [running], events, pod });
  const verdict = diagnose(fleet, NOW).find(({ name }) => name === "stuck");
  expect(verdict?.reason).toBe(reason);
  if (says !== undefined) expect(verdict?.sentence).toMatch(says);
});
