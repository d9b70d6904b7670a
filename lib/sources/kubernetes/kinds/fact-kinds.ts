import { AUTOSCALING_KINDS } from "./autoscaling.ts";
import { CONTROLLER_KINDS } from "./controllers.ts";
import { DEVICE_KINDS } from "./devices.ts";
import type { FactKind } from "./fact-kind.ts";
import { GANG_KINDS } from "./gangs.ts";
import { KARPENTER_KINDS } from "./karpenter.ts";
import { KUEUE_KINDS } from "./kueue.ts";
import { QUOTA_KINDS } from "./quotas.ts";
import { STORAGE_KINDS } from "./storage.ts";

/** Every kind that is read beside nodes, pods and events; a cluster need not have any of them. */
export const FACT_KINDS: readonly FactKind[] = [
  ...KARPENTER_KINDS,
  ...AUTOSCALING_KINDS,
  ...CONTROLLER_KINDS,
  ...QUOTA_KINDS,
  ...STORAGE_KINDS,
  ...DEVICE_KINDS,
  ...KUEUE_KINDS,
  ...GANG_KINDS,
];
