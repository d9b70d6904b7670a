import type { Issue } from "../../../model/snapshot.ts";
import type { CapacityReservation } from "./capacity-reservation.ts";
import { usedOf } from "./reservation-size.ts";
import { isKnownState } from "./reservation-state.ts";

/** What is odd about a reservation that can be read, or changes what its figures mean. */
export function recordIssues(record: CapacityReservation, source: string): Issue[] {
  const issues: Issue[] = [];
  const add = (severity: Issue["severity"], code: string, what: string) => {
    issues.push({ code, severity, message: `${record.CapacityReservationId} ${what}`, source });
  };
  const { State, TotalInstanceCount: total, AvailableInstanceCount: available } = record;
  if (!isKnownState(State)) {
    add("warning", "UnknownReservationState", `has the state ${State}, so whether it is billed is not known`);
  }
  if (State === "active" && total != null && available != null && usedOf(record) === undefined) {
    add("warning", "ReservationCountsContradict", `counts ${available} of ${total} instances as available`);
  }
  const { ReservationType: type, InstanceMatchCriteria: criteria } = record;
  if (type && type !== "default" && type !== "capacity-block") {
    add("warning", "UnknownReservationType", `has the type ${type}, so how it is billed is not known`);
  }
  if (criteria && criteria !== "open" && criteria !== "targeted") {
    add(
      "warning",
      "UnknownMatchCriteria",
      `has the match criteria ${criteria}, so what enters it is not known`,
    );
  }
  const { UnusedReservationBillingOwnerId: payer } = record;
  if (payer && payer !== record.OwnerId) {
    add("info", "ReservationOtherPayer", `is billed to account ${payer} for what is not used of it`);
  }
  if (record.Interruptible) {
    const lender = record.InterruptionInfo?.SourceCapacityReservationId ?? "another reservation";
    add(
      "info",
      "ReservationInterruptible",
      `is lent by ${lender}, which can take its instances back at any time`,
    );
  }
  return issues;
}
