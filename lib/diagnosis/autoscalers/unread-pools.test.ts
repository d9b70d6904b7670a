import { expect, test } from "vitest";
import type { EventRecord } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import { anEvent, NOW } from "../../testing/builders.ts";
import { BUSY, eventOf, type LaunchCluster, launchFleet, STUCK } from "../../testing/launch-cluster.ts";
import { diagnose } from "../diagnose.ts";

const FLEET = "creating instance, insufficient capacity, with fleet error(s), ";
const onClaim = (claim: string, message: string, minutes: number): EventRecord =>
  anEvent({
    about: { kind: "NodeClaim", namespace: "", name: claim, uid: "" },
    reason: "InsufficientCapacityError",
    type: "Warning",
    component: "karpenter",
    message: `NodeClaim ${claim} event: ${FLEET}${message}`,
    lastAt: NOW - minutes * 60_000,
  });
const launched = (claim: string, minutes: number): EventRecord =>
  anEvent({
    about: { kind: "NodeClaim", namespace: "", name: claim, uid: "" },
    reason: "Launched",
    type: "Normal",
    component: "karpenter",
    lastAt: NOW - minutes * 60_000,
  });
const nominated = (claim: string, minutes: number) =>
  eventOf(STUCK, "Nominated", `Pod should schedule on: nodeclaim/${claim}`, minutes);
const said = (message: string) => eventOf(STUCK, "FailedScheduling", `Failed to schedule pod, ${message}`, 1);
const QUOTA = "VcpuLimitExceeded: your current vCPU limit of 0";
const NO_STOCK = "InsufficientInstanceCapacity: We currently do not have sufficient g5.xlarge capacity";

test.each<[string, LaunchCluster, Reason]>([
  [
    "its own launch was refused",
    { events: [onClaim("gpu-aaaa1", QUOTA, 3), nominated("gpu-aaaa1", 4)] },
    "QuotaExceeded",
  ],
  [
    "its own goes before another's",
    {
      events: [onClaim("gpu-aaaa1", QUOTA, 5), nominated("gpu-aaaa1", 6), onClaim("cpu-bbbb2", NO_STOCK, 2)],
    },
    "QuotaExceeded",
  ],
  [
    "a later launch has overtaken it",
    { ...BUSY, events: [onClaim("gpu-aaaa1", NO_STOCK, 30), launched("gpu-cccc3", 20)] },
    "GpusBusy",
  ],
  [
    "a limit",
    { ...BUSY, events: [said("all available instance types exceed limits for nodepool (NodePool=gpu)")] },
    "AutoscalerLimitReached",
  ],
  [
    "no offering",
    {
      events: [
        said(
          'incompatible with nodepool "gpu", no instance type satisfied resources {} and requirements karpenter.sh/nodepool In [gpu] (no instance type has the required offering)',
        ),
      ],
    },
    "CloudStockout",
  ],
])("where no pool can be seen, %s: %3$s", (_, cluster, reason) => {
  const verdict = diagnose(launchFleet(cluster), NOW).find(({ name }) => name === "stuck");
  expect(verdict?.reason).toBe(reason);
});
