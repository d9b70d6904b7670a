import type { EventRecord } from "../../model/kubernetes.ts";
import { eventEvidence } from "../evidence.ts";
import type { PlacementQuestion } from "../question.ts";
import type { Evidence } from "../verdict.ts";
import { isFromAutoscaler } from "./autoscaler.ts";
import { karpenterIndex } from "./karpenter-index.ts";

/** Why Karpenter does not use one pool for the pod. */
export type PoolRefusal =
  /** The pool's own limits. */
  | "limit"
  /** An instance type fits, and no offering of it is available. */
  | "unavailable"
  /** By what Karpenter knows of the machines, and of the labels that they get, none would do. */
  | "unfit"
  /** A label, a taint or the size: the pod does not fit what the pool makes. */
  | "incompatible";

export interface SaidOfPool {
  readonly pool: string;
  readonly at: number;
  readonly text: string;
  readonly evidence: Evidence;
}

/** Karpenter's last word on the pod: a FailedScheduling event of its own. */
export function karpenterEvent({ pod, fleet }: PlacementQuestion): EventRecord | undefined {
  return fleet.events
    .ofPod(pod.namespace, pod.name)
    .find((event) => event.reason === "FailedScheduling" && isFromAutoscaler(event));
}

/** Its last word on the pod and `pool`, where it says `refusal`; undefined where it says something else, or nothing. */
export function karpenterSays(
  question: PlacementQuestion,
  pool: string,
  refusal: PoolRefusal,
): SaidOfPool | undefined {
  const event = karpenterEvent(question);
  if (!event) return undefined;
  const text = event.message.split(/; |, (?=incompatible with )/).find((part) => names(part, pool));
  if (text === undefined || refusalOf(text) !== refusal) return undefined;
  return { pool, text, at: event.lastAt ?? event.firstAt ?? 0, evidence: eventEvidence(event) };
}

/**
 * Karpenter leaves a pool out, and does not speak of it to the pod, where nothing that the pool may launch is available:
 * only an event of the pool's own says so.
 */
export function karpenterLeavesOut({ fleet }: PlacementQuestion, pool: string): SaidOfPool | undefined {
  const event = fleet.events
    .of("NodePool", "", pool)
    .find(({ reason, message }) => reason === "NoCompatibleInstanceTypes" && !/minValues/i.test(message));
  const at = event?.lastAt ?? event?.firstAt ?? 0;
  if (!event || at < (karpenterIndex(fleet).get(pool)?.lastLaunch ?? 0)) return undefined;
  return { pool, text: event.message, at, evidence: eventEvidence(event) };
}

/**
 * `nodepool "x"` or, in structured errors, `NodePool=x`, `NodePool":{"name":"x"}`; else what the machine would have had to
 * be, its pool among it: `requirements=karpenter.sh/nodepool In [x], ...`.
 */
function names(part: string, pool: string): boolean {
  const name = pool.replace(/[^\w-]/g, "\\$&");
  return new RegExp(
    `(nodepool|provisioner)\\W+(name\\W+)?${name}(?![\\w.-])|requirements=.*karpenter\\.sh/nodepool In \\[${name}\\]`,
    "i",
  ).test(part);
}

/** No type of the pool is large enough, or a label is asked for that Karpenter cannot foresee. */
const UNFIT = /no instance type ha[sd] enough resources|does not have known values/i;

/** The kinds of wording of v0.2 to v1.14. https://karpenter.sh/docs/troubleshooting/ */
function refusalOf(whole: string): PoolRefusal {
  // Keys of labels (`topology.kubernetes.io/zone`) are listed with every refusal.
  const text = whole.replace(/[\w.-]+\/[\w.-]+/g, "");
  if (
    /exceeds? limits?|limits? (have been|has been|are|is) (exhausted|exceeded|reached)|limit exceeded/i.test(
      text,
    )
  ) {
    return "limit";
  }
  if (UNFIT.test(text)) return "unfit";
  if (/incompatible requirements|not tolerate|topology|affinity/i.test(text)) return "incompatible";
  if (
    /required offering|no instance type satisfied|unavailable offering|offerings? (is|are) (not )?available/i.test(
      text,
    )
  ) {
    return "unavailable";
  }
  return "incompatible";
}
