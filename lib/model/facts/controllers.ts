import type { FactObject } from "./fact-object.ts";

/**
 * An object that makes pods: Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob, JobSet, LeaderWorkerSet, the
 * Kubeflow training kinds, RayCluster, RayJob, Volcano Job, Argo Workflow.
 */
export interface ControllerRecord extends FactObject {}
