import type { ReservationFormat } from "../format.ts";
import { describeCapacityBlockExtensionHistory } from "./describe-capacity-block-extension-history.ts";
import { describeCapacityBlockStatus } from "./describe-capacity-block-status.ts";
import { describeCapacityReservations } from "./describe-capacity-reservations.ts";
import { describeInstances } from "./describe-instances.ts";
import {
  describeCapacityBlockOfferings,
  describeCapacityBlocks,
  getCapacityReservationUsage,
} from "./further-documents.ts";

/** What the AWS CLI prints about reservations (`--output json` or `yaml`). */
export const AWS_FORMATS: readonly ReservationFormat[] = [
  describeCapacityReservations,
  describeCapacityBlocks,
  describeCapacityBlockStatus,
  describeCapacityBlockExtensionHistory,
  describeCapacityBlockOfferings,
  describeInstances,
  getCapacityReservationUsage,
];
