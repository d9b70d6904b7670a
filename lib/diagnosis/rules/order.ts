import type { PlacementQuestion, Question, Rule, SubjectRule } from "../question.ts";
import { admissionRefused } from "./admission.ts";
import { autoscalerNotActing } from "./autoscaler-idle.ts";
import { autoscalerLimitReached } from "./autoscaler-limit.ts";
import { boundNodeNotReady, stuckInDriver, stuckOnLostNode } from "./bound-node.ts";
import { capacityNotLaunched, noCapacitySource, reservationNotUsable } from "./capacity-supply.ts";
import { containersFail } from "./containers.ts";
import { deviceClaimUnallocated, deviceClassMissing } from "./device-claims.ts";
import { doneButHeld } from "./done-but-held.ts";
import { deadlineExceeded, endedWithNode, evicted } from "./ended-by-node.ts";
import { evictedBefore } from "./evicted-before.ts";
import { gangIncomplete } from "./gang.ts";
import { schedulingGated } from "./gated.ts";
import { gpusTaken } from "./gpus-taken.ts";
import { groupNotGrown } from "./group-not-grown.ts";
import { waitingWorkloads } from "./kueue-workloads.ts";
import { launchRefused, offeringsUnavailable } from "./launch-refused.ts";
import { nodeLaunching, nodeNotRegistered } from "./launching.ts";
import { lostNodes } from "./lost-nodes.ts";
import { lowUtilization } from "./low-utilization.ts";
import { requestNeverFits } from "./never-fits.ts";
import { neverReady } from "./never-ready.ts";
import { notStarted } from "./not-started.ts";
import { otherResourcesExhausted } from "./other-resources.ts";
import { schedulerOvercommit } from "./overcommit.ts";
import { heldByOwnRollout } from "./own-rollout.ts";
import { poolNotReady } from "./pool-not-ready.ts";
import { failedByPreemption, preempted, preemptionNotPossible } from "./preemption.ts";
import { provisioningPending, provisioningWorkloads } from "./provisioning.ts";
import { queueRefuses } from "./queue-limit.ts";
import { topologyUnsatisfied } from "./refused.ts";
import { refusedPods } from "./refused-pods.ts";
import { noReservationLeft } from "./reserved-pools.ts";
import { schedulerAbsent, schedulerDelay } from "./scheduler.ts";
import {
  sharedDeviceFits,
  sharedDeviceNeverFits,
  sharedDevicesTaken,
  sharesAtDefaultScheduler,
} from "./shared-devices.ts";
import { silentTraining } from "./silent-training.ts";
import { admittedButSuspended, suspendedByHand } from "./suspended.ts";
import { quotaToldByScheduler, toldByScheduler } from "./told-by-scheduler.ts";
import { topologyAssignment } from "./topology-assignment.ts";
import { nodesUnread } from "./unread-nodes.ts";
import { volumeUnbound, volumeZoneConflict } from "./volumes.ts";
import { waitingGroups } from "./waiting-groups.ts";
import { waitsForPeers } from "./waits-for-peers.ts";
import { waitsInInit } from "./waits-in-init.ts";

/** For a pod that no node has: the first rule that answers names the lowest broken layer. */
export const PLACEMENT_RULES: readonly Rule<PlacementQuestion>[] = [
  schedulingGated,
  queueRefuses,
  quotaToldByScheduler,
  topologyAssignment,
  sharedDeviceFits,
  nodesUnread,
  nodeLaunching,
  evictedBefore,
  lostNodes,
  provisioningPending,
  poolNotReady,
  launchRefused,
  nodeNotRegistered,
  capacityNotLaunched,
  reservationNotUsable,
  noReservationLeft,
  autoscalerLimitReached,
  offeringsUnavailable,
  groupNotGrown,
  autoscalerNotActing,
  deviceClassMissing,
  noCapacitySource,
  requestNeverFits,
  sharedDeviceNeverFits,
  heldByOwnRollout,
  preempted,
  preemptionNotPossible,
  gangIncomplete,
  gpusTaken,
  otherResourcesExhausted,
  volumeZoneConflict,
  volumeUnbound,
  topologyUnsatisfied,
  deviceClaimUnallocated,
  sharedDevicesTaken,
  sharesAtDefaultScheduler,
  toldByScheduler,
  schedulerAbsent,
  schedulerDelay,
];

/** For a pod that a node has, whether it runs or not. */
export const BOUND_RULES: readonly Rule<Question>[] = [
  boundNodeNotReady,
  schedulerOvercommit,
  containersFail,
  doneButHeld,
  notStarted,
  waitsInInit,
  neverReady,
  silentTraining,
  waitsForPeers,
  lowUtilization,
];

/** For a pod that is to go and has not gone. */
export const LEAVING_RULES: readonly Rule<Question>[] = [stuckOnLostNode, stuckInDriver];

/** For a pod that has failed for good and that nothing has replaced. */
export const FAILED_RULES: readonly Rule<Question>[] = [
  failedByPreemption,
  admissionRefused,
  evicted,
  endedWithNode,
  containersFail,
  deadlineExceeded,
];

/** For objects that should have made pods: each family looks at its own kinds. */
export const SUBJECT_RULES: readonly SubjectRule[] = [
  refusedPods,
  suspendedByHand,
  admittedButSuspended,
  waitingWorkloads,
  waitingGroups,
  provisioningWorkloads,
];
