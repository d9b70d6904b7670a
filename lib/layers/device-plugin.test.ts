import { describe, expect, it } from "vitest";
import type { PodRecord } from "../model/kubernetes.ts";
import { aContainer, aNode, aPod } from "../testing/builders.ts";
import { aFleet } from "../testing/fleet-builder.ts";
import { devicePluginsOf } from "./device-plugin.ts";
import type { FleetNode } from "./fleet.ts";

function nodeWith(pod: Partial<PodRecord>): FleetNode {
  const pods = [aPod({ gpus: 0, nodeName: "n1", system: "daemonset", ...pod })];
  const node = aFleet({ nodes: [aNode({ name: "n1" })], pods }).nodes.get("n1");
  if (!node) throw new Error("the fleet has lost its node");
  return node;
}

describe("which pods make a node's accelerators known", () => {
  it.each([
    ["nvidia-device-plugin-daemonset-x8z2m", true],
    ["nvidia-driver-daemonset-x8z2m", true],
    ["intel-gpu-plugin-v7szm", true],
    ["amdgpu-device-plugin-daemonset-2k9xp", true],
    ["gpu-feature-discovery-abcde", true],
    ["gpu-operator-node-feature-discovery-worker-7x4r5", true],
    ["kube-proxy-2228j", false],
    ["ebs-csi-node-driver-x1", false],
    ["calico-node-mh5sl", false],
  ])("%s", (name, is) => {
    expect(devicePluginsOf(nodeWith({ name })).pods.length).toBe(is ? 1 : 0);
  });
});

describe("whether it works", () => {
  const name = "nvidia-device-plugin-daemonset-x8z2m";
  const waiting = (reason: string) => ({ kind: "waiting" as const, reason, message: "" });
  const ended = (exitCode: number) => ({
    exitCode,
    reason: "",
    message: "",
    startedAt: undefined,
    finishedAt: undefined,
  });
  it.each([
    ["runs", {}, false],
    ["crash-loops", { state: waiting("CrashLoopBackOff"), ready: false, restarts: 3 }, true],
    ["cannot pull its image", { state: waiting("ImagePullBackOff"), ready: false }, true],
    ["is being created", { state: waiting("ContainerCreating"), ready: false }, false],
    ["has failed", { state: { kind: "terminated" as const, ...ended(1) }, ready: false }, true],
    [
      "has finished its init",
      { state: { kind: "terminated" as const, ...ended(0) }, ready: true, init: true },
      false,
    ],
    ["runs again, not ready", { ready: false, restarts: 2, lastTermination: ended(1) }, true],
  ])("%s", (_, container, fails) => {
    const { failing } = devicePluginsOf(nodeWith({ name, containers: [aContainer(container)] }));
    expect(failing !== undefined).toBe(fails);
  });
  it("has no container yet", () => {
    const pod = { name, phase: "Pending" as const, containers: [aContainer({ state: { kind: "none" } })] };
    expect(devicePluginsOf(nodeWith(pod)).failing?.pod.name).toBe(name);
  });
});
