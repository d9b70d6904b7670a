import type { Reason } from "../../model/reasons.ts";
import { FAILURES_KEPT } from "../autoscalers/karpenter-index.ts";
import { karpenterLeavesOut, karpenterSays } from "../autoscalers/karpenter-words.ts";
import type { LaunchFault } from "../autoscalers/launch-errors.ts";
import type { FailedLaunch } from "../autoscalers/launch-state.ts";
import { isReservedOnly, type Launches, launchesOf } from "../autoscalers/launches.ts";
import { unreadPools } from "../autoscalers/unread-pools.ts";
import { reservationEvidence } from "../evidence.ts";
import type { SlotFit } from "../placement/slot-fit.ts";
import type { PlacementQuestion, Rule, Sure } from "../question.ts";
import { countInWords, cutText, listInWords, timeInWords } from "../wording.ts";

/** The last launch for the pod, or in a pool that could serve it, failed: what the provider said decides whose move it is. */
export const launchRefused: Rule<PlacementQuestion> = (question) => {
  const { placement } = question;
  const launches = launchesOf(question);
  if (placement.roomy.length > 0 || launches.running.length > 0) return undefined;
  const failed = launches.failed.find((one) => !isOvertakenByLimit(one, question));
  if (!failed) return undefined;
  const slot = freeSlot(question);
  const reason = reasonOf(failed, slot, launches);
  const tries = triesOf(failed, launches, question.now);
  const at = `${timeInWords(failed.at, question.now)}${tries}`;
  const code = failed.error?.words ?? (cutText(failed.message, 120) || "nothing says why");
  const told = `${failed.what} ${failed.error ? "refused" : "failed"} at ${at} (${code})`;
  const how = failed.error ? `was refused at ${at} with ${code}` : `failed at ${at} (${code})`;
  const isSlots = reason === "CapacityNotLaunched" && slot !== undefined;
  return {
    reason,
    sure: sureOf(failed, question.now),
    ...(isSlots ? { pool: slot.pool.id } : {}),
    evidence: [failed.evidence, ...(isSlots ? slotEvidence(slot) : [])],
    sentence: `${question.pod.name} needs ${question.ask.words}, ${isSlots ? `and ${slotWords(slot)}` : WHY[reason](failed)}: the launch of ${failed.what}${typesInWords(launches)} ${how}.`,
    step: isSlots ? `${slotWords(slot)}; ${told}` : told,
    next: isSlots
      ? [
          `Let ${failed.pool ?? failed.what} launch into ${slot.reservation.record.name}: its selection of reservations, instance type and zone.`,
        ]
      : NEXT[reason](failed),
    reads: ["nodePools", "nodeClaims"],
  };
};

/** Karpenter has taken every offering out: it does so for some minutes after a launch was refused. */
export const offeringsUnavailable: Rule<PlacementQuestion> = (question) => {
  const { pod, ask, placement } = question;
  const launches = launchesOf(question);
  if (placement.roomy.length > 0 || launches.running.length > 0 || launches.failed.length > 0)
    return undefined;
  const pools = [...launches.serving.map(({ pool: { name } }) => name), ...unreadPools(question)];
  const [said] = pools.flatMap(
    (name) => karpenterSays(question, name, "unavailable") ?? karpenterLeavesOut(question, name) ?? [],
  );
  if (!said) return undefined;
  const reason = isReservedOnly(launches) ? "ReservationExhausted" : "CloudStockout";
  return {
    reason,
    sure: {
      certainty: "low",
      why: "Karpenter finds nothing to launch where an instance type fits; the refusal behind it is not seen",
    },
    evidence: [said.evidence],
    sentence: `${pod.name} needs ${ask.words}, and Karpenter holds every offering of ${said.pool}${typesInWords(launches)} for unavailable, as it does after the provider has refused a launch.`,
    step: `no offering available in ${said.pool}`,
    next: [
      `Look into Karpenter's log for the refusal; without one, the requirements of ${said.pool} leave nothing to launch.`,
      "kubectl get events -A --field-selector type=Warning",
    ],
    reads: ["nodePools"],
  };
};

/** How often, where it is more than once. */
function triesOf(failed: FailedLaunch, { failed: all }: Launches, now: number): string {
  const recent = all.filter(({ error, at }) => error?.fault === failed.error?.fault && now - at < 3_600_000);
  const count = recent.length >= FAILURES_KEPT ? `${FAILURES_KEPT} times or more` : `${recent.length} times`;
  return recent.length > 1 ? ` (${count} within the hour)` : "";
}

type Refusal = Extract<
  Reason,
  | "CloudStockout"
  | "QuotaExceeded"
  | "ReservationExhausted"
  | "CapacityNotLaunched"
  | "NodeLaunchFailed"
  | "NodeNotRegistered"
>;

const REASON_OF: Readonly<Record<LaunchFault, Refusal>> = {
  "reservation-full": "ReservationExhausted",
  quota: "QuotaExceeded",
  stockout: "CloudStockout",
  network: "NodeLaunchFailed",
  permission: "NodeLaunchFailed",
  config: "NodeLaunchFailed",
  throttled: "NodeLaunchFailed",
  "not-registered": "NodeNotRegistered",
};

/** Lack of capacity is the provider's only where no paid slot is free: else the launch did not go where we have some. */
function reasonOf({ error }: FailedLaunch, slot: SlotFit | undefined, launches: Launches): Refusal {
  if (!error) return "NodeLaunchFailed";
  const isLack = error.fault === "stockout" || error.fault === "reservation-full";
  if (isLack && slot) return "CapacityNotLaunched";
  if (error.fault === "stockout" && isReservedOnly(launches)) return "ReservationExhausted";
  return REASON_OF[error.fault];
}

function freeSlot({ placement }: PlacementQuestion): SlotFit | undefined {
  return placement.slots
    .filter(({ reservation, free }) => reservation.state === "active" && free > 0)
    .sort((a, b) => Number(b.sure) - Number(a.sure) || b.free - a.free)[0];
}

/** It has since said that a limit of ours stops it. */
function isOvertakenByLimit({ at, pool }: FailedLaunch, question: PlacementQuestion): boolean {
  const said = pool === undefined ? undefined : karpenterSays(question, pool, "limit");
  return said !== undefined && said.at > at;
}

function sureOf({ error, own, at, message }: FailedLaunch, now: number): Sure {
  if (message === "")
    return { certainty: "low", why: "a launch failed, and what the cloud answered is not seen" };
  if (!error)
    return { certainty: "medium", why: "a launch failed, and its message says nothing that is known" };
  if (now - at > 3_600_000) return { certainty: "medium", why: "that was more than an hour ago" };
  return own
    ? { certainty: "high", why: "it is the provider's answer to the last launch for this pod" }
    : { certainty: "medium", why: "it is the provider's answer to the last launch where the pod could run" };
}

function slotWords({ free, reservation: { record } }: SlotFit): string {
  return `${countInWords(free, "paid slot")} of ${record.name} (${record.instanceType}) ${free === 1 ? "is" : "are"} free, but the launch does not go there`;
}

function slotEvidence({ pool, free, reservation: { record } }: SlotFit) {
  const one = reservationEvidence(pool, "count", `${record.count} slots, ${free} empty`);
  return one ? [one] : [];
}

/** Only where the pod leaves few types to choose from. */
function typesInWords({ serving }: Launches): string {
  const types = [...new Set(serving.flatMap((offer) => offer.types.map(({ name }) => name)))];
  return types.length > 0 && types.length <= 3 ? ` (${listInWords(types)})` : "";
}

const WHY: Readonly<Record<Refusal, (failed: FailedLaunch) => string>> = {
  CloudStockout: () => "and the provider has no machine for it",
  QuotaExceeded: ({ message }) =>
    `and the account's quota ${/(limit|quota)[^.;]{0,40}\b(of|is|:) ?0\b/i.test(message) ? "is 0" : "does not allow one more machine"}`,
  ReservationExhausted: () => "and the reservation for it has no free slot",
  CapacityNotLaunched: () => "and paid slots are free",
  NodeLaunchFailed: ({ error }) => `and no machine comes${error ? FAULT_WORDS[error.fault] : ""}`,
  NodeNotRegistered: () => "and the machines for it never join the cluster",
};

const FAULT_WORDS: Readonly<Record<LaunchFault, string>> = {
  network: " for want of addresses or of a usable network",
  permission: " since the launch is not permitted",
  config: " since what is to be launched is set up wrongly",
  throttled: " since the provider throttles the calls",
  quota: "",
  stockout: "",
  "reservation-full": "",
  "not-registered": "",
};

const NEXT: Readonly<Record<Refusal, (failed: FailedLaunch) => readonly string[]>> = {
  CloudStockout: ({ pool, what }) => [
    `Allow ${pool ?? what} further instance types or zones, or get a reservation.`,
    "It is tried again by itself: it runs when the provider has stock.",
  ],
  QuotaExceeded: () => ["Ask the provider to raise the quota that the message names."],
  ReservationExhausted: () => ["Get more slots, or let the pool launch outside the reservation."],
  CapacityNotLaunched: () => [],
  NodeLaunchFailed: ({ error, pool, what }) => [FAULT_NEXT[error?.fault ?? "config"](pool ?? what)],
  NodeNotRegistered: () => [
    "Read a machine's boot log: its kubelet does not reach, or is not let into, the cluster.",
  ],
};

const FAULT_NEXT: Readonly<Record<LaunchFault, (what: string) => string>> = {
  network: (what) => `Give ${what} a subnet with free addresses.`,
  permission: (what) => `Give the autoscaler, or the role of ${what}, the permission that the message names.`,
  config: (what) =>
    `Correct the node class or template of ${what}: image, instance profile, instance type and zone.`,
  throttled: () => "Wait: it is tried again; if it lasts, lower the number of calls.",
  quota: () => "",
  stockout: () => "",
  "reservation-full": () => "",
  "not-registered": () => "",
};
