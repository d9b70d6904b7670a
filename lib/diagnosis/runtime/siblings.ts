import type { Fleet } from "../../layers/fleet.ts";
import { groupPresent } from "../../layers/group-present.ts";
import type { Facts } from "../../model/facts/facts.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { perFleet } from "../per-fleet.ts";

interface Index {
  readonly makerOfPod: (pod: PodRecord) => string | undefined;
  readonly byOwner: ReadonlyMap<string, readonly PodRecord[]>;
  readonly byGang: ReadonlyMap<string, readonly PodRecord[]>;
  readonly failedByNode: ReadonlyMap<string, readonly PodRecord[]>;
}

/** Pods by what they belong to. */
const indexOf = perFleet(({ pods, facts }): Index => {
  const makerOfPod = makerOf(facts);
  return {
    makerOfPod,
    byOwner: groupPresent(pods, makerOfPod),
    byGang: groupPresent(pods, gangKey),
    failedByNode: groupPresent(pods, ({ phase, nodeName }) => (phase === "Failed" ? nodeName : undefined)),
  };
});

/** Who makes pods of its like: its owner, or for a run of a CronJob that CronJob, where it is read. */
function makerOf({ controllers }: Facts): (pod: PodRecord) => string | undefined {
  const cronJobs = new Map<string, string>();
  for (const { kind, namespace, name, owner } of controllers.items) {
    if (kind === "Job" && owner?.kind === "CronJob") {
      cronJobs.set(`${namespace}/${name}`, `${namespace}/CronJob/${owner.uid || owner.name}`);
    }
  }
  return (pod) => {
    const cronJob = pod.owner?.kind === "Job" && cronJobs.get(`${pod.namespace}/${pod.owner.name}`);
    return cronJob || ownerKey(pod);
  };
}

function ownerKey({ namespace, owner }: PodRecord): string | undefined {
  return owner && `${namespace}/${owner.kind}/${owner.uid || owner.name}`;
}

/** Labels by which the makers of jobs mark the pods that work as one. */
const GANG_LABELS: readonly (readonly string[])[] = [
  ["jobset.sigs.k8s.io/jobset-name"],
  ["leaderworkerset.sigs.k8s.io/name", "leaderworkerset.sigs.k8s.io/group-index"],
  ["ray.io/cluster"],
  ["volcano.sh/job-name"],
  ["training.kubeflow.org/job-name"],
];

/** Replicas of these work each for itself. */
const INDEPENDENT = /^(ReplicaSet|ReplicationController|Deployment|DaemonSet|Node|Pod)$/;

/** The pods of these may work as one, or each at a piece of its own. */
const PERHAPS_INDEPENDENT = /^(Job|StatefulSet)$/;

function gangLabel({ namespace, labels }: PodRecord): string | undefined {
  for (const names of GANG_LABELS) {
    const values = names.map((name) => labels[name]);
    if (values.every((value) => value)) return `${namespace}/${names[0]}/${values.join("/")}`;
  }
  return undefined;
}

/** Whether the kind of its maker says that its pods work as one, as those of a training job do. */
export function isOfGang(pod: PodRecord): boolean {
  if (gangLabel(pod) !== undefined) return true;
  const kind = pod.owner?.kind ?? "Pod";
  return !INDEPENDENT.test(kind) && !PERHAPS_INDEPENDENT.test(kind);
}

function gangKey(pod: PodRecord): string | undefined {
  const label = gangLabel(pod);
  if (label !== undefined) return label;
  return pod.owner && !INDEPENDENT.test(pod.owner.kind) ? ownerKey(pod) : undefined;
}

/** All pods of the job that `pod` belongs to, itself among them; empty where each of its like works for itself. */
export function gangOf(pod: PodRecord, fleet: Fleet): readonly PodRecord[] {
  const key = gangKey(pod);
  return key === undefined ? [] : (indexOf(fleet).byGang.get(key) ?? []);
}

/** All pods of the same controller (of all runs of a CronJob), itself among them; empty for a bare pod. */
export function siblingsOf(pod: PodRecord, fleet: Fleet): readonly PodRecord[] {
  const { byOwner, makerOfPod } = indexOf(fleet);
  const key = makerOfPod(pod);
  return key === undefined ? [] : (byOwner.get(key) ?? []);
}

/** The pods that have failed on the node of `pod`, itself among them. */
export function failedOnNodeOf(pod: PodRecord, fleet: Fleet): readonly PodRecord[] {
  return (pod.nodeName && indexOf(fleet).failedByNode.get(pod.nodeName)) || [];
}

/**
 * Whether its controller has made another pod in place of this one since it failed. Of a row of failed pods that
 * replaced each other only the youngest is left to look at.
 */
export function isReplaced(pod: PodRecord, fleet: Fleet): boolean {
  const created = pod.createdAt ?? 0;
  const failed = endedAt(pod) ?? created;
  return siblingsOf(pod, fleet).some(
    (one) =>
      one.uid !== pod.uid &&
      roleOf(one) === roleOf(pod) &&
      one.createdAt !== undefined &&
      one.createdAt > created &&
      one.createdAt >= failed,
  );
}

/** When its last container ended, or it was last found not Ready. */
export function endedAt(pod: PodRecord): number | undefined {
  const ends = pod.containers.flatMap(({ state }) =>
    state.kind === "terminated" ? (state.finishedAt ?? []) : [],
  );
  if (ends.length > 0) return Math.max(...ends);
  const ready = pod.conditions.find(({ type, status }) => type === "Ready" && status === "False");
  return ready?.lastTransitionTime;
}

const ROLE_LABELS = [
  "batch.kubernetes.io/job-completion-index",
  "training.kubeflow.org/replica-type",
  "training.kubeflow.org/replica-index",
  "volcano.sh/task-spec",
  "volcano.sh/task-index",
  "leaderworkerset.sigs.k8s.io/worker-index",
  "apps.kubernetes.io/pod-index",
  "jobset.sigs.k8s.io/replicatedjob-name",
  "training.kubeflow.org/job-role",
  "ray.io/group",
  // Older operators of Kubeflow.
  "replica-type",
  "replica-index",
  "pytorch-replica-type",
  "pytorch-replica-index",
  "tf-replica-type",
  "tf-replica-index",
] as const;

/** Its place within its job: only a pod of the same place replaces it. */
function roleOf(pod: PodRecord): string {
  const labels = ROLE_LABELS.map((label) => pod.labels[label] ?? "").join("/");
  // The steps of a workflow are named after their templates, each try with a number of its own.
  return pod.owner?.kind === "Workflow" ? pod.name.replace(/-\d+$/, "") : labels;
}
