import type { NodeClaimRecord } from "../../model/facts/karpenter.ts";
import type { Evidence } from "../verdict.ts";
import type { LaunchError } from "./launch-errors.ts";

/** How long a machine may take from the launch to a node. https://karpenter.sh/docs/concepts/disruption/ (registration TTL) */
export const NORMAL_LAUNCH_MS = 15 * 60_000;

/** A launch that did not come to a machine. */
export interface FailedLaunch {
  /** What was to be launched: a pool or a node group, in words. */
  readonly what: string;
  /** The pool of Karpenter that it was in; undefined for a node group. */
  readonly pool: string | undefined;
  /** undefined: the message says nothing that is known. */
  readonly error: LaunchError | undefined;
  readonly message: string;
  readonly at: number;
  /** False where it may have been a launch for other pods. */
  readonly own: boolean;
  readonly evidence: Evidence;
}

/** A launch under way. */
export interface RunningLaunch {
  readonly what: string;
  readonly since: number;
  readonly own: boolean;
  readonly evidence: Evidence;
}

/** A machine that should have become a node by now. */
export interface LateLaunch extends RunningLaunch {
  readonly claim: NodeClaimRecord | undefined;
}

/** What one autoscaler has tried for a pod, as far as it is still true: nothing that a later launch has overtaken. */
export interface LaunchState {
  readonly failed: readonly FailedLaunch[];
  readonly running: readonly RunningLaunch[];
  readonly late: readonly LateLaunch[];
}
