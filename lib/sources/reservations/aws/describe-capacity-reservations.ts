import { findInstanceType, type InstanceType } from "../../../model/instance-types.ts";
import type { Reservation } from "../../../model/reservation.ts";
import type { Issue } from "../../../model/snapshot.ts";
import type { ParsedReservations, ReservationFormat } from "../format.ts";
import { type CapacityReservation, capacityReservation } from "./capacity-reservation.ts";
import { recordIssues } from "./record-issues.ts";
import { reservationOf } from "./reservation-of.ts";
import { sizeOf } from "./reservation-size.ts";
import { hasKey, readRows } from "./rows.ts";

/** On-demand, future-dated and capacity block reservations: `{CapacityReservations: […]}`. */
export const describeCapacityReservations: ReservationFormat = {
  name: "aws ec2 describe-capacity-reservations",
  recognises: (document) => hasKey(document, "CapacityReservations"),
  parse: (document, { sourceId }) => {
    const read = readRows(document, "CapacityReservations", capacityReservation, sourceId);
    const parsed = read.rows.map((record) => parseRecord(record, sourceId));
    const withoutGpus = parsed.filter((entry) => entry === "no GPUs").length;
    const kept = parsed.filter((entry) => entry !== "no GPUs");
    return {
      reservations: kept.flatMap(({ reservation }) => reservation ?? []),
      problems: read.problems,
      issues: [...read.issues, ...kept.flatMap(({ issues }) => issues), ...leftOut(withoutGpus, sourceId)],
    } satisfies ParsedReservations;
  },
};

interface ParsedRecord {
  /** undefined: left out, and the issues say why. */
  readonly reservation: Reservation | undefined;
  readonly issues: readonly Issue[];
}

function parseRecord(record: CapacityReservation, sourceId: string): ParsedRecord | "no GPUs" {
  const { CapacityReservationId: id, InstanceType: type, State: state } = record;
  const leaveOut = (code: string, why: string): ParsedRecord => {
    const message = `${id} (${state}) was left out: ${why}`;
    return { reservation: undefined, issues: [{ code, severity: "warning", message, source: sourceId }] };
  };
  const listed = findAwsType(type);
  if (!listed) {
    return isAccelerated(type)
      ? leaveOut("UnknownInstanceType", `how many GPUs one ${type} has is not known`)
      : "no GPUs";
  }
  const count = sizeOf(record);
  if (count === undefined)
    return leaveOut("ReservationSizeUnknown", "AWS does not say how many instances it has");
  return {
    reservation: reservationOf(record, { count, listed, sourceId }),
    issues: recordIssues(record, sourceId),
  };
}

function findAwsType(name: string): InstanceType | undefined {
  const listed = findInstanceType(name);
  return listed?.provider === "aws" ? listed : undefined;
}

/** By its family's letters: https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html */
function isAccelerated(instanceType: string): boolean {
  return /^(u-)?(p|g|gr|trn|inf|dl)\d/.test(instanceType);
}

function leftOut(count: number, source: string): Issue[] {
  if (count === 0) return [];
  const message = `${count} reservation${count === 1 ? "" : "s"} of instance types without GPUs ${count === 1 ? "was" : "were"} left out`;
  return [{ code: "ReservationsWithoutGpus", severity: "info", message, source }];
}
