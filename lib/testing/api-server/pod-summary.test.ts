import { expect, it } from "vitest";
import { podReady, podRestarts, podStatus } from "./pod-summary.ts";

const waiting = (reason: string) => ({ state: { waiting: { reason } } });
const terminated = (reason: string, exitCode = 0) => ({ state: { terminated: { reason, exitCode } } });
const running = { state: { running: {} }, ready: true, restartCount: 2 };

it.each([
  ["no status at all", {}, "Unknown"],
  ["hostile status", { status: { containerStatuses: "none", conditions: 5 } }, "Unknown"],
  ["pending", { status: { phase: "Pending" } }, "Pending"],
  ["gated", { status: { phase: "Pending", conditions: [{ reason: "SchedulingGated" }] } }, "SchedulingGated"],
  ["running", { status: { phase: "Running", containerStatuses: [running] } }, "Running"],
  ["evicted", { status: { phase: "Failed", reason: "Evicted" } }, "Evicted"],
  [
    "being deleted",
    { metadata: { deletionTimestamp: "2026-12-01T08:00:00Z" }, status: { phase: "Running" } },
    "Terminating",
  ],
  [
    "crash loop",
    { status: { phase: "Running", containerStatuses: [waiting("CrashLoopBackOff")] } },
    "CrashLoopBackOff",
  ],
  [
    "image",
    { status: { phase: "Pending", containerStatuses: [waiting("ImagePullBackOff")] } },
    "ImagePullBackOff",
  ],
  [
    "completed",
    { status: { phase: "Succeeded", containerStatuses: [terminated("Completed")] } },
    "Completed",
  ],
  ["failed", { status: { phase: "Failed", containerStatuses: [terminated("", 137)] } }, "ExitCode:137"],
  [
    "half done",
    { status: { phase: "Running", containerStatuses: [terminated("Completed"), running] } },
    "NotReady",
  ],
  [
    "init waits",
    {
      spec: { initContainers: [{}, {}] },
      status: { initContainerStatuses: [terminated("Completed"), waiting("PodInitializing")] },
    },
    "Init:1/2",
  ],
  [
    "init fails",
    { spec: { initContainers: [{}] }, status: { initContainerStatuses: [terminated("", 1)] } },
    "Init:ExitCode:1",
  ],
  [
    "init crash loop",
    { spec: { initContainers: [{}] }, status: { initContainerStatuses: [waiting("CrashLoopBackOff")] } },
    "Init:CrashLoopBackOff",
  ],
  [
    "sidecar started",
    {
      status: {
        phase: "Running",
        initContainerStatuses: [{ started: true, ...running }],
        containerStatuses: [running],
      },
    },
    "Running",
  ],
])("%s", (_, pod, expected) => {
  expect(podStatus(pod)).toBe(expected);
});

it("counts ready containers and restarts", () => {
  const pod = { spec: { containers: [{}, {}] }, status: { containerStatuses: [running, waiting("x")] } };
  expect([podReady(pod), podRestarts(pod)]).toEqual(["1/2", "2"]);
});
