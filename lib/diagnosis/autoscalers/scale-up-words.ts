import type { EventIndex } from "../../layers/fleet.ts";
import type { EventRecord, PodRecord } from "../../model/kubernetes.ts";

/** What Cluster Autoscaler, or a cloud's own, has said of one pod. Each is the newest of its kind. */
export interface ScaleUpWords {
  readonly triggered: EventRecord | undefined;
  /** Node groups named by all events that are left, newest first. */
  readonly groups: readonly GroupPlan[];
  readonly failed: EventRecord | undefined;
  readonly notTriggered: NotTriggered | undefined;
}

/** `GROUP 0->1 (max: 4)`. */
export interface GroupPlan {
  /** The last part of the name, without the path. */
  readonly name: string;
  readonly max: number | undefined;
}

/** Why no node group was made larger, by how many groups. */
export interface NotTriggered {
  readonly event: EventRecord;
  readonly reasons: readonly SkippedReason[];
}

export interface SkippedReason {
  /** Node groups. */
  readonly count: number;
  readonly text: string;
  /** `template`: a node of the group would not take the pod. */
  readonly kind: "max-size" | "cluster-limit" | "backoff" | "not-ready" | "template";
}

/**
 * undefined where no event is left. https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md#what-events-are-emitted-by-ca
 */
export function scaleUpWords(pod: PodRecord, events: EventIndex): ScaleUpWords | undefined {
  const all = events.ofPod(pod.namespace, pod.name);
  const triggers = all.filter(({ reason }) => reason === "TriggeredScaleUp");
  const failed = all.find(({ reason }) => /^(FailedScaleUp|ScaleUpFailed|FailedToScaleUp)$/.test(reason));
  const refusal = all.find(({ reason }) => reason === "NotTriggerScaleUp");
  if (triggers.length === 0 && !failed && !refusal) return undefined;
  return {
    triggered: triggers[0],
    groups: triggers.flatMap(({ message }) => groupPlans(message)),
    failed,
    notTriggered: refusal && { event: refusal, reasons: skippedReasons(refusal.message) },
  };
}

/** The last part of a node group's name: GCE writes the whole URL of an instance group. */
export function shortGroup(name: string): string {
  return name.split("/").at(-1) ?? name;
}

function groupPlans(message: string): GroupPlan[] {
  const plans = message.matchAll(/([^\s[\]{}]+) \d+->\d+(?: \(max: (\d+)\))?/g);
  return [...plans].map(([, name = "", max]) => ({
    name: shortGroup(name),
    max: max === undefined ? undefined : Number(max),
  }));
}

const KINDS: readonly (readonly [SkippedReason["kind"], RegExp])[] = [
  [
    "max-size",
    /max node group size|max(imum)? size( of)?( the)? (node group|reached)|max nodes? (total )?reached/i,
  ],
  [
    "cluster-limit",
    /max cluster .*limit|cluster-wide .*limit|resource limit|max-nodes-total|max total nodes|exceed\w* .*quota/i,
  ],
  ["backoff", /back-?off/i],
  ["not-ready", /not ready|unhealthy|skipped|ignored/i],
];

/** `2 max node group size reached, 1 node(s) had untolerated taint {a: b}, ...`; a taint's braces may hold commas. */
function skippedReasons(message: string): SkippedReason[] {
  const list = message.replace(/^.*?scale-up[^:]*:\s*/i, "");
  const parts = list.matchAll(/(?:^|, )(\d+) (.+?)(?=, \d+ |$)/gs);
  const kindOf = (text: string) => KINDS.find(([, words]) => words.test(text))?.[0];
  const counted = [...parts].map(([, count, text = ""]) => {
    return { count: Number(count), text, kind: kindOf(text) ?? ("template" as const) };
  });
  if (counted.length > 0) return counted;
  // What holds for the whole cluster is told without a count.
  const kind = kindOf(list);
  return kind ? [{ count: 1, text: list, kind }] : [];
}
