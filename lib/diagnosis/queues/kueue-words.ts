/** What Kueue's message says of a workload that it does not admit; wordings of v0.5 to v0.19. */
export type KueueWords =
  | "too-large"
  | "uncovered"
  | "no-flavor"
  | "untolerated"
  | "limit-range"
  | "invalid"
  | "topology"
  | "no-victims"
  | "evicting"
  | "quota"
  | "others-not-ready"
  | "refused"
  | "stopped"
  | undefined;

/** Reasons of QuotaReserved that newer versions give; older ones say Pending or Inadmissible. */
const REASONS: Readonly<Record<string, KueueWords>> = {
  ExceedsMaxQuota: "too-large",
  NoMatchingFlavor: "no-flavor",
  TopologyPlacementFailed: "topology",
  WaitingForPreemptedWorkloads: "evicting",
  WaitingForQuota: "quota",
  WaitingForPodsReady: "others-not-ready",
  AdmissionGated: "refused",
  OnHold: "refused",
  Suspended: "stopped",
};

const SAYS: readonly (readonly [RegExp, KueueWords])[] = [
  [/didn't satisfy LimitRange/i, "limit-range"],
  [/resources? validation failed|must not exceed its limits/i, "invalid"],
  [/match ClusterQueue selector|namespace doesn't match/i, "refused"],
  [/(?:LocalQueue|ClusterQueue) \S* ?(?:doesn't exist|is inactive|is stopped|not found)/i, "stopped"],
  [/pending the preemption of \d+ workload/i, "evicting"],
  [/PodsReady condition|waiting for all admitted workloads/i, "others-not-ready"],
  [/unavailable in ClusterQueue|does not (?:have|cover) resource/i, "uncovered"],
  [
    /no candidates?\b.*preempt|no (?:candidate )?workloads? (?:allowed )?for preemption|preemption is not (?:allowed|possible)|cannot preempt/i,
    "no-victims",
  ],
  [/insufficient (?:unused )?quota|borrowing limit|more needed|exceeds? the quota/i, "quota"],
  [/topology|TopologyAwareScheduling/i, "topology"],
  [/^(?!.*match node affinity).*untolerated taint/is, "untolerated"],
  [/match node affinity|untolerated taint|flavor \S+ not found|no matching flavor/i, "no-flavor"],
];

/** The reason decides where it is one of the telling ones, else the message. */
export function kueueWords(reason: string, message: string): KueueWords {
  if (REASONS[reason] !== undefined) return REASONS[reason];
  if (someSetIsTooLarge(message)) return "too-large";
  return SAYS.find(([pattern]) => pattern.test(message))?.[1];
}

/** The message goes through the pod sets, and through the flavors of each: one flavor that could is enough. */
function someSetIsTooLarge(message: string): boolean {
  return message
    .split(/couldn't assign flavors to pod set/i)
    .some((set) => /> maximum capacity/i.test(set) && !/unused quota|more needed|borrowing limit/i.test(set));
}
