/** A way to get a cluster of real Kubernetes for a test run. */
export interface Rig<C extends Cluster = Cluster> {
  readonly name: RigName;
  /**
   * Gets what can be got beforehand (programs are built, images pulled), which may take minutes.
   *
   * @throws RigError where this machine cannot have the rig.
   */
  prepare(progress: (line: string) => void): Promise<void>;
  /**
   * Starts a cluster and resolves once its API server is ready, its nodes are there and Ready, and the `seamline` user
   * exists. Several clusters may be up side by side.
   *
   * @throws RigError where this machine cannot have the rig.
   */
  up(options: UpOptions): Promise<C>;
  /**
   * The cluster that an earlier process has left up in `folder` with `keep`.
   *
   * @throws Error where there is none.
   */
  attach(folder: string): Promise<Cluster>;
}

export type RigName = "kind" | "processes";

export interface UpOptions {
  /** Base name of the cluster; its nodes are called after it: `layers-control-plane`, `layers-worker`. */
  readonly name: string;
  /** Nodes to begin with, in this order. None of them advertises a GPU. */
  readonly nodes: readonly NodeOptions[];
  /** An empty folder of its own. All that the rig writes is below it; `down` leaves only `logs/` there. */
  readonly folder: string;
  /** True: the cluster stays when this process ends, until `down`. False: it ends with it, however that ends. */
  readonly keep: boolean;
  /** What is being waited for, a line at a time. */
  readonly progress: (line: string) => void;
}

export interface NodeOptions {
  readonly name: string;
  /** The first one is the control plane. */
  readonly role: "control-plane" | "worker";
  /** Labels besides those that Kubernetes itself sets. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A running cluster. */
export interface Cluster {
  readonly name: string;
  /** Path of a kubeconfig with all rights. */
  readonly kubeconfig: string;
  /** Address of the API server. */
  readonly server: string;
  /**
   * Runs kubectl with all rights and resolves with what it prints.
   *
   * @param input its standard input, for `-f -`
   * @throws Error with what it says on standard error.
   */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** Path of a kubeconfig of the service account that is bound to deploy/cluster-role.yaml and to nothing else. */
  kubeconfigFor(user: "seamline"): Promise<string>;
  /** What the `seamline` user has asked of the API server so far, oldest first. */
  auditLog(): Promise<readonly AuditEvent[]>;
  /** The machine of this node hangs: its kubelet reports nothing until `unpauseNode`. */
  pauseNode(name: string): Promise<void>;
  unpauseNode(name: string): Promise<void>;
  /**
   * From now on KWOK plays the kubelets of nodes that have no machine: those with its annotation. May be called twice.
   *
   * @throws RigError where KWOK cannot be had.
   */
  playNodes(): Promise<void>;
  /** Ends it and removes what it has made, save `logs/` in its folder. May be called twice. */
  down(): Promise<void>;
}

/** One request of the `seamline` user in the API server's audit log. */
export interface AuditEvent {
  /** Kubernetes' verb: get, list, watch, create. A watch-list is a watch. */
  readonly verb: string;
  /** Plural name, with a group where there is one (`leases.coordination.k8s.io`); "" where the path is no resource's. */
  readonly resource: string;
  /** `system:serviceaccount:NAMESPACE:NAME` */
  readonly user: string;
  /** Path and query. */
  readonly uri: string;
  /** HTTP status; undefined while a watch goes on. */
  readonly code: number | undefined;
}

/** This machine cannot have the rig. The message says what is missing and how to get it. */
export class RigError extends Error {
  override name = "RigError" as const;
}

/** The service account that Seamline runs under, in the namespace of the same name. */
export const SEAMLINE_USER = "system:serviceaccount:seamline:seamline";
