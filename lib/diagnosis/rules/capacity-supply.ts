import { couldBeServed, launchesOf } from "../autoscalers/launches.ts";
import { eventEvidence, reservationEvidence } from "../evidence.ts";
import type { SlotFit } from "../placement/slot-fit.ts";
import type { Finding, PlacementQuestion, Rule, Sure } from "../question.ts";
import { countInWords, timeInWords } from "../wording.ts";
import { groupNotGrown } from "./group-not-grown.ts";

/**
 * Paid slots without a machine that would hold the pod. Asked only where no node has room for it, whether some node could
 * run it or none.
 */
export const capacityNotLaunched: Rule<PlacementQuestion> = ({ pod, ask, placement }) => {
  if (placement.roomy.length > 0 || lacksToleration(placement)) return undefined;
  const slot = best(placement.slots.filter(isActive), (fit) => fit.free);
  if (!slot) return undefined;
  const { record } = slot.reservation;
  const slots = countInWords(slot.free, "paid slot");
  const launched = countInWords(record.count - slot.free - slot.broken - slot.elsewhere, "machine");
  return {
    reason: "CapacityNotLaunched",
    sure: sureOfSlot(slot),
    pool: slot.pool.id,
    evidence: evidenceOf(slot, "count", `${record.count} slots, ${launched} running, ${slots} empty`),
    sentence: `${pod.name} needs ${ask.words}: ${slots} of ${record.name} (${record.instanceType}) would hold it, but nothing launches ${slot.free === 1 ? "it" : "them"}.`,
    step: `${slots} of ${record.name} not launched`,
    next: [`Launch ${record.instanceType} in ${record.name}, or point the autoscaler's node pool at it.`],
  };
};

/** No node could run the pod: is there a reservation that would, were it usable? */
export const reservationNotUsable: Rule<PlacementQuestion> = ({ pod, ask, placement, now }) => {
  if (placement.candidates.length > 0 || lacksToleration(placement)) return undefined;
  const supply = supplyOf(placement.slots);
  if (!supply) return undefined;
  const { reason, slot } = supply;
  const { record } = slot.reservation;
  const what = WHAT_OF[reason](slot, now);
  return {
    reason,
    sure: sureOfSlot(slot),
    pool: slot.pool.id,
    evidence: evidenceOf(slot, "state", what, reason === "ReservationNotStarted" ? record.start : record.end),
    sentence: `${pod.name} needs ${ask.words}, and only ${record.name} (${record.instanceType}) would hold it: it ${what}.`,
    step: `${record.name} ${what}`,
    next: [
      `Ask the owner of ${record.name}${record.owner ? ` (${record.owner})` : ""} for capacity that is usable now.`,
    ],
  };
};

/** Nobody has, or pays for, what the pod asks for. */
export const noCapacitySource: Rule<PlacementQuestion> = (question) => {
  const { pod, ask, placement, fleet, words } = question;
  const { offers, scaleUp } = launchesOf(question);
  if (placement.offering.length > 0 || offers.length > 0 || couldBeServed(question)) return undefined;
  if (groupNotGrown(question)) return undefined;
  const names = ask.accelerators.map(([resource]) => resource).join(" and ");
  const count = countInWords(fleet.nodes.size, "node");
  return {
    reason: "NoCapacitySource",
    sure: scaleUp?.notTriggered
      ? { certainty: "high", why: "nothing offers it, and the autoscaler says the same of its node groups" }
      : {
          certainty: "medium",
          why: "nothing offers it; what node groups of the cloud could add is not read",
        },
    evidence: [
      ...(words?.evidence ?? []),
      ...(scaleUp?.notTriggered ? [eventEvidence(scaleUp.notTriggered.event)] : []),
    ],
    sentence: `${pod.name} needs ${ask.words}, and nothing offers ${names}: none of the ${count}, no node pool and no reservation has it.`,
    step: `no node, node pool or reservation offers ${names}`,
    next: [`Get capacity with ${names}, or correct the resource that the pod asks for.`],
    reads: ["nodePools"],
  };
};

/** A missing toleration alone keeps it off the nodes that there are: further ones would carry the same taint. */
function lacksToleration({ candidates, offering }: PlacementQuestion["placement"]): boolean {
  if (candidates.length > 0) return false;
  return offering.some((fit) => fit.mismatches.every((mismatch) => mismatch.kind === "taint"));
}

type Supply = "ReservationNotUsable" | "ReservationExhausted" | "ReservationNotStarted" | "ReservationEnded";

/** What keeps the best of the reservations that would hold the pod from being used; undefined where none would. */
function supplyOf(
  slots: readonly SlotFit[],
): { readonly reason: Supply; readonly slot: SlotFit } | undefined {
  const active = slots.filter(isActive);
  const waiting = slots.filter((fit) => fit.reservation.state === "scheduled");
  const over = slots.filter(({ reservation: { state } }) => state === "ended" || state === "failed");
  const ranked: readonly (readonly [Supply, SlotFit | undefined])[] = [
    ["ReservationNotUsable", best(active, (fit) => fit.broken)],
    ["ReservationExhausted", best(active, (fit) => fit.elsewhere)],
    ["ReservationNotStarted", best(waiting, (fit) => fit.reservation.record.count)],
    ["ReservationEnded", best(over, (fit) => fit.reservation.record.count)],
  ];
  for (const [reason, slot] of ranked) if (slot) return { reason, slot };
  return undefined;
}

const WHAT_OF: Readonly<Record<Supply, (slot: SlotFit, now: number) => string>> = {
  ReservationNotUsable: ({ broken }) =>
    `has ${countInWords(broken, "slot")} that the provider reports as not usable`,
  ReservationExhausted: ({ elsewhere }) =>
    `has ${countInWords(elsewhere, "slot")} in use elsewhere and none free`,
  ReservationNotStarted: ({ reservation: { record } }, now) =>
    record.start === undefined ? "has not started" : `starts at ${timeInWords(record.start, now)}`,
  ReservationEnded: ({ reservation: { record, state } }, now) => {
    if (state === "failed") return "has failed";
    return record.end === undefined ? "has ended" : `ended at ${timeInWords(record.end, now)}`;
  },
};

function best(slots: readonly SlotFit[], size: (slot: SlotFit) => number): SlotFit | undefined {
  const sized = slots.filter((slot) => size(slot) > 0);
  return sized.sort((a, b) => Number(b.sure) - Number(a.sure) || size(b) - size(a))[0];
}

const isActive = ({ reservation }: SlotFit): boolean => reservation.state === "active";

function sureOfSlot({ sure }: SlotFit): Sure {
  return sure
    ? { certainty: "high", why: "what the reservation says matches what the pod asks for" }
    : { certainty: "medium", why: "the pod looks at labels that are not known before a machine is launched" };
}

function evidenceOf(slot: SlotFit, field: string, value: string, at?: number): Finding["evidence"] {
  const one = reservationEvidence(slot.pool, field, value, at);
  return one ? [one] : [];
}
