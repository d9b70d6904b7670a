import type { Fleet } from "../../layers/fleet.ts";
import type { ClusterQueueRecord, LocalQueueRecord, WorkloadRecord } from "../../model/facts/kueue.ts";
import type { Condition } from "../../model/kubernetes.ts";
import { eventEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import type { Evidence } from "../verdict.ts";
import { shellWord } from "../wording.ts";
import { type KueueIndex, kueueIndex } from "./kueue-index.ts";

/** A workload that waits, with what its queues are. */
export interface KueueCase {
  readonly workload: WorkloadRecord;
  /** Who waits, in sentences: the workload, or one of its pods. */
  readonly who: string;
  readonly localQueue: LocalQueueRecord | undefined;
  /** The queue that it waits in; undefined: there is none, or it cannot be read. */
  readonly queue: ClusterQueueRecord | undefined;
  readonly index: KueueIndex;
  readonly fleet: Fleet;
  readonly now: number;
  /** Why Kueue has not reserved quota, as it says itself; empty where it says nothing. */
  readonly message: string;
  /** Reason of the same condition; empty where there is none. */
  readonly reason: string;
  readonly says: readonly Evidence[];
}

/** What is known of a workload that waits. `who`: its name in sentences. */
export function kueueCase(workload: WorkloadRecord, who: string, fleet: Fleet, now: number): KueueCase {
  const index = kueueIndex(fleet);
  const localQueue = index.localQueues.get(`${workload.namespace}/${workload.queue}`);
  const condition = conditionIn(workload, "QuotaReserved");
  const waits = condition?.status === "False" ? condition : undefined;
  const event = fleet.events
    .of("Workload", workload.namespace, workload.name)
    .find((one) => /^(Pending|SecondPassFailed|Inadmissible)$/.test(one.reason));
  const says = waits ? [conditionEvidence(workload, waits)] : event ? [eventEvidence(event)] : [];
  return {
    workload,
    who,
    localQueue,
    queue: index.clusterQueues.get(workload.clusterQueue ?? localQueue?.clusterQueue ?? ""),
    index,
    fleet,
    now,
    message: (waits?.message || event?.message) ?? "",
    reason: waits?.reason ?? "",
    says,
  };
}

/** The condition of that type in a workload's status. */
export function conditionIn(
  { conditions }: { readonly conditions: readonly Condition[] },
  type: string,
): Condition | undefined {
  return conditions.find((one) => one.type === type);
}

/** A condition with its reason and message. */
export function conditionEvidence(
  object: Parameters<typeof factEvidence>[0],
  condition: Condition,
): Evidence {
  const why = [condition.reason, condition.message].filter((part) => part !== "").join(": ");
  const value = why === "" ? condition.status : `${condition.status} (${why})`;
  return factEvidence(object, `status.conditions["${condition.type}"]`, value, condition.lastTransitionTime);
}

/** `kubectl -n ml describe workload job-a`. */
export function describeWorkload({ namespace, name }: WorkloadRecord): string {
  return `kubectl -n ${shellWord(namespace)} describe workload ${shellWord(name)}`;
}
