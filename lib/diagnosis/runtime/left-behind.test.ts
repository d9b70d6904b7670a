import { describe, expect, it } from "vitest";
import type { ControllerRecord } from "../../model/facts/controllers.ts";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { aCondition } from "../../testing/autoscaler-builders.ts";
import { aContainer, aNode, aPod, NOW } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { aController } from "../../testing/scheduling-facts.ts";
import { diagnose, diagnoseHeldPod } from "../diagnose.ts";
import { isLeftBehind } from "./left-behind.ts";

const HOUR = 3_600_000;
const ago = (hours: number) => NOW - hours * HOUR;

const job = { kind: "Job", name: "train", uid: "job-1" };

const endedAgo = (hours: number) =>
  aContainer({
    ready: false,
    state: {
      kind: "terminated",
      exitCode: 1,
      reason: "Error",
      message: "",
      startedAt: ago(hours + 1),
      finishedAt: ago(hours),
    },
  });

/** A pod that has run for an hour and failed `hours` ago. */
const failed = (hours: number, overrides: Partial<PodRecord> = {}): PodRecord =>
  aPod({
    name: "failed",
    nodeName: "a",
    phase: "Failed",
    createdAt: ago(hours + 1),
    containers: [endedAgo(hours)],
    conditions: [],
    ...overrides,
  });

const refused = (overrides: Partial<PodRecord>): PodRecord =>
  failed(0, { reason: "UnexpectedAdmissionError", containers: [], ...overrides });

const theJob = (overrides: Partial<ControllerRecord> = {}) =>
  aController({ kind: "Job", name: "train", uid: "job-1", ...overrides });
const over = (type: string) => ({ finished: true, conditions: [aCondition(type, "True", 0)] });

/** Of a cluster of which something is told `hours` ago. */
function fleetOf(pod: PodRecord, controllers: readonly ControllerRecord[], hours = 0) {
  const facts = { ...NO_FACTS, controllers: { known: true, items: controllers } };
  const node = aNode({ name: "a", createdAt: ago(500), conditions: [] });
  const newest = aPod({ name: "other", createdAt: ago(hours), conditions: [] });
  return aFleet({ nodes: [node], pods: [pod, newest], facts });
}

describe("a pod that has failed for good", () => {
  it.each<[string, PodRecord, readonly ControllerRecord[], boolean]>([
    ["of a Job that goes on", failed(120, { owner: job }), [theJob()], false],
    ["of a Job that has just succeeded", failed(1, { owner: job }), [theJob(over("Complete"))], true],
    ["of a Job that succeeded long ago", failed(120, { owner: job }), [theJob(over("Complete"))], true],
    ["of a Job that has just failed", failed(23, { owner: job }), [theJob(over("Failed"))], false],
    ["of a Job that failed long ago", failed(25, { owner: job }), [theJob(over("Failed"))], true],
    [
      "of a PyTorchJob that has succeeded",
      failed(1, { owner: { kind: "PyTorchJob", name: "train", uid: "job-1" } }),
      [aController({ kind: "PyTorchJob", name: "train", uid: "job-1", ...over("Succeeded") })],
      true,
    ],
    [
      "of a Job that goes on, under its name only",
      failed(120, { owner: { ...job, uid: "" } }),
      [theJob()],
      false,
    ],
    ["of an earlier Job of the same name", failed(120, { owner: job }), [theJob({ uid: "job-2" })], true],
    [
      "of a Job of the same name elsewhere",
      failed(120, { owner: job }),
      [theJob({ namespace: "nlp" })],
      true,
    ],
    ["of an owner that has just gone", failed(23, { owner: job }), [], false],
    ["of an owner that is long gone", failed(25, { owner: job }), [], true],
    ["without an owner, today", failed(23), [], false],
    ["without an owner, long ago", failed(25), [], true],
    ["without an owner, which ran for days and failed today", failed(1, { createdAt: ago(120) }), [], false],
    [
      "that waited for days and was refused by its kubelet today",
      refused({ createdAt: ago(120), conditions: [aCondition("PodScheduled", "True", 60)] }),
      [],
      false,
    ],
    ["of which nobody knows since when", refused({ createdAt: undefined }), [], false],
  ])("%s", (_, pod, controllers, is) => {
    const fleet = fleetOf(pod, controllers);
    expect(isLeftBehind(pod, fleet, NOW)).toBe(is);
    expect(diagnose(fleet, NOW).filter(({ name }) => name === "failed")).toHaveLength(is ? 0 : 1);
  });

  it("is listed in a snapshot that is looked at long after it was taken, if it was not history then", () => {
    expect(isLeftBehind(failed(120), fleetOf(failed(120), [], 97), NOW)).toBe(false);
    expect(isLeftBehind(failed(120), fleetOf(failed(120), [], 95), NOW)).toBe(true);
  });

  it("is told of long after, where it is asked about", () => {
    const pod = failed(120);
    const fleet = fleetOf(pod, []);
    expect(diagnoseHeldPod(pod, fleet, NOW, () => undefined)).toMatchObject({ reason: "CrashLoop" });
  });
});
