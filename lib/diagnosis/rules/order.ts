import type { PlacementQuestion, Question, Rule, SubjectRule } from "../question.ts";
import { boundNodeNotReady } from "./bound-node.ts";
import { capacityNotLaunched, noCapacitySource, reservationNotUsable } from "./capacity-supply.ts";
import { containerConfigError, crashLoop, hostOutOfMemory, imagePullFailed } from "./containers.ts";
import { schedulingGated } from "./gated.ts";
import { gpusTaken } from "./gpus-taken.ts";
import { lostNodes } from "./lost-nodes.ts";
import { requestNeverFits } from "./never-fits.ts";
import { notStarted } from "./not-started.ts";
import { otherResourcesExhausted } from "./other-resources.ts";
import { topologyUnsatisfied, volumeZoneConflict } from "./refused.ts";
import { schedulerAbsent, schedulerDelay } from "./scheduler.ts";
import { nodesUnread } from "./unread-nodes.ts";

/** For a pod that no node has: the first rule that answers names the lowest broken layer. */
export const PLACEMENT_RULES: readonly Rule<PlacementQuestion>[] = [
  schedulingGated,
  nodesUnread,
  lostNodes,
  capacityNotLaunched,
  reservationNotUsable,
  noCapacitySource,
  requestNeverFits,
  gpusTaken,
  otherResourcesExhausted,
  volumeZoneConflict,
  topologyUnsatisfied,
  schedulerAbsent,
  schedulerDelay,
];

/** For a pod that a node has, whether it runs or not. */
export const BOUND_RULES: readonly Rule<Question>[] = [
  boundNodeNotReady,
  imagePullFailed,
  containerConfigError,
  hostOutOfMemory,
  crashLoop,
  notStarted,
];

/** For a pod that has failed for good and that nothing has replaced. */
export const FAILED_RULES: readonly Rule<Question>[] = [];

/** For objects that should have made pods: each family looks at its own kinds. */
export const SUBJECT_RULES: readonly SubjectRule[] = [];
