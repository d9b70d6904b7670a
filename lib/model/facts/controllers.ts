import type { Resources } from "../kubernetes.ts";
import type { FactObject } from "./fact-object.ts";

/**
 * An object that makes pods: Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob, JobSet, LeaderWorkerSet, the
 * Kubeflow training kinds, RayCluster, RayJob, Volcano Job, Argo Workflow.
 */
export interface ControllerRecord extends FactObject {
  /** Pods that it wants as a whole; undefined where it does not say in one number. */
  readonly replicas: number | undefined;
  /** Pods that it has, ready or not; undefined where it does not say. */
  readonly present: number | undefined;
  /** Of those, the ready ones. */
  readonly ready: number | undefined;
  /** Held back by `spec.suspend`. */
  readonly suspended: boolean;
  /** Done, well or badly: it makes no more pods. */
  readonly finished: boolean;
  readonly templates: readonly PodTemplate[];
  /** Of a Deployment: more pods than wanted during a rollout, as it is written (`1`, `25%`). */
  readonly maxSurge: string | undefined;
  /** What it says of pods that it could not make: by itself, or by the steps of a workflow. */
  readonly failures: readonly StepFailure[];
}

/** The pods of one part of it. */
export interface PodTemplate {
  /** Path of the part, e.g. `pytorchReplicaSpecs.Worker`; empty for the only one. */
  readonly name: string;
  /** Pods of this part. */
  readonly replicas: number;
  /** What one of its pods requests, as the scheduler counts it; what no container states is not there. */
  readonly requests: Resources;
}

export interface StepFailure {
  readonly step: string;
  /** Name of the template that the step runs. */
  readonly template: string;
  readonly message: string;
  readonly at: number | undefined;
}
